package frame

import (
	"math"
	"testing"
)

// TestAccumulator verifies Due and Alpha for rendered frames of various durations, and that a step of 0 s
// panics.
func TestAccumulator(t *testing.T) {
	for _, seconds := range []float64{1. / 240, 1. / 60, 0.0123, 1. / 30, 0.1} {
		a, steps, pictures := Accumulator{Dt: 1. / 60}, 0, int(math.Round(10/seconds))
		for range pictures {
			steps += a.Due(seconds)
		}
		if left := float64(pictures)*seconds - float64(steps)/60; math.Abs(left-a.Alpha()/60) > 1e-9 || !(a.Alpha() >= 0 && a.Alpha() <= 1) {
			t.Errorf("frames of %v s: got=%d steps and %v of a step, want %v s in all", seconds, steps, a.Alpha(), float64(pictures)*seconds)
		}
	}
	a := Accumulator{Dt: 0.1, Most: 3}
	for _, tc := range []struct {
		seconds float64
		steps   int
	}{{0.35, 3}, {0.3, 3}, {0.3, 3}, {0.1, 1}, {0.06, 1}, {2, 3}, {0.09, 0}, {math.Inf(1), 3}, {-1, 0}, {math.NaN(), 0}, {0.25, 2}, {0, 0}} {
		if got := a.Due(tc.seconds); got != tc.steps {
			t.Errorf("%v s: got=%d steps, want=%d", tc.seconds, got, tc.steps)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a step of 0 s: got=no panic, want=a panic")
		}
	}()
	(&Accumulator{}).Due(1)
}
