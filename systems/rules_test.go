package systems

import (
	"math"
	"sync"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"

	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

var inf, nan = math.Inf(1), math.NaN()

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func within(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func vecWithin(got, want r2.Vec, tolerance float64) bool {
	return within(got.X, want.X, tolerance) && within(got.Y, want.Y, tolerance)
}

// rig runs systems, one after another, on the same plain slices.
type rig struct {
	systems []frame.System
	batches []*frame.Batch
}

func newRig(dt float64, systems []frame.System, slices ...frame.Slice) *rig {
	r := &rig{systems: systems}
	for _, s := range systems {
		r.batches = append(r.batches, frame.BatchOf(frame.Clock{Dt: dt}, s, slices...))
	}
	return r
}

func (r *rig) step() {
	for i, s := range r.systems {
		s.Run(r.batches[i])
	}
}

func (r *rig) steps(n int) {
	for range n {
		r.step()
	}
}

// walker is one agent, as columns with one row.
type walker struct {
	pos    []c.Position
	vel    []c.Velocity
	target []c.Target
	limits []c.Limits
	steer  []c.Steering
}

func newWalker(p, v, target r2.Vec, maxSpeed, maxForce float64) *walker {
	return &walker{
		[]c.Position{{Vec: p}}, []c.Velocity{{Vec: v}}, []c.Target{{Vec: target}},
		[]c.Limits{{MaxSpeed: maxSpeed, MaxForce: maxForce}}, []c.Steering{{}},
	}
}

func (w *walker) rig(dt float64, systems []frame.System, more ...frame.Slice) *rig {
	return newRig(dt, systems, append([]frame.Slice{
		frame.Over(w.pos), frame.Over(w.vel), frame.Over(w.target), frame.Over(w.limits), frame.Over(w.steer)}, more...)...)
}

// stage is a world with its frame. Add gives entities their components.
type stage = testkit.Stage

func newStage(t testing.TB, dt float64, systems ...any) *stage {
	s := testkit.NewStage(t, dt, systems...)
	s.Give = Add
	return s
}

// extremes returns vectors of every size, including subnormal and huge ones.
func extremes() []r2.Vec {
	vs := []r2.Vec{{}}
	for _, s := range []float64{math.SmallestNonzeroFloat64, 1e-320, 1e-300, 1e-160, 1e-8, 1, 3, 1e8, 1e100, 1e160, 1e300, 1e308} {
		for _, v := range []r2.Vec{xy(1, 0), xy(0, -1), xy(0.6, 0.8), xy(-1, 1), xy(-1, -1e-9)} {
			vs = append(vs, r2.Scale(s, v))
		}
	}
	return append(vs, xy(1e308, 1e-320))
}

func someEntity() ecs.Entity {
	w := ecs.NewWorld(1)
	return w.NewEntity()
}

// someObstacles returns a snapshot, which nothing updates, of a circle and a wall.
var someObstacles = sync.OnceValue(func() *sense.Obstacles { return snapshotOf(roundAt(3, 4, 2), wallFrom(xy(-9, -9), xy(9, -8))) })

// snapshotOf returns a snapshot, which nothing updates, of the given shapes.
func snapshotOf(shapes ...space.Shape) *sense.Obstacles {
	w, o := ecs.NewWorld(1), &sense.Obstacles{}
	for _, s := range shapes {
		ob := c.Obstacle{Span: r2.Sub(s.B, s.A), Radius: s.Radius}
		if s.Ring != nil {
			polygons := frame.Resource[sense.Polygons](&w)
			*polygons = append(*polygons, s.Ring)
			ob = c.Obstacle{Radius: s.Radius, Polygon: uint32(len(*polygons))}
		}
		Add(&w, w.NewEntity(), c.Position{Vec: s.A}, ob)
	}
	f := frame.New(o)
	f.Workers = 1
	f.Initialize(&w)
	f.Update(&w)
	return o
}

func roundAt(x, y, radius float64) space.Shape {
	return space.Shape{A: xy(x, y), B: xy(x, y), Radius: radius}
}

func wallFrom(a, b r2.Vec) space.Shape { return space.Shape{A: a, B: b} }
