package field

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestFloor verifies that a cell of a floor is closed if and only if a shape is nearer than Reach to its center.
func TestFloor(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		at := func() r2.Vec {
			p := r2.Vec{X: float64(rng.IntN(40)), Y: float64(rng.IntN(40))} // often in line with other points
			switch rng.IntN(10) {
			case 0:
				p = r2.Vec{X: rng.NormFloat64() * 1e6, Y: rng.NormFloat64() * 1e6}
			case 1, 2, 3:
				p = r2.Vec{X: rng.Float64() * 40, Y: rng.Float64() * 40}
			}
			return p
		}
		var shapes []space.Shape
		for id := range uint32(8) {
			s := space.Shape{ID: id, A: at(), Radius: float64(rng.IntN(3)) * 0.5}
			switch rng.IntN(3) {
			case 0:
				s.B = s.A
			case 1:
				s.B = at()
			case 2:
				for range 3 + rng.IntN(5) {
					s.Ring = append(s.Ring, at())
				}
			}
			shapes = append(shapes, s)
		}
		shapes = append(shapes, space.Shape{ID: 8, Radius: -1}, space.Shape{ID: 9, A: r2.Vec{X: math.NaN()}})
		var x space.Index
		x.Build(shapes, 1, 0)
		f := Floor{Grid: Grid{Cell: 0.5, Columns: 80, Rows: 70}, Radius: float64(rng.IntN(4)) * 0.25}
		for budget := 1 + rng.IntN(50); !f.Done(&x); {
			if left := f.Close(&x, budget); left < -10 {
				t.Fatalf("seed %d: rest of the budget: got=%d cells, want=-10 or more", seed, left)
			}
		}
		for i := range f.Slow {
			open := true
			x.Within(f.Center(i), f.Reach(), func(_ int, d float64) bool {
				open = d >= f.Reach()
				return open
			})
			if got := f.Slow[i] == 1; got != open {
				t.Fatalf("seed %d: cell at %v open: got=%v, want=%v", seed, f.Center(i), got, open)
			}
		}
	}
}
