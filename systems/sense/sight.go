package sense

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/resize"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// Sight is where a Looker keeps what it knows of each agent that looks: the
// parameters of component T, and the answer of type A, such as a sum over
// neighbors, that Meet finds and Run takes. Agents without the component do not
// look; they have the zero parameters.
type Sight[T comparable, A any] struct {
	Reach func(T) float64 // m, how far an agent looks with such parameters; 0 or less, NaN, infinite: not at all

	Few       func(T) bool // whether it looks only for the nearest few; nil: it never does
	neighbors *Neighbors
	rows      frame.Walk
	member    sightRows[T, A]
	first     T       // parameters of the first row
	far       float64 // m, how far it looks
	alike     bool    // all rows have the same
	params    []T     // by place; none if all agents have the same
	answers   []A     // by place
}

// AnySight is a Sight of any types.
type AnySight interface {
	Join(n *Neighbors, looker string, f *frame.Frame, w *ecs.World)
	Leave(w *ecs.World)
	see(w *ecs.World, r *reaches)
	Settle(w *ecs.World, agents int)
	Some() bool
	reach(first uint32, reach []float64)
}

// sightRows walks over the agents with a looker's component.
type sightRows[T comparable, A any] struct {
	*Sight[T, A]
	pos     frame.In[c.Position]
	vel     frame.In[c.Velocity]
	radius  frame.In[c.Radius]
	agent   frame.In[c.Agent]
	par     frame.In[T]
	reaches *reaches // nil: put the parameters into their places
	n       int      // rows so far
	last    T
	looks   float64 // m, how far with these
	tally   *tally  // where these count
}

func (s *sightRows[T, A]) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.par)
	n.Optional(&s.vel, &s.radius, &s.agent)
	frame.Without[c.Obstacle](n)
}

func (s *sightRows[T, A]) Run(b *frame.Batch) {
	if s.vel.Of(b) == nil && s.radius.Of(b) == nil && s.agent.Of(b) == nil {
		return
	}
	par := s.par.Of(b)
	if s.reaches == nil {
		s.settle(b, par)
		return
	}
	if s.n == 0 {
		s.first, s.last = par[0], par[0]
		s.far = FarOf(s.Reach(par[0]))
		s.looks, s.tally = s.far, s.reaches.of(s.Few != nil && s.Few(par[0]))
	}
	s.n += len(par)
	from := 0 // the first row of those that are alike
	for i := range par {
		if par[i] != s.last {
			s.tally.add(s.looks, i-from)
			s.last, s.looks = par[i], FarOf(s.Reach(par[i]))
			s.tally = s.reaches.of(s.Few != nil && s.Few(par[i]))
			s.alike, from = false, i
		}
	}
	s.tally.add(s.looks, len(par)-from)
}

// settle puts parameters into their places.
func (s *sightRows[T, A]) settle(b *frame.Batch, par []T) {
	var places [AtOnce]uint32
	for lo := 0; lo < len(par); lo += AtOnce {
		hi := min(lo+AtOnce, len(par))
		s.neighbors.PlacesOf(b, lo, places[:hi-lo])
		for i := lo; i < hi; i++ {
			if p := places[i-lo]; int(p) < len(s.params) {
				s.params[p] = par[i]
			}
		}
	}
}

// FarOf returns how far an agent looks, 0 for not at all.
func FarOf(reach float64) float64 {
	if reach > 0 && reach <= math.MaxFloat64 {
		return reach
	}
	return 0
}

// PlacesOf sets to to the places of the rows of a batch from lo on; an agent that
// is not in the snapshot has one beyond all.
func (n *Neighbors) PlacesOf(b *frame.Batch, lo int, to []uint32) {
	var entities [AtOnce]ecs.Entity
	for len(to) > 0 {
		some := min(len(to), len(entities))
		b.Entities(lo, entities[:some])
		for i, e := range entities[:some] {
			to[i] = n.self(e)
		}
		lo, to = lo+some, to[some:]
	}
}

