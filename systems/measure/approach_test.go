package measure

import (
	"math"
	"testing"
)

// Closest approach of two movers is a time, not a distance.
func TestFaultClosestApproach(t *testing.T) {
	when, d := approach(xy(10, 5), xy(-2, 0), math.Inf(1))
	if when != 5 || d != 5 {
		t.Errorf("got=%v s, %v m, want=5 s, 5 m", when, d)
	}
}
