package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
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
			testkit.Equal(t, drive[0], c.Drive{Speed: got, TopSpeed: speed}, "%s: Drive", tc.name)
			w := newWalker(p, xy(1, 2), target, speed, inf)
			w.rig(1, []frame.System{&SmoothArrival{}}, frame.Over(arrival)).step()
			want := vec.Scale(2, vec.Sub(vec.WithNorm(target, got), xy(1, 2)))
			testkit.Equal(t, w.steer[0].Vec, want, "%s: Steering", tc.name)
		}
	}
}

// TestSmoothArrivalIsMonotone verifies that speed never falls with distance, and never exceeds the top speed.
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

func TestOpposingArrival(t *testing.T) {
	const radius, share = 2, 0.5
	for _, tc := range []struct {
		name           string
		to, v          r2.Vec
		faithful, safe r2.Vec
	}{
		{"outside, slower than the way", xy(10, 0), xy(1, 0), xy(1.5, 0), xy(1.5, 0)},
		{"outside, faster than the way", xy(3, 0), xy(4, 0), xy(2, 0), xy(2, 0)},
		{"outside, sideways", xy(3, 4), xy(3, 0), xy(3, 1.5), xy(3, 1.5)},
		{"outside, away", xy(10, 0), xy(-2, 0), xy(-1, 0), xy(-1, 0)},
		{"inside, half way", xy(1, 0), xy(4, 0), xy(3, 0), xy(3, 0)},
		{"inside, a quarter", xy(0, -0.5), xy(0, -4), xy(0, -3.5), xy(0, -3.5)},
		{"inside, past the target", xy(-1, 0), xy(4, 0), xy(5, 0), xy(5, 0)},
		{"just outside the rim", xy(math.Nextafter(2, 3), 0), xy(1, 0), xy(1.5, 0), xy(1.5, 0)},
		{"on the rim", xy(2, 0), xy(4, 0), xy(0, 0), xy(2, 0)},
		{"just inside the rim", xy(math.Nextafter(2, 1), 0), xy(4, 0), xy(2, 0), xy(2, 0)},
		{"at the stop distance", xy(0.001, 0), xy(4, 0), xy(0, 0), xy(0, 0)},
		{"just beyond the stop distance", xy(0.0011, 0), xy(4, 0), xy(4-0.0011, 0), xy(4-0.0011, 0)},
		{"within the stop distance", xy(0, 0.0005), xy(4, 0), xy(0, 0), xy(0, 0)},
		{"at the target", xy(0, 0), xy(4, 0), xy(0, 0), xy(0, 0)},
		{"at rest, outside", xy(10, 0), xy(0, 0), xy(0, 0), xy(0, 0)},
		{"at rest, inside", xy(1, 0), xy(0, 0), xy(0, 0), xy(0, 0)},
	} {
		testkit.Near(t, opposeFaithful(tc.to, tc.v, radius, 1, share), tc.faithful, 1e-15, "%s, faithful", tc.name)
		testkit.Near(t, oppose(tc.to, tc.v, radius, 1, share), tc.safe, 1e-15, "%s, safe", tc.name)
		w := newWalker(r2.Vec{}, tc.v, tc.to, inf, inf)
		w.rig(share, []frame.System{&OpposingArrival{Faithful: true}}, opposing(radius)).step()
		testkit.Near(t, w.vel[0].Vec, tc.faithful, 1e-15, "%s, system", tc.name)
	}
}

func opposing(radius float64) frame.Slice {
	return frame.Over([]c.OpposingArrival{{Gain: 1, SlowingRadius: radius, TimeConstant: 1}})
}

// TestOpposingArrivalSpeedAndTime verifies that only the safe rule limits speed, and the use of the time constant.
func TestOpposingArrivalSpeedAndTime(t *testing.T) {
	for _, tc := range []struct {
		faithful       bool
		constant, want float64
	}{
		{true, 1, 4.5}, {false, 1, 3.5}, {true, 3, 3.5},
		{true, 5, 3 - 3*0.5/5}, // 10 m within 5 s requires 2 m/s, less than the speed of the agent
	} {
		w := newWalker(r2.Vec{}, xy(3, 0), xy(10, 0), 3.5, 0)
		w.rig(0.5, []frame.System{&OpposingArrival{Faithful: tc.faithful}},
			frame.Over([]c.OpposingArrival{{Gain: 1, SlowingRadius: 2, TimeConstant: tc.constant}})).step()
		testkit.Near(t, w.vel[0].Vec, xy(tc.want, 0), 1e-15, "faithful %v, %v s", tc.faithful, tc.constant)
	}
}

// TestOpposingArrivalMoves verifies that, with the faithful rule, an agent stops for good on the rim, and a fast agent
// passes the target, but that, with the safe rule, the agent goes on, and rests at the target.
func TestOpposingArrivalMoves(t *testing.T) {
	for _, tc := range []struct {
		name         string
		faithful     bool
		x, speed, dt float64
		steps        int
		least, most  float64 // x after the steps
	}{
		{"faithful freezes", true, -2, 0.5, 0.5, 1, -2, -2},
		{"safe brakes and goes on", false, -2, 0.5, 0.5, 1, -1.875, -1.875},
		{"faithful jumps", true, -0.5, 6, 0.1, 3, 0.5, inf},
		{"safe stops", false, -0.5, 6, 0.1, 3, -1e-15, 1e-15},
	} {
		w := newWalker(xy(tc.x, 0), xy(tc.speed, 0), r2.Vec{}, 10, 0)
		w.rig(tc.dt, []frame.System{&OpposingArrival{Faithful: tc.faithful}, &Integration{}}, opposing(2)).steps(tc.steps)
		p, v := w.pos[0].Vec, w.vel[0].Vec
		if !(p.X >= tc.least && p.X <= tc.most) || p.Y != 0 || within(p.X, 0, 1e-15) && v != (r2.Vec{}) {
			t.Errorf("%s: got=%v at %v, want=x from %v to %v, and rest at the target", tc.name, v, p, tc.least, tc.most)
		}
	}
}

func TestStopAtTarget(t *testing.T) {
	for _, tc := range []struct {
		name  string
		to, v r2.Vec
		want  r2.Vec
	}{
		{"short of it", xy(2, 0), xy(1, 0), xy(1, 0)},
		{"exactly there", xy(2, 0), xy(4, 0), xy(4, 0)},
		{"past it", xy(2, 0), xy(9, 0), xy(4, 0)},
		{"past it on one side", xy(2, 0), xy(9, 1), xy(4, 0)},
		{"away", xy(2, 0), xy(-9, 0), xy(-9, 0)},
		{"there", xy(0, 0), xy(9, 0), xy(0, 0)},
		{"in the stop ball", xy(0.001, 0), xy(9, 0), xy(0, 0)},
		{"too far to square", xy(1e200, 0), xy(1e150, 0), xy(1e150, 0)},
	} {
		got := stopAtTarget(tc.to, tc.v, 0.5)
		testkit.Equal(t, got, tc.want, "%s", tc.name)
		if vec.Norm(got) > vec.Norm(tc.v) {
			t.Errorf("%s: speed: got=%v, want=at most %v", tc.name, vec.Norm(got), vec.Norm(tc.v))
		}
	}
}
