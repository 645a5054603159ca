package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
)

func TestSmoothArrival(t *testing.T) {
	for _, tc := range []struct {
		name            string
		d, near, far    float64
		want, tolerance float64 // as a share of the full speed
	}{
		{"beyond", 81, 17, 80, 1, 0},
		{"at max", 80, 17, 80, 1, 0},
		{"three quarters", 64.25, 17, 80, 0.84375, 1e-15},
		{"half", 48.5, 17, 80, 0.5, 0},
		{"a quarter", 32.75, 17, 80, 0.15625, 1e-15},
		{"at min", 17, 17, 80, 0, 0},
		{"below min", 10, 17, 80, 0, 0},
		{"at the target, where s²(3-2s) without clamping is 0.258", 0, 17, 80, 0, 0},
		{"min == max, beyond", 17.5, 17, 17, 1, 0},
		{"min == max, on it", 17, 17, 17, 0, 0},
		{"min == max, within", 16, 17, 17, 0, 0},
		{"both zero, at the target", 0, 0, 0, 0, 0},
		{"both zero, beyond", 1e-320, 0, 0, 1, 0},
		{"distance NaN", math.NaN(), 17, 80, 0, 0},
	} {
		for _, speed := range []float64{1, 120} {
			got := smoothSpeed(tc.d, speed, tc.near, tc.far)
			testkit.Near(t, got, tc.want*speed, tc.tolerance*speed, "%s: speed", tc.name)
			if math.IsNaN(tc.d) {
				continue
			}
			p, target := xy(0, 0), xy(0, tc.d)
			arrival := []c.SmoothArrival{{Gain: 2, Min: tc.near, Max: tc.far}}
			drive := []c.Drive{{Speed: 7, TopSpeed: speed}}
			newRig(1, []frame.System{&SmoothArrival{}}, frame.Over([]c.Position{{Vec: p}}), frame.Over([]c.Target{{Vec: target}}),
				frame.Over(arrival), frame.Over(drive)).step()
			if drive[0].Speed != got || drive[0].TopSpeed != speed {
				t.Errorf("%s: Drive: got=%+v, want={%v %v}", tc.name, drive[0], got, speed)
			}
			w := newWalker(p, xy(1, 2), target, speed, inf)
			w.rig(1, []frame.System{&SmoothArrival{}}, frame.Over(arrival)).step()
			want := vec.Scale(2, vec.Sub(vec.WithNorm(target, got), xy(1, 2)))
			testkit.Equal(t, w.steer[0].Vec, want, "%s: Steering", tc.name)
		}
	}
}

// TestSmoothArrivalIsMonotone verifies that the speed is never lower at a larger distance, and never
// exceeds the top speed.
func TestSmoothArrivalIsMonotone(t *testing.T) {
	before := 0.
	for i := range 10001 {
		got := smoothSpeed(float64(i)/100, 7, 17, 80)
		if got < before-1e-15 || got > 7 {
			t.Fatalf("d=%v: got=%v, want=%v to 7", float64(i)/100, got, before)
		}
		before = got
	}
}

// TestSmoothArrivalWithoutColumns verifies that agents with neither Drive nor Steering cause no panic.
func TestSmoothArrivalWithoutColumns(*testing.T) {
	newRig(1, []frame.System{&SmoothArrival{}}, frame.Over([]c.Position{{}}), frame.Over([]c.Target{{Vec: xy(5, 0)}}), frame.Over([]c.SmoothArrival{{Gain: 1}})).step()
}
