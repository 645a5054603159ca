package walking

import (
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func TestGap(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		name                 string
		along, beside, reach float64
		want                 float64
	}{
		{"straight ahead", 2, 0, 0.5, 1.5},
		{"touching", 0.5, 0, 0.5, 0},
		{"overlapping", 0.3, 0, 0.5, -0.2},
		{"half beside", 2, 0.25, 0.5, (2 - 0.5*math.Sqrt(0.75)) / math.Pow(0.75, 1.5)},
		{"just beside", 2, 0.5, 0.5, inf},
		{"far beside", 2, 3, 0.5, inf},
		{"points", 2, 0, 0, inf},
	} {
		if got := gap(tc.along, tc.beside, tc.reach); got != tc.want && !(math.Abs(got-tc.want) < 1e-15) {
			t.Errorf("%s: got=%v, want=%v", tc.name, got, tc.want)
		}
	}
}

func TestOwnTimeGap(t *testing.T) {
	for _, tc := range []struct{ free, want float64 }{{usualSpeed, 0.5}, {usualSpeed / 4, 1}, {4 * usualSpeed, 0.25}} {
		testkit.Near(t, ownTimeGap(0.5, tc.free), tc.want, 1e-15, "time gap at %v m/s", tc.free)
	}
}
