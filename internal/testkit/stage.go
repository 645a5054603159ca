package testkit

import (
	"reflect"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// Stage is a world with a frame that runs in it.
type Stage struct {
	*ecs.World
	Frame *frame.Frame
	Clock *frame.Clock
	Give  func(w *ecs.World, e ecs.Entity, components ...any) // nil means Add
}

// NewStage returns a stage whose frame runs systems with one worker, in steps of dt seconds. The frame is
// finalized when the test ends.
func NewStage(t testing.TB, dt float64, systems ...any) *Stage {
	world := ecs.NewWorld(16)
	s := &Stage{World: &world, Frame: frame.New(systems...), Clock: &frame.Clock{Dt: dt}}
	s.Frame.Workers = 1
	ecs.AddResource(s.World, s.Clock)
	s.Frame.Initialize(s.World)
	t.Cleanup(func() { s.Frame.Finalize(s.World) })
	return s
}

func (s *Stage) Put(components ...any) ecs.Entity {
	e := s.NewEntity()
	if s.Give == nil {
		Add(s.World, e, components...)
	} else {
		s.Give(s.World, e, components...)
	}
	return e
}

func (s *Stage) Step() {
	s.Frame.Update(s.World)
	s.Clock.Advance()
}

func (s *Stage) Steps(n int) {
	for range n {
		s.Step()
	}
}

// NoAllocs reports an error if f, run n times after a warm-up run, allocates at least once per run on average.
// It does nothing in the safe build, which copies columns.
func NoAllocs(t testing.TB, n int, f func()) {
	t.Helper()
	if column.Copies {
		return
	}
	if got := testing.AllocsPerRun(n, f); got > 0 {
		t.Errorf("allocations: got=%v, want=0", got)
	}
}

// ComponentOf returns a pointer to a component of an entity, or nil if the entity lacks it. The pointer is
// valid until entities or components are added or removed.
func ComponentOf[T any](s *Stage, e ecs.Entity) *T {
	return (*T)(s.Get(e, ecs.ComponentID[T](s.World)))
}

func Add(w *ecs.World, e ecs.Entity, components ...any) {
	for _, comp := range components {
		w.Add(e, ecs.TypeID(w, reflect.TypeOf(comp)))
		column.Set(w, e, comp)
	}
}

// Mover moves agents at their velocity.
type Mover struct {
	vel frame.In[c.Velocity]
	pos frame.Out[c.Position]
}

func (s *Mover) Needs(n *frame.Needs) { n.Read(&s.vel); n.Write(&s.pos) }

func (s *Mover) Run(b *frame.Batch) {
	vel, pos := s.vel.Of(b), s.pos.Of(b)
	for i := range pos {
		pos[i].X += float64(b.Dt * vel[i].X)
		pos[i].Y += float64(b.Dt * vel[i].Y)
	}
}
