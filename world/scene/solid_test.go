package scene

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// A throng in a closed room, every one of whom wants to be outside, stays in it if
// it is solid, and else does not; and it does not overlap by much.
func TestSolidRoom(t *testing.T) {
	for _, solid := range []bool{false, true} {
		s := &Scene{
			Name: "room", Seed: 1, Dt: 1. / 60, Steps: 600, Box: box(-10, -10, 10, 10),
			Obstacles: Obstacles{Boxes: []Box{{Box: box(4, -6, 6, 6)}, {Box: box(-6, -6, -4, 6)}},
				Walls: []Wall{{A: r2.Vec{X: -5, Y: -5}, B: r2.Vec{X: 5, Y: -5}}, {A: r2.Vec{X: -5, Y: 5}, B: r2.Vec{X: 5, Y: 5}}}},
			Groups: []Group{{
				Count: 60, At: Place{Box: box(-3, -3, 3, 3)}, Radius: Same(0.3), MaxSpeed: Same(1.4), MaxForce: Same(math.Inf(1)),
				Target: &Place{Ring: &Ring{Radius: 9}}, Behaviors: []any{c.Seek{Gain: 9}},
			}},
		}
		if solid {
			s.Groups[0].Set(c.Solid{Push: 0.8})
		}
		w, err := s.Build(Options{Workers: 2})
		noError(t, err)
		defer w.Close()
		outside, deepest := 0, 0.
		run(t, w, 600, func(step int) {
			var all []r2.Vec
			agents(w, func(_ uint64, p, _, _ r2.Vec) {
				if math.Abs(p.X) > 4 || math.Abs(p.Y) > 5 {
					outside++
				}
				for _, q := range all {
					if step > 50 {
						deepest = max(deepest, 0.6-vec.Norm(vec.Sub(p, q)))
					}
				}
				all = append(all, p)
			})
		})
		if !solid && (outside == 0 || deepest < 0.3) {
			t.Errorf("not solid: got=%d steps outside, overlaps of %v m, want=some, or nothing is tested", outside, deepest)
		}
		if solid && (outside > 0 || deepest > 0.3) {
			t.Errorf("solid: got=%d steps outside, overlaps of %v m, want=0, 0.3 at most", outside, deepest)
		}
	}
}
