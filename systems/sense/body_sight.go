package sense

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// BodySight is the Sight of ResolveOverlaps. An agent looks as far as its body and
// another one can touch, except for very large ones, which are found by
// themselves: one giant among dwarfs does not make all of them look far.
type BodySight struct {
	Sight[c.Solid, r2.Vec]
	sizes frame.Walk
	rows  bodyRows
	push  bool // some agent does
}

// bodyRows walks over the agents that push others away, and counts their sizes.
type bodyRows struct {
	radius frame.In[c.Radius]
	pos    frame.In[c.Position]
	solid  frame.In[c.Solid]
	bodies *tally
}

func (s *bodyRows) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.solid, &s.radius)
	frame.Without[c.Obstacle](n)
}

func (s *bodyRows) Run(b *frame.Batch) {
	radius, solid := s.radius.Of(b), s.solid.Of(b)
	from, last := 0, -1. // the first row of those that are alike
	for i := range radius {
		reach := 0.
		if solid[i].Push > 0 {
			reach = FarOf(2 * radius[i].Meters)
		}
		if reach != last {
			s.bodies.add(last, i-from)
			from, last = i, reach
		}
	}
	s.bodies.add(last, len(radius)-from)
}

func (s *BodySight) Join(n *Neighbors, looker string, f *frame.Frame, w *ecs.World) {
	s.Reach = func(c.Solid) float64 { return 0 } // see counts
	s.Sight.Join(n, looker, f, w)
	s.sizes.Attach(f, w, &s.rows)
}

func (s *BodySight) Leave(w *ecs.World) {
	s.sizes.Detach(w)
	s.Sight.Leave(w)
}

func (s *BodySight) see(w *ecs.World, r *reaches) {
	s.Sight.see(w, r)
	if s.push = false; s.member.n > 0 {
		s.rows.bodies = &r.bodies
		s.sizes.Run(w)
		s.push = r.bodies.n > 0
	}
}

func (s *BodySight) reach(first uint32, reach []float64) {
	if !s.push {
		return
	}
	crowd := &s.neighbors.crowd
	bulk := crowd.Bulk()
	for i := range reach {
		if place := first + uint32(i); s.Of(place).Push > 0 {
			reach[i] = max(reach[i], FarOf((crowd.Agents()[place].Radius+bulk)*(1+0x1p-40)))
		}
	}
}

// Some tells whether any agent pushes.
func (s *BodySight) Some() bool { return s.push }
