package measure

import (
	"math"
	"reflect"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func within(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// directionOf is the unit vector at an angle in degrees.
func directionOf(degrees float64) r2.Vec {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return xy(cos, sin)
}

// mover moves agents by their velocity.
type mover struct {
	vel frame.In[c.Velocity]
	pos frame.Out[c.Position]
}

func (s *mover) Needs(n *frame.Needs) { n.Read(&s.vel); n.Write(&s.pos) }

func (s *mover) Run(b *frame.Batch) {
	vel, pos := s.vel.Of(b), s.pos.Of(b)
	for i := range pos {
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
