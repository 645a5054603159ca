package walking

import (
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// presenceOf returns the presence, in the density ahead in the east, of another agent at an offset.
// faster is its speed to the east relative to the agent, in m/s.
func presenceOf(to r2.Vec, faster float64) float64 {
	w := &Walker{others: orca.Neighbors{UX: []float64{-faster}, UY: []float64{0}}}
	return float64(w.presence(0, to, east)) / exact
}

// TestDensity verifies that the density computed for a lattice of agents, without roomAhead, is within
// 4% of the true one.
func TestDensity(t *testing.T) {
	for _, want := range []float64{0.5, 2, 8} {
		pitch, presences := 1/math.Sqrt(want), 0.
		for i := range 100 {
			for j := range 201 {
				presences += presenceOf(xy(pitch*(float64(i)+0.5), pitch*float64(j-100)), 0)
			}
		}
		testkit.Near(t, density(int64(presences*exact))/roomAhead, want, 0.04*want, "people/m²")
	}
}

func TestPresence(t *testing.T) {
	for _, tc := range []struct {
		name   string
		to     r2.Vec
		faster float64
		want   float64
	}{
		{"here", xy(0, 0), 0, 1},
		{"ahead", xy(1, 0), 0, math.Sqrt(0.75)},
		{"aside", xy(0, 1), 0, math.Sqrt(0.75)},
		{"at the lookout", xy(2, 0), 0, 0},
		{"farther", xy(3, 0), 0, 0},
		{"will be farther", xy(1, 0), 0.5, math.Sqrt(1 - 2.25/4)},
		{"will be nearer", xy(1, 0), -0.5, math.Sqrt(1 - 0.25/4)},
	} {
		testkit.Near(t, presenceOf(tc.to, tc.faster), tc.want, 1e-12, "%s", tc.name)
	}
}

// TestWalking verifies that speeds are those of Weidmann's table of the fundamental diagram, or the creeping speed.
func TestWalking(t *testing.T) {
	for _, tc := range []struct{ density, want float64 }{
		{0, 1.34}, {0.5, 1.298}, {1, 1.058}, {2, 0.606}, {3, 0.331}, {4, 0.156}, {5, 0.037}, {5.4, creeping * 1.34}, {9, creeping * 1.34},
	} {
		presences := int64(tc.density / density(exact) * exact)
		testkit.Near(t, (&Walker{Rules: Rules{MaxDensity: 5.4}}).slowed(1.34, presences), tc.want, 1e-3, "speed at %v people/m²", tc.density)
	}
}
