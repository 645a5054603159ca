package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func within(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func vecWithin(got, want r2.Vec, tolerance float64) bool {
	return within(got.X, want.X, tolerance) && within(got.Y, want.Y, tolerance)
}

type stage = testkit.Stage

var newStage = testkit.NewStage

type ballast struct{ _ [3]float64 }

// obstaclesOf returns a snapshot of shapes, with IDs from 0.
func obstaclesOf(shapes ...space.Shape) *Obstacles {
	o := &Obstacles{reach: 1, shapes: shapes}
	for i := range o.shapes {
		o.shapes[i].ID = uint32(i)
	}
	o.index.Build(o.shapes, o.reach, 0)
	return o
}

func to(p r2.Vec) []r2.Box { return []r2.Box{{Min: p, Max: p}} }

func fieldsOf(o *Obstacles, rows ...FlowField) *Fields {
	f := &Fields{Obstacles: o}
	f.Set(rows)
	return f
}
