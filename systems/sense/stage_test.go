package sense

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func within(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func vecWithin(got, want r2.Vec, tolerance float64) bool {
	return within(got.X, want.X, tolerance) && within(got.Y, want.Y, tolerance)
}

// mover moves agents by their velocity, and changes the velocity by their steering.
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

type stage = testkit.Stage

func newStage(t testing.TB, dt float64, systems ...any) *stage {
	return testkit.NewStage(t, dt, systems...)
}

// movedRow moves the row of an agent or obstacle to another archetype.
type movedRow struct{ _ float64 }

// ballast distinguishes archetypes.
type ballast struct{ _ [3]float64 }

// obstaclesOf returns a snapshot of shapes, with IDs in the order given.
func obstaclesOf(shapes ...space.Shape) *Obstacles {
	o := &Obstacles{reach: 1, shapes: shapes}
	for i := range o.shapes {
		o.shapes[i].ID = uint32(i)
	}
	o.index.Build(o.shapes, o.reach, 0)
	return o
}

// to returns a goal at a point.
func to(p r2.Vec) []r2.Box { return []r2.Box{{Min: p, Max: p}} }

// fieldsOf returns fields around obstacles.
func fieldsOf(o *Obstacles, rows ...FlowField) *Fields {
	f := &Fields{Obstacles: o}
	f.Set(rows)
	return f
}
