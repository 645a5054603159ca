package walking

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// A lattice has the density that it has.
func TestDensity(t *testing.T) {
	for _, want := range []float64{0.5, 2, 8} {
		pitch, presences := 1/math.Sqrt(want), 0.
		for i := range 100 {
			for j := range 201 {
				presences += presence(xy(pitch*(float64(i)+0.5), pitch*float64(j-100)), xy(1, 0), 0)
			}
		}
		if got := density(presences) / roomAhead; math.Abs(got-want) > 0.04*want {
			t.Errorf("got=%v, want=%v", got, want)
		}
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
		{"as far as it looks", xy(2, 0), 0, 0},
		{"farther", xy(3, 0), 0, 0},
		{"it will be farther", xy(1, 0), 0.5, math.Sqrt(1 - 2.25/4)},
		{"it will be nearer", xy(1, 0), -0.5, math.Sqrt(1 - 0.25/4)},
	} {
		if got := presence(tc.to, xy(1, 0), tc.faster); math.Abs(got-tc.want) > 1e-15 {
			t.Errorf("%s: got=%v, want=%v", tc.name, got, tc.want)
		}
	}
}

// The speeds are those of Weidmann's table of the fundamental diagram.
func TestWalking(t *testing.T) {
	for _, tc := range []struct{ density, want float64 }{
		{0, 1.34}, {0.5, 1.298}, {1, 1.058}, {2, 0.606}, {3, 0.331}, {4, 0.156}, {5, 0.037}, {5.4, creeping * 1.34}, {9, creeping * 1.34},
	} {
		if got := walking(1.34, tc.density, 5.4); math.Abs(got-tc.want) > 1e-3 {
			t.Errorf("%v people a square meter: got=%v, want=%v", tc.density, got, tc.want)
		}
	}
}
