package sense

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
)

// bodyRows walks over the agents that ask for those that they touch, and counts their
// sizes. Such an agent looks as far as its body and another one can touch, except for
// very large ones, which are found by themselves: one giant among dwarfs does not make
// all of them look far.
type bodyRows[T comparable] struct {
	radius  frame.In[c.Radius]
	pos     frame.In[c.Position]
	par     frame.In[T]
	touches func(T) bool
	bodies  *tally
	some    bool // some agent asks
}

func (s *bodyRows[T]) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.par, &s.radius)
	frame.Without[c.Obstacle](n)
}

func (s *bodyRows[T]) Run(b *frame.Batch) {
	radius, par := s.radius.Of(b), s.par.Of(b)
	from, last := 0, -1. // the first row of those that are alike
	for i := range radius {
		reach := 0.
		if s.touches(par[i]) {
			reach = distOf(2 * radius[i].Meters)
		}
		if reach != last {
			s.bodies.add(last, i-from)
			from, last = i, reach
		}
	}
	s.bodies.add(last, len(radius)-from)
}

// reachBodies raises the reach of agents to how far they can touch others.
func (q *Query[T, A]) reachBodies(first uint32, reach []float64) {
	if !q.bodies.some {
		return
	}
	crowd := &q.neighbors.crowd
	bulk := crowd.Bulk()
	for i := range reach {
		if index := first + uint32(i); q.touches(*q.Param(index)) {
			reach[i] = max(reach[i], distOf((crowd.Agents().Radius[index]+bulk)*(1+0x1p-40)))
		}
	}
}
