package orca

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestHardPlanes verifies that velocities violate no half-plane of a wall or a gap.
func TestHardPlanes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ways := []r2.Vec{xy(1, 0), xy(-1, 0), xy(0, 1), xy(0, -1)}
	var s Alone
	for i := range 60000 {
		a := Agent{Position: xy(4*r.Float64()-2, 4*r.Float64()-2), Velocity: xy(2*r.Float64()-1, 2*r.Float64()-1), Preferred: xy(3*r.Float64()-1.5, 3*r.Float64()-1.5), Radius: 0.25 * float64(r.IntN(3)), MaxSpeed: 1.5, Rule: Rule{Horizon: 2, ObstacleHorizon: 0.5 * float64(r.IntN(4)), Side: 0.2, Firm: true}}
		var walls []Edge
		for range r.IntN(4) {
			walls = append(walls, Wall(xy(4*r.Float64()-2, 4*r.Float64()-2), xy(4*r.Float64()-2, 4*r.Float64()-2), 0))
		}
		var others []Other
		for k := range r.IntN(12) {
			to := vec.WithNorm(xy(r.NormFloat64(), r.NormFloat64()), a.Radius+0.3)
			switch {
			case k > 0 && r.IntN(3) == 0: // nearly across from the first one
				first := vec.Sub(others[0].Position, a.Position)
				to = vec.AddScaled(vec.Scale(-1, first), math.Pow(10, -float64(r.IntN(14))), vec.Left(first))
			case r.IntN(2) == 0:
				to = vec.WithNorm(ways[r.IntN(4)], a.Radius+0.3)
			}
			to = vec.Scale(1+[]float64{0, 1e-16, 1e-12, 1e-9, 1e-6, 0.1, -1e-9}[r.IntN(7)], to)
			others = append(others, Other{
				ID: uint64(k + 1), Position: vec.Add(a.Position, to), Radius: 0.3, Velocity: xy(r.NormFloat64(), r.NormFloat64()), Share: []float64{0.5, 0.5, 1, 0.25}[r.IntN(4)],
			})
		}
		v, _ := s.Velocity(&a, others, walls, 0.1)
		c := &s.choices[0]
		for k := c.first; k < c.hard; k++ {
			if got := s.planes[k].violation(v); got > 1e-8 {
				t.Fatalf("case %d, half-plane %d: violation: got=%v m/s, want=at most 1e-8", i, k, got)
			}
		}
	}
}
