package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestDampedArrival(t *testing.T) {
	const radius, share = 2, 0.5
	for _, tc := range []struct {
		name  string
		to, v r2.Vec
		want  r2.Vec
	}{
		{"outside, slower than the way", xy(10, 0), xy(1, 0), xy(1.5, 0)},
		{"outside, faster than the way", xy(3, 0), xy(4, 0), xy(2, 0)},
		{"outside, sideways", xy(3, 4), xy(3, 0), xy(3, 1.5)},
		{"just outside the rim", xy(math.Nextafter(2, 3), 0), xy(1, 0), xy(1.5, 0)},
		{"the rim is inside", xy(2, 0), xy(1, 0), xy(1, 0)},
		{"the rim is inside, fast", xy(2, 0), xy(4, 0), xy(0, 0)},
		{"inside, slower than the way", xy(1, 0), xy(0.5, 0), xy(0.5, 0)},
		{"inside, faster than the way", xy(1, 0), xy(4, 0), xy(0, 0)},
		{"inside, sideways", xy(1.5, 0), xy(0, 2), xy(0.6, 0.2)},
		{"at the target", xy(0, 0), xy(4, 0), xy(0, 0)},
		{"as fast as the way", xy(1, 0), xy(1, 0), xy(0.5, 0)},
		{"at rest, outside", xy(10, 0), xy(0, 0), xy(0, 0)},
		{"at rest, inside", xy(1, 0), xy(0, 0), xy(0, 0)},
	} {
		testkit.Near(t, damp(tc.to, tc.v, radius, 1, share), tc.want, 1e-15, "%s", tc.name)
		w := newWalker(r2.Vec{}, tc.v, tc.to, inf, inf)
		w.rig(share, []frame.System{&DampedArrival{Faithful: true}}, damped(radius)).step()
		testkit.Near(t, w.vel[0].Vec, tc.want, 1e-15, "%s, system", tc.name)
	}
}

func damped(radius float64) frame.Slice {
	return frame.Over([]c.DampedArrival{{Gain: 1, SlowingRadius: radius, TimeConstant: 1}})
}

// coming runs an agent on the x axis toward the target at 0 for a minute, with a slowing radius of 2 m.
// It returns the maximum speed, the maximum x and the agent at the end.
func coming(x, speed, dt, maxSpeed float64, faithful bool) (peak, farthest float64, w *walker) {
	w = newWalker(xy(x, 0), xy(speed, 0), r2.Vec{}, maxSpeed, 0)
	r := w.rig(dt, []frame.System{&DampedArrival{Faithful: faithful}, &Integration{}}, damped(2))
	farthest = x
	for range int(60 / dt) {
		r.step()
		peak, farthest = max(peak, w.vel[0].X), max(farthest, w.pos[0].X)
	}
	return peak, farthest, w
}

func TestDampedSafe(t *testing.T) {
	for _, tc := range []struct{ x, speed, dt, maxSpeed float64 }{
		{-10, 1, 1. / 60, 3}, {-10, 1, 1. / 60, 20}, {-2, 9, 1. / 60, 20}, {-2, 40, 0.1, 50}, {-100, 8, 0.05, 8},
	} {
		peak, farthest, w := coming(tc.x, tc.speed, tc.dt, tc.maxSpeed, false)
		if peak > tc.maxSpeed {
			t.Errorf("%v: peak: got=%v, want=at most %v", tc, peak, tc.maxSpeed)
		}
		if farthest > 1e-12 {
			t.Errorf("%v: farthest: got=%v, want=0 or less", tc, farthest)
		}
		testkit.Near(t, w.pos[0].X, 0, 0.0011, "%v: at the end", tc)
	}
}

func TestDampedSpeedLimit(t *testing.T) {
	for _, tc := range []struct {
		faithful bool
		want     float64
	}{{true, 4.5}, {false, 3.5}} {
		w := newWalker(r2.Vec{}, xy(3, 0), xy(10, 0), 3.5, 0)
		w.rig(0.5, []frame.System{&DampedArrival{Faithful: tc.faithful}}, damped(2)).step()
		testkit.Equal(t, w.vel[0].Vec, xy(tc.want, 0), "faithful %v", tc.faithful)
	}
}

// TestDampedStrands verifies the overshoot of the faithful rule with a radius of 2 m. Inside the zone, a
// fast agent loses 2 m/s per meter. If it enters faster than 4 m/s, it overshoots by half a meter for each
// m/s above that, and strands there.
func TestDampedStrands(t *testing.T) {
	for _, tc := range []struct{ speed, want float64 }{
		{5, 0.5}, {4.5, 0.25}, {6, 1}, {4, 0}, {3, 0}, {2, 0}, {0.5, 0},
	} {
		_, farthest, w := coming(-2, tc.speed, 1e-3, inf, true)
		if !within(farthest, tc.want, 0.01) {
			t.Errorf("entering at %v m/s: farthest: got=%v, want=%v", tc.speed, farthest, tc.want)
		}
		if !within(w.pos[0].X, tc.want, 0.01) || !within(w.vel[0].X, 0, 1e-6) {
			t.Errorf("entering at %v m/s: at the end: got=%v at %v, want=0 at %v", tc.speed, w.vel[0].X, w.pos[0].X, tc.want)
		}
	}
}
