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

// arriving returns the distances to the target, negative past it, of an agent that starts at distance 1
// with the desired velocity. A step removes the share tau of the error; maxSpeed·dt/R is k.
func arriving(k, tau float64, steps int) []float64 {
	const dt, radius = 0.5, 1024
	maxSpeed := k * radius / dt
	w := newWalker(xy(-1, 0), xy(maxSpeed/radius, 0), r2.Vec{}, maxSpeed, inf)
	r := w.rig(dt, []frame.System{&Arrival{}, &Integration{}}, frame.Over([]c.Arrival{{Gain: tau / dt, SlowingRadius: radius}}))
	d := []float64{1}
	for range steps {
		r.step()
		d = append(d, -w.pos[0].X)
	}
	return d
}

func TestArrivalStability(t *testing.T) {
	for _, k := range []float64{0.1, 0.5, 0.9, 1, 1.25, 1.9, 2, 2.5} {
		d := arriving(k, 1, 60)
		for i := range d[1:] {
			if want := d[i] * (1 - k); !within(d[i+1], want, 1e-12*math.Abs(d[i])) && math.Abs(d[i]) < 512 {
				t.Fatalf("k=%v, step %d: d(1-k): got=%v, want=%v", k, i+1, d[i+1], want)
			}
			shrinks, crosses := math.Abs(d[i+1]) < math.Abs(d[i]), d[i+1]*d[i] < 0
			switch {
			case k < 1 && (!shrinks || crosses):
				t.Fatalf("k=%v, step %d: got=%v after %v, want=smaller, on the same side", k, i+1, d[i+1], d[i])
			case k == 1 && d[i+1] != 0:
				t.Fatalf("k=1, step %d: got=%v, want=0 exactly", i+1, d[i+1])
			case k > 1 && k < 2 && (!shrinks || !crosses):
				t.Fatalf("k=%v, step %d: got=%v after %v, want=smaller, on the other side", k, i+1, d[i+1], d[i])
			case k >= 2 && math.Abs(d[i+1]) < 1:
				t.Fatalf("k=%v, step %d: got=%v, want=never nearer than 1", k, i+1, d[i+1])
			}
		}
	}
}

// The arrival is stable if and only if tau < 2 and k < 4/tau - 2.
func TestArrivalStabilityWithMass(t *testing.T) {
	swing := func(k, tau float64) float64 { return largest(arriving(k, tau, 4000)[3900:]) }
	for _, tau := range []float64{0.05, 0.25, 0.5, 1, 1.5, 1.9} {
		for _, share := range []float64{0.5, 0.97, 1.03, 1.5} {
			d := swing(share*(4/tau-2), tau)
			if stable := share < 1; stable && !(d < 0.5) || !stable && !(d > 2) {
				t.Errorf("tau=%v, k=%v times the limit: swing: got=%v, want=below 0.5 if that is below 1, and else above 2", tau, share, d)
			}
		}
	}
	for _, tau := range []float64{2, 2.1, 3} {
		if d := swing(0.01, tau); !(d > 0.9) {
			t.Errorf("tau=%v, k=0.01: swing: got=%v, want=above 0.9", tau, d)
		}
	}
}

func TestArrivalOvershootWithMass(t *testing.T) {
	for _, tc := range []struct{ radius, want float64 }{
		{100, 310.5},
		{50, 318.5},
		{240, 300}, // 4·m·maxSpeed/g: no overshoot
		{300, 300},
	} {
		w := newWalker(xy(0, 0), xy(0, 0), xy(300, 0), 3, 5.4)
		r := w.rig(1, []frame.System{&Arrival{}, &Integration{}},
			frame.Over([]c.Arrival{{Gain: 1, SlowingRadius: tc.radius}}), frame.Over([]c.Mass{{Kilograms: 20}}))
		peak := 0.
		for range 3000 {
			r.step()
			peak = max(peak, w.pos[0].X)
		}
		if !within(peak, tc.want, 0.05) {
			t.Errorf("R=%v: peak: got=%v, want=%v", tc.radius, peak, tc.want)
		}
		if !within(w.pos[0].X, 300, 1e-6) {
			t.Errorf("R=%v: at the end: got=%v, want=300", tc.radius, w.pos[0].X)
		}
	}
}

func largest(xs []float64) float64 {
	m := 0.
	for _, x := range xs {
		m = max(m, math.Abs(x))
	}
	return m
}

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

// coming runs an agent toward a target at 0. It returns the maximum speed and x, and the agent.
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

// In the zone of 2 m, a fast agent loses 2 m/s per meter. Above 4 m/s, it overshoots by half a meter
// for each m/s, and strands there.
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
