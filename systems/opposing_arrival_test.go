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

func TestOpposingArrivalRim(t *testing.T) {
	for _, tc := range []struct {
		name     string
		faithful bool
		want     float64 // x after the step
	}{
		{"faithful freezes", true, -2},
		{"safe brakes and goes on", false, -1.875},
	} {
		w := newWalker(xy(-2, 0), xy(0.5, 0), r2.Vec{}, 10, 0)
		w.rig(0.5, []frame.System{&OpposingArrival{Faithful: tc.faithful}, &Integration{}}, opposing(2)).step()
		testkit.Equal(t, w.pos[0].X, tc.want, "%s", tc.name)
	}
}

// TestOpposingArrivalSpeedAndTime verifies that only the safe rule limits the speed, and that the
// faithful rule uses the time constant.
func TestOpposingArrivalSpeedAndTime(t *testing.T) {
	for _, tc := range []struct {
		name     string
		faithful bool
		constant float64
		want     r2.Vec
	}{
		{"faithful", true, 1, xy(4.5, 0)},
		{"safe", false, 1, xy(3.5, 0)},
		{"faithful, 3 s", true, 3, xy(3.5, 0)},
		// A distance of 10 m within 5 s requires 2 m/s, less than the speed of the agent.
		{"faithful, 5 s", true, 5, xy(3-3*0.5/5, 0)},
	} {
		w := newWalker(r2.Vec{}, xy(3, 0), xy(10, 0), 3.5, 0)
		w.rig(0.5, []frame.System{&OpposingArrival{Faithful: tc.faithful}},
			frame.Over([]c.OpposingArrival{{Gain: 1, SlowingRadius: 2, TimeConstant: tc.constant}})).step()
		testkit.Near(t, w.vel[0].Vec, tc.want, 1e-15, "%s", tc.name)
	}
}

// TestOpposingArrivalJumps verifies that a fast agent passes the target with the faithful rule, and stops
// there with the safe rule.
func TestOpposingArrivalJumps(t *testing.T) {
	for _, tc := range []struct {
		name     string
		faithful bool
	}{{"faithful jumps", true}, {"safe stops", false}} {
		w := newWalker(xy(-0.5, 0), xy(6, 0), r2.Vec{}, 10, 0)
		r := w.rig(0.1, []frame.System{&OpposingArrival{Faithful: tc.faithful}, &Integration{}}, opposing(2))
		r.steps(3)
		if passed := w.pos[0].X > 0.5; passed != tc.faithful {
			t.Errorf("%s: passed the target: got=%v at %v, want=%v", tc.name, passed, w.pos[0].X, tc.faithful)
		}
		if !tc.faithful && (!vecWithin(w.pos[0].Vec, r2.Vec{}, 1e-15) || w.vel[0].Vec != (r2.Vec{})) {
			t.Errorf("%s: velocity and position: got=%v at %v, want=0 at the target", tc.name, w.vel[0], w.pos[0])
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
