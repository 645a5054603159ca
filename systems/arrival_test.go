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

func arriveAt(p, v, target r2.Vec, maxSpeed, radius float64) r2.Vec {
	to := vec.Sub(target, p)
	return arrive(to, vec.Norm(to), v, maxSpeed, radius)
}

func TestArrival(t *testing.T) {
	for _, tc := range []struct {
		name             string
		p, v, target     r2.Vec
		maxSpeed, radius float64
		want             r2.Vec
	}{
		{"outside", xy(0, 0), xy(0, 0), xy(30, 40), 5, 10, xy(3, 4)},
		{"on the rim", xy(0, 0), xy(0, 0), xy(6, 8), 5, 10, xy(3, 4)},
		{"half the radius", xy(0, 0), xy(0, 0), xy(3, 4), 5, 10, xy(1.5, 2)},
		{"half the radius, in motion", xy(1, 1), xy(1, -1), xy(4, 5), 5, 10, xy(0.5, 3)},
		{"a tenth of the radius", xy(0, 0), xy(0, 0), xy(0, -1), 8, 10, xy(0, -0.8)},
		{"towards the target, not away", xy(100, 0), xy(0, 0), xy(0, 0), 3, 10, xy(-3, 0)},
		{"at the target", xy(6, 7), xy(2, -3), xy(6, 7), 5, 10, xy(-2, 3)},
		{"R = 0", xy(0, 0), xy(1, 0), xy(3, 4), 5, 0, xy(2, 4)},
		{"R = 0 and d = 0", xy(3, 4), xy(1, 0), xy(3, 4), 5, 0, xy(-1, 0)},
		{"subnormal R", xy(0, 0), xy(0, 0), xy(3, 4), 5, 1e-320, xy(3, 4)},
		{"subnormal R and d = 0", xy(3, 4), xy(0, 0), xy(3, 4), 5, 1e-320, xy(0, 0)},
		{"nearer than any length, and R shorter", xy(0, 0), xy(0, 1), xy(1e-161, 0), 1e200, 1e-160, xy(0, -1)},
		{"huge R", xy(0, 0), xy(0, 0), xy(1e149, 0), 5, 1e150, xy(0.5, 0)},
	} {
		got := arriveAt(tc.p, tc.v, tc.target, tc.maxSpeed, tc.radius)
		testkit.Near(t, got, tc.want, 1e-15*tc.maxSpeed, "%s", tc.name)
		w := newWalker(tc.p, tc.v, tc.target, tc.maxSpeed, inf)
		w.steer[0].Vec = xy(100, 200)
		w.rig(1, []frame.System{&Arrival{}}, frame.Over([]c.Arrival{{Gain: 2, SlowingRadius: tc.radius}})).step()
		testkit.Equal(t, w.steer[0].Vec, vec.AddScaled(xy(100, 200), 2, got), "%s: steering of the system", tc.name)
	}
}

// slowing returns the parameters of DampedArrival and OpposingArrival, with a slowing radius of 2 m.
func slowing(timeConstant float64) []frame.Slice {
	return []frame.Slice{
		frame.Over([]c.DampedArrival{{Gain: 1, SlowingRadius: 2, TimeConstant: timeConstant}}),
		frame.Over([]c.OpposingArrival{{Gain: 1, SlowingRadius: 2, TimeConstant: timeConstant}}),
	}
}