// Join panics for a looker, of that name, that cannot look.
func (s *Sight[T, A]) Join(n *Neighbors, looker string, f *frame.Frame, w *ecs.World) {
	switch {
	case s.neighbors == n:
		panic(fmt.Sprintf("crowd: %s is twice in one frame", looker))
	case s.neighbors != nil:
		panic(fmt.Sprintf("crowd: %s is in two frames at once", looker))
	case s.Reach == nil:
		panic(fmt.Sprintf("crowd: %s has a Sight without Reach: set it before Initialize", looker))
	}
	s.neighbors = n
	s.member = sightRows[T, A]{Sight: s}
	s.rows.Attach(f, w, &s.member)
}

// Attach panics if there are no Neighbors to look for the system that has the Sight.
func (s *Sight[T, A]) Attach(f *frame.Frame, _ *ecs.World) {
	if _, ok := frame.Find[*Neighbors](f); ok || s.neighbors != nil {
		return
	}
	for _, system := range f.Systems() {
		if l, ok := system.(Looker); ok && l.Looks() == AnySight(s) {
			NeighborsOf(f, l, nil)
		}
	}
}

// Detach does nothing: Neighbors detaches the Sight.
func (s *Sight[T, A]) Detach(*ecs.World) {}

// Leave gives back what Join took.
func (s *Sight[T, A]) Leave(w *ecs.World) {
	s.rows.Detach(w)
	s.neighbors = nil
}

// see finds out how far agents look.
func (s *Sight[T, A]) see(w *ecs.World, r *reaches) {
	s.member.n, s.alike, s.member.reaches = 0, true, r
	s.rows.Run(w)
}

// Settle makes room for the agents of the snapshot, and knows the parameters of each.
func (s *Sight[T, A]) Settle(w *ecs.World, agents int) {
	n := s.neighbors.Len()
	s.answers = resize.To(s.answers, n)
	clear(s.answers)
	s.params = s.params[:0]
	if s.alike && s.member.n == agents || s.member.n == 0 || n == 0 {
		return
	}
	s.params = resize.To(s.params, n)
	clear(s.params)
	s.member.reaches = nil
	s.rows.Run(w)
}

// Some tells whether any agent has the parameters.
func (s *Sight[T, A]) Some() bool { return s.member.n > 0 }

// reach raises the reach of agents from the first place on to how far they look.
func (s *Sight[T, A]) reach(first uint32, reach []float64) {
	if s.member.n == 0 {
		return
	}
	if len(s.params) == 0 {
		for i := range reach {
			reach[i] = max(reach[i], s.far)
		}
		return
	}
	var last T
	far := FarOf(s.Reach(last))
	for i := range reach {
		if p := &s.params[int(first)+i]; *p != last {
			last, far = *p, FarOf(s.Reach(*p))
		}
		reach[i] = max(reach[i], far)
	}
}

// Of returns the parameters of the agent in a place.
func (s *Sight[T, A]) Of(place uint32) T { return *s.At(place) }

// At returns where the parameters of the agent in a place are, maybe of all agents.
func (s *Sight[T, A]) At(place uint32) *T {
	if len(s.params) == 0 {
		return &s.first
	}
	return &s.params[place]
}

// Neighbors returns the snapshot that keeps it.
func (s *Sight[T, A]) Neighbors() *Neighbors { return s.neighbors }

// Answers are those of all agents, by place.
func (s *Sight[T, A]) Answers() []A { return s.answers }

// Answer is what Meet finds for the agent in a place. It is zero before.
func (s *Sight[T, A]) Answer(place uint32) *A { return &s.answers[place] }

// Take sets to to the answers for the rows of a batch from lo on, zero for agents
// that are not in the snapshot. Call it in Run, for some 64 rows at a time.
func (s *Sight[T, A]) Take(b *frame.Batch, lo int, to []A) {
	var places [AtOnce]uint32
	for len(to) > 0 {
		some := min(len(to), len(places))
		s.neighbors.PlacesOf(b, lo, places[:some])
		for i, p := range places[:some] {
			if int(p) < len(s.answers) {
				to[i] = s.answers[p]
			} else {
				clear(to[i : i+1])
			}
		}
		lo, to = lo+some, to[some:]
	}
}
