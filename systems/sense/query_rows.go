package sense

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

type query interface {
	count(w *ecs.World, r *reaches)
	settle(w *ecs.World, agents int)
	Any() bool
	Alike() bool
	asked() bool
	idle() bool
	reach(first uint32, reach []float64)
	run(*Block)
	lookOf(index uint32) Look
	ruleName() string
	resolvesLater() bool
	seesDirections() bool
}

// queryRows collects the parameters of a query.
type queryRows[T comparable, A any] struct {
	*Query[T, A]
	pos     frame.In[c.Position]
	vel     frame.In[c.Velocity]
	radius  frame.In[c.Radius]
	agent   frame.In[c.Agent]
	par     frame.In[T]
	reaches *reaches // nil means that Run copies the parameters to their indexes
	n       int      // rows so far
	last    T
	dist    float64 // m, for last
	tally   *tally  // for last
}

func (s *queryRows[T, A]) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.par)
	n.Optional(&s.vel, &s.radius, &s.agent)
	frame.Without[c.Obstacle](n)
}

func (s *queryRows[T, A]) Run(b *frame.Batch) {
	if s.vel.Of(b) == nil && s.radius.Of(b) == nil && s.agent.Of(b) == nil {
		return
	}
	par := s.par.Of(b)
	if s.reaches == nil {
		s.place(b, par)
		return
	}
	if s.n == 0 {
		s.first = par[0]
		s.turn(par[0])
		s.far = s.dist
	}
	s.n += len(par)
	from := 0 // first row of a run of equal rows
	for i := range par {
		if par[i] != s.last {
			s.tally.add(s.dist, i-from)
			s.turn(par[i])
			s.alike, from = false, i
		}
	}
	s.tally.add(s.dist, len(par)-from)
}

func (s *queryRows[T, A]) turn(p T) {
	look := s.look(p)
	s.last, s.dist, s.tally = p, distOf(look.NeighborDist), s.reaches.of(look.few())
}

func (s *queryRows[T, A]) place(b *frame.Batch, par []T) {
	var indexes [blockSize]uint32
	for lo := 0; lo < len(par); lo += blockSize {
		hi := min(lo+blockSize, len(par))
		s.Indexes(b, lo, indexes[:hi-lo])
		for i := lo; i < hi; i++ {
			if p := indexes[i-lo]; int(p) < len(s.params) {
				s.params[p] = par[i]
			}
		}
	}
}

func (q *Query[T, A]) count(w *ecs.World, r *reaches) {
	q.member.n, q.alike, q.member.reaches = 0, true, r
	q.rows.Run(w)
	if q.bodies.some = false; q.touches != nil && q.member.n > 0 {
		q.bodies.bodies = &r.bodies
		q.sizes.Run(w)
		q.bodies.some = r.bodies.n > 0
	}
}

// settle prepares the query for a step with the given number of agents in the world.
func (q *Query[T, A]) settle(w *ecs.World, agents int) {
	n := q.neighbors.Len()
	if q.answers = q.answers[:0]; q.member.n > 0 {
		q.answers = room(q.neighbors, &q.own)
		clear(q.answers)
	}
	q.params = q.params[:0]
	if !(q.alike && q.member.n == agents || q.member.n == 0 || n == 0) {
		q.params = column.Resize(q.params, n)
		clear(q.params)
		q.member.reaches = nil
		q.rows.Run(w)
		q.EachImage(func(image, of uint32) { q.params[image] = q.params[of] })
	}
	if q.settled != nil {
		q.settled()
	}
	if len(q.also) > 0 && q.Any() {
		q.before()
		q.more.Run(w)
	}
}

// asked reports whether any agent has the component.
func (q *Query[T, A]) asked() bool { return q.member.n > 0 }

func (q *Query[T, A]) idle() bool { return q.shares }

// reach raises the reach of consecutive agents, beginning with index first, to that of the query.
func (q *Query[T, A]) reach(first uint32, reach []float64) {
	switch {
	case q.member.n == 0:
	case q.touches != nil:
		q.reachBodies(first, reach)
	case len(q.params) == 0:
		for i := range reach {
			if reach[i] < q.far { // usually true for all or for none
				reach[i] = q.far
			}
		}
	default:
		var last T
		dist := distOf(q.look(last).NeighborDist)
		for i := range reach {
			if p := &q.params[int(first)+i]; *p != last {
				last, dist = *p, distOf(q.look(*p).NeighborDist)
			}
			reach[i] = max(reach[i], dist)
		}
	}
}

func (q *Query[T, A]) run(b *Block)             { q.answer(b) }
func (q *Query[T, A]) lookOf(index uint32) Look { return q.look(*q.Param(index)) }
func (q *Query[T, A]) ruleName() string         { return q.name }
func (q *Query[T, A]) resolvesLater() bool      { return q.later }
func (q *Query[T, A]) seesDirections() bool     { return q.directions }
