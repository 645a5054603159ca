package measure

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func within(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// directionOf returns the unit vector at an angle in degrees.
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

type stage = testkit.Stage

func newStage(t testing.TB, dt float64, systems ...any) *stage {
	return testkit.NewStage(t, dt, systems...)
}

// movedRow moves the row of an agent or obstacle to another archetype.
type movedRow struct{ _ float64 }
