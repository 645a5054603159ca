package sense

import (
	"math"
	"reflect"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func within(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func vecWithin(got, want r2.Vec, tolerance float64) bool {
	return within(got.X, want.X, tolerance) && within(got.Y, want.Y, tolerance)
}

// mover moves agents by their velocity, and that by their steering.
type mover struct {
	steer frame.Out[c.Steering]
	vel   frame.Out[c.Velocity]
	pos   frame.Out[c.Position]
}

func (s *mover) Needs(n *frame.Needs) {
	n.Write(&s.vel, &s.pos)
	n.Optional(&s.steer)
}

func (s *mover) Run(b *frame.Batch) {
	vel, pos, steer := s.vel.Of(b), s.pos.Of(b), s.steer.Of(b)
	for i := range pos {
		if steer != nil {
			vel[i].Vec = vec.AddScaled(vel[i].Vec, b.Dt, steer[i].Vec)
			steer[i].Vec = r2.Vec{}
		}
		pos[i].Vec = vec.AddScaled(pos[i].Vec, b.Dt, vel[i].Vec)
	}
}

// theatre is a world with a frame that runs in it.
type theatre struct {
	*ecs.World
	frame *frame.Frame
	clock *frame.Clock
}

func newTheatre(t testing.TB, dt float64, systems ...any) *theatre {
	world := ecs.NewWorld(16)
	s := &theatre{World: &world, frame: frame.New(systems...), clock: &frame.Clock{Dt: dt}}
	s.frame.Workers = 1
	ecs.AddResource(s.World, s.clock)
	s.frame.Initialize(s.World)
	t.Cleanup(func() { s.frame.Finalize(s.World) })
	return s
}

func (s *theatre) put(comps ...any) ecs.Entity {
	e := s.NewEntity()
	add(s.World, e, comps...)
	return e
}

func (s *theatre) step() {
	s.frame.Update(s.World)
	s.clock.Advance()
}

// add gives an entity components.
func add(w *ecs.World, e ecs.Entity, comps ...any) {
	for _, comp := range comps {
		id := ecs.TypeID(w, reflect.TypeOf(comp))
		w.Add(e, id)
		if reflect.TypeOf(comp).Size() > 0 {
			column.Set(w, e, comp)
		}
	}
}

// of returns a component of an entity, to read and to set.
func of[T any](s *theatre, e ecs.Entity) *T {
	return (*T)(s.Get(e, ecs.ComponentID[T](s.World)))
}

// movedRow moves the row of an agent or obstacle to another archetype.
type movedRow struct{ _ float64 }

// ballast makes archetypes differ.
type ballast struct{ _ [3]float64 }

// variant is one way to run the same crowd.
type variant struct {
	workers, batchRows int
	order              uint64 // of the rows; 0: as spawned
}

// stateHash sums up the bits of positions and velocities, in any order of rows.
type stateHash struct {
	pos   frame.In[c.Position]
	vel   frame.In[c.Velocity]
	agent frame.In[c.Agent]
	sums  frame.Scratch[uint64]
}

func (s *stateHash) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.agent)
	n.Scratch(&s.sums)
}

func (s *stateHash) Run(b *frame.Batch) {
	pos, vel, agent, sum := s.pos.Of(b), s.vel.Of(b), s.agent.Of(b), s.sums.Of(b)
	for i := range pos {
		h := hash.Mix(agent[i].ID)
		for _, x := range [4]float64{pos[i].X, pos[i].Y, vel[i].X, vel[i].Y} {
			h = hash.Mix(h ^ math.Float64bits(x))
		}
		*sum += h
	}
}

// Sum returns the sum of all steps.
func (s *stateHash) Sum() (all uint64) {
	s.sums.Each(func(sum *uint64) { all += *sum })
	return all
}