func TestSlowingArrivals(t *testing.T) {
	for _, tc := range []struct {
		name           string
		to, v          r2.Vec
		damped         r2.Vec
		opposing, safe r2.Vec
	}{
		{"outside, slower than the way", xy(10, 0), xy(1, 0), xy(1.5, 0), xy(1.5, 0), xy(1.5, 0)},
		{"outside, faster than the way", xy(3, 0), xy(4, 0), xy(2, 0), xy(2, 0), xy(2, 0)},
		{"outside, sideways", xy(3, 4), xy(3, 0), xy(3, 1.5), xy(3, 1.5), xy(3, 1.5)},
		{"outside, away", xy(10, 0), xy(-2, 0), xy(-1, 0), xy(-1, 0), xy(-1, 0)},
		{"just outside the rim", xy(math.Nextafter(2, 3), 0), xy(1, 0), xy(1.5, 0), xy(1.5, 0), xy(1.5, 0)},
		{"on the rim", xy(2, 0), xy(4, 0), xy(0, 0), xy(0, 0), xy(2, 0)},
		{"on the rim, slow", xy(2, 0), xy(1, 0), xy(1, 0), xy(0, 0), xy(0.5, 0)},
		{"just inside the rim", xy(math.Nextafter(2, 1), 0), xy(4, 0), xy(0, 0), xy(2, 0), xy(2, 0)},
		{"inside, slower than the way", xy(1, 0), xy(0.5, 0), xy(0.5, 0), xy(0.375, 0), xy(0.375, 0)},
		{"inside, as fast as the way", xy(1, 0), xy(1, 0), xy(0.5, 0), xy(0.75, 0), xy(0.75, 0)},
		{"inside, half way", xy(1, 0), xy(4, 0), xy(0, 0), xy(3, 0), xy(3, 0)},
		{"inside, a quarter", xy(0, -0.5), xy(0, -4), xy(0, 0), xy(0, -3.5), xy(0, -3.5)},
		{"inside, past the target", xy(-1, 0), xy(4, 0), xy(0, 0), xy(5, 0), xy(5, 0)},
		{"inside, sideways", xy(1.5, 0), xy(0, 2), xy(0.6, 0.2), xy(-0.75, 2), xy(-0.75, 2)},
		{"at the stop distance", xy(0.001, 0), xy(4, 0), xy(0, 0), xy(0, 0), xy(0, 0)},
		{"just beyond the stop distance", xy(0.0011, 0), xy(4, 0), xy(0, 0), xy(4-0.0011, 0), xy(4-0.0011, 0)},
		{"within the stop distance", xy(0, 0.0005), xy(0, 4), xy(0, 0), xy(0, 0), xy(0, 0)},
		{"at the target", xy(0, 0), xy(4, 0), xy(0, 0), xy(0, 0), xy(0, 0)},
		{"at rest, outside", xy(10, 0), xy(0, 0), xy(0, 0), xy(0, 0), xy(0, 0)},
		{"at rest, inside", xy(1, 0), xy(0, 0), xy(0, 0), xy(0, 0), xy(0, 0)},
	} {
		testkit.Near(t, oppose(tc.to, tc.v, 2, 1, 0.5), tc.safe, 1e-15, "%s, opposing", tc.name)
		for want, system := range map[*r2.Vec]frame.System{&tc.damped: &DampedArrival{Faithful: true}, &tc.opposing: &OpposingArrival{Faithful: true}} {
			w := newWalker(r2.Vec{}, tc.v, tc.to, inf, inf)
			w.rig(0.5, []frame.System{system}, slowing(1)...).step()
			testkit.Near(t, w.vel[0].Vec, *want, 1e-15, "%s, %T", tc.name, system)
		}
	}
}

func TestSlowingArrivalsSpeedAndTime(t *testing.T) {
	for _, tc := range []struct {
		system         frame.System
		constant, want float64
	}{
		{&DampedArrival{Faithful: true}, 1, 4.5}, {&DampedArrival{}, 1, 3.5},
		{&OpposingArrival{Faithful: true}, 1, 4.5}, {&OpposingArrival{}, 1, 3.5}, {&OpposingArrival{Faithful: true}, 3, 3.5},
		{&OpposingArrival{Faithful: true}, 5, 3 - 3*0.5/5}, // 10 m within 5 s require only 2 m/s
	} {
		w := newWalker(r2.Vec{}, xy(3, 0), xy(10, 0), 3.5, 0)
		w.rig(0.5, []frame.System{tc.system}, slowing(tc.constant)...).step()
		testkit.Near(t, w.vel[0].Vec, xy(tc.want, 0), 1e-15, "%T, %v s", tc.system, tc.constant)
	}
}

// TestSlowingArrivalsStop verifies that no agent passes its target, however fast it is.
func TestSlowingArrivalsStop(t *testing.T) {
	for _, tc := range []struct{ x, speed, dt, maxSpeed float64 }{
		{-10, 1, 1. / 60, 3}, {-10, 1, 1. / 60, 20}, {-2, 9, 1. / 60, 20}, {-2, 40, 0.1, 50}, {-100, 8, 0.05, 8}, {-0.5, 6, 0.1, 10},
	} {
		for _, s := range []frame.System{&DampedArrival{}, &OpposingArrival{}} {
			w := newWalker(xy(tc.x, 0), xy(tc.speed, 0), r2.Vec{}, tc.maxSpeed, 0)
			r := w.rig(tc.dt, []frame.System{s, &Integration{}}, slowing(1)...)
			for range int(60 / tc.dt) {
				if r.step(); w.vel[0].X > tc.maxSpeed || w.pos[0].X > 1e-12 {
					t.Fatalf("%T, %v: got=%v m/s at %v, want=at most %v m/s at 0 or less", s, tc, w.vel[0].X, w.pos[0].X, tc.maxSpeed)
				}
			}
			if _, damped := s.(*DampedArrival); damped || tc.speed == 6 {
				testkit.Near(t, w.pos[0].X, 0, 0.0011, "%T, %v: at the end", s, tc)
			}
		}
	}
}
