package systems

import (
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestFullPipeline(t *testing.T) {
	for _, tc := range []struct {
		name                         string
		p, v, force                  r2.Vec
		mass, maxSpeed, maxForce, dt float64
		wantP, wantV                 r2.Vec
	}{
		{"velocity first, then position", xy(0, 0), xy(0, 0), xy(8, 0), 2, inf, inf, 0.5, xy(1, 0), xy(2, 0)},
		{"no force", xy(1, 2), xy(3, 4), xy(0, 0), 2, inf, inf, 0.5, xy(2.5, 4), xy(3, 4)},
		{"force limit before mass", xy(0, 0), xy(0, 0), xy(30, 40), 10, inf, 5, 1, xy(0.3, 0.4), xy(0.3, 0.4)},
		{"speed limit after the force", xy(0, 0), xy(3, 0), xy(3, 8), 1, 5, inf, 1, xy(3, 4), xy(3, 4)},
		{"heavy", xy(0, 0), xy(1, 0), xy(-4, 0), 8, inf, inf, 1, xy(0.5, 0), xy(0.5, 0)},
		{"no time", xy(1, 1), xy(3, 4), xy(5, 5), 1, 9, 9, 0, xy(1, 1), xy(3, 4)},
		{"a maximum speed of 0", xy(1, 1), xy(3, 4), xy(5, 5), 1, 0, 9, 1, xy(1, 1), xy(0, 0)},
		{"a maximum force of 0", xy(1, 1), xy(3, 4), xy(5, 5), 1, inf, 0, 1, xy(4, 5), xy(3, 4)},
		{"subnormal", xy(0, 0), xy(1e-320, 0), xy(0, 0), 1, 5, 5, 1, xy(1e-320, 0), xy(1e-320, 0)},
		{"a huge force", xy(0, 0), xy(0, 0), xy(0, -1e308), 1, inf, 5, 1, xy(0, -5), xy(0, -5)},
		{"a huge speed", xy(0, 0), xy(0, -1e308), xy(0, 0), 1, 5, inf, 1, xy(0, -5), xy(0, -5)},
	} {
		p, v := integrate(tc.p, tc.v, tc.force, tc.mass, c.Limits{MaxSpeed: tc.maxSpeed, MaxForce: tc.maxForce}, tc.dt)
		testkit.Near(t, p, tc.wantP, 1e-15, "%s: position", tc.name)
		testkit.Near(t, v, tc.wantV, 1e-15, "%s: velocity", tc.name)
		w := newWalker(tc.p, tc.v, r2.Vec{}, tc.maxSpeed, tc.maxForce)
		w.steer[0].Vec = tc.force
		w.rig(tc.dt, []frame.System{&Integration{}}, frame.Over([]c.Mass{{Kilograms: tc.mass}})).step()
		w.check(t, p, v, r2.Vec{}, "%s: system", tc.name)
	}
}

func TestOptionalColumns(t *testing.T) {
	pos, vel := []c.Position{{Vec: xy(1, 1)}}, []c.Velocity{{Vec: xy(2, 4)}}
	newRig(0.5, []frame.System{&Integration{}}, frame.Over(pos), frame.Over(vel)).step()
	testkit.Equal(t, pos[0].Vec, xy(2, 3), "without Steering: position")
	testkit.Equal(t, vel[0].Vec, xy(2, 4), "without Steering: velocity")
	steer := []c.Steering{{Vec: xy(300, 0)}}
	newRig(1, []frame.System{&Integration{}}, frame.Over(pos), frame.Over(vel), frame.Over(steer)).step()
	testkit.Equal(t, pos[0].Vec, xy(304, 7), "without Limits and Mass: position")
	testkit.Equal(t, vel[0].Vec, xy(302, 4), "without Limits and Mass: velocity")
}

func TestIntegrationHolds(t *testing.T) {
	for _, tc := range []struct {
		name         string
		hold         bool
		held, resume r2.Vec // velocity during the force, and position after it
	}{
		{"overwritten", false, xy(0, 0), xy(5, 5)},
		{"hold", true, xy(2, 1), xy(7, 6)},
	} {
		// At the target, the steering of Arrival is -v, so the agent stops.
		w := newWalker(xy(5, 5), xy(2, 1), xy(5, 5), 3, inf)
		gain := []c.Arrival{{Gain: 1, SlowingRadius: 10}}
		r := w.rig(1, []frame.System{&Arrival{}, &Integration{Hold: tc.hold}}, frame.Over(gain))
		r.steps(3)
		w.check(t, xy(5, 5), tc.held, r2.Vec{}, "%s: under the force", tc.name)
		gain[0].Gain = 0
		r.step()
		testkit.Equal(t, w.pos[0].Vec, tc.resume, "%s: after it", tc.name)
	}
	w := newWalker(xy(0, 0), xy(3, 0), r2.Vec{}, 5, 4) // with Hold, it moves by a velocity within both limits
	w.steer[0].Vec = xy(0, 400)
	w.rig(1, []frame.System{&Integration{Hold: true}}).step()
	w.check(t, xy(3, 4), xy(3, 0), r2.Vec{}, "hold, with limits")
}

func TestIntegrationLeavesDriveAlone(t *testing.T) {
	s := newStage(t, 1, &Integration{}, &Drive{})
	e := s.Put(c.Position{}, c.Velocity{Vec: xy(50, 50)}, c.Heading{Vec: xy(0, 1)}, c.Drive{Speed: 2}, c.Steering{Vec: xy(9, 9)})
	s.Step()
	testkit.Equal(t, testkit.ComponentOf[c.Position](s, e).Vec, xy(0, 2), "position")
}

func TestIntegrationIsItsFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 7))
	number := func() float64 {
		switch r.IntN(8) {
		case 0:
			return math.Float64frombits(r.Uint64())
		case 1:
			return []float64{0, math.Copysign(0, -1), inf, -inf, nan, 5e-324, 0x1p-480, 0x1p480, math.MaxFloat64}[r.IntN(9)]
		}
		return r.NormFloat64() * 10
	}
	skipped := 0
	for range 40_000 {
		w := newWalker(xy(number(), number()), xy(number(), number()), r2.Vec{}, 0, 0)
		force, lim, mass, dt := xy(number(), number()), c.Limits{MaxSpeed: math.Abs(number()), MaxForce: math.Abs(number())}, number(), math.Abs(r.NormFloat64())
		w.steer[0].Vec, w.limits[0] = force, lim
		p, v := w.pos[0].Vec, w.vel[0].Vec
		wantP, wantV := integrate(p, v, force, mass, lim, dt)
		if !vec.Finite(wantP) || !(mass > 0 && lim.MaxForce >= 0 && lim.MaxSpeed >= 0) {
			wantP, wantV = p, v
			skipped++
		}
		w.rig(dt, []frame.System{&Integration{}}, frame.Over([]c.Mass{{Kilograms: mass}})).step()
		if got, want := bits(w.pos[0].Vec, w.vel[0].Vec), bits(wantP, wantV); got != want {
			t.Fatalf("p %v, v %v, force %v, %+v, mass %v, dt %v: got=%v, %v, want=%v, %v",
				p, v, force, lim, mass, dt, w.pos[0].Vec, w.vel[0].Vec, wantP, wantV)
		}
	}
	if skipped < 1000 || skipped > 39_000 {
		t.Errorf("skipped rows: got=%d, want=1000 to 39000, or too little is tested", skipped)
	}
}

func bits(a, b r2.Vec) [4]uint64 {
	return [4]uint64{math.Float64bits(a.X), math.Float64bits(a.Y), math.Float64bits(b.X), math.Float64bits(b.Y)}
}

func seekAt(p, v, target r2.Vec, maxSpeed float64) r2.Vec {
	to := vec.Sub(target, p)
	return seek(to, vec.Norm(to), v, maxSpeed)
}

func TestSeek(t *testing.T) {
	for _, tc := range []struct {
		name         string
		p, v, target r2.Vec
		maxSpeed     float64
		want         r2.Vec
	}{
		{"at rest", xy(1, 1), xy(0, 0), xy(4, 5), 10, xy(6, 8)},
		{"in motion", xy(0, 0), xy(1, 0), xy(3, 4), 5, xy(2, 4)},
		{"at full speed", xy(0, 0), xy(3, 4), xy(6, 8), 5, xy(0, 0)},
		{"away", xy(0, 0), xy(-5, 0), xy(1, 0), 5, xy(10, 0)},
		{"near as far", xy(0, 0), xy(0, 0), xy(0, -0.001), 2, xy(0, -2)},
		{"at the target", xy(7, 7), xy(2, -1), xy(7, 7), 5, xy(-2, 1)},
		{"at the target, at rest", xy(7, 7), xy(0, 0), xy(7, 7), 5, xy(0, 0)},
		{"no top speed", xy(0, 0), xy(2, 1), xy(9, 9), 0, xy(-2, -1)},
		{"nearer than any length", xy(0, 0), xy(0, 1), xy(-1e-150, 0), 5, xy(0, -1)},
		{"huge distance", xy(0, 0), xy(0, 1), xy(0, 1e308), 5, xy(0, 4)},
	} {
		testkit.Near(t, seekAt(tc.p, tc.v, tc.target, tc.maxSpeed), tc.want, 1e-15, "%s", tc.name)
		if tc.maxSpeed == 0 {
			continue
		}
		w := newWalker(tc.p, tc.v, tc.target, tc.maxSpeed, inf)
		w.steer[0].Vec = xy(100, 200)
		w.rig(1, []frame.System{&Seek{}}, frame.Over([]c.Seek{{Gain: 2}})).step()
		testkit.Near(t, w.steer[0].Vec, r2.Add(xy(100, 200), r2.Scale(2, tc.want)), 1e-12, "%s: steering of the system", tc.name)
	}
}

func TestKinematicSeek(t *testing.T) {
	for _, tc := range []struct {
		name      string
		p, target r2.Vec
		speed     float64
		want      r2.Vec
	}{
		{"straight", xy(0, 0), xy(30, 40), 5, xy(3, 4)},
		{"left", xy(2, 1), xy(-9, 1), 5, xy(-5, 0)},
		{"at the target", xy(2, 1), xy(2, 1), 5, xy(0, 0)},
		{"half the speed", xy(0, 0), xy(30, 40), 2.5, xy(1.5, 2)},
	} {
		testkit.Equal(t, kinematicSeek(tc.p, tc.target, tc.speed), tc.want, "%s", tc.name)
		w := newWalker(tc.p, xy(-1, 7), tc.target, 5, 0)
		w.rig(1, []frame.System{&KinematicSeek{}}, frame.Over([]c.KinematicSeek{{Gain: tc.speed / 5}})).step()
		testkit.Equal(t, w.vel[0].Vec, tc.want, "%s: velocity by the system", tc.name)
	}
}

func direction(degrees float64) r2.Vec {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return xy(cos, sin)
}

func turnBy(system frame.System, p, heading r2.Vec, dt float64, par ...frame.Slice) r2.Vec {
	h := []c.Heading{{Vec: heading}}
	newRig(dt, []frame.System{system}, append(par, frame.Over([]c.Position{{Vec: p}}), frame.Over(h))...).step()
	return h[0].Vec
}

func TestTurning(t *testing.T) {
	for _, tc := range []struct {
		name              string
		h, to, turn, want float64 // degrees
	}{
		{"left", 0, 90, 30, 30},
		{"right", 0, -90, 30, -30},
		{"within the limit", 0, 20, 30, 20},
		{"exactly the limit", 10, 40, 30, 40},
		{"there already", 55, 55, 30, 55},
		{"across π, to the left", 170, -170, 15, -175},
		{"across π, to the left, within the limit", 170, -170, 30, -170},
		{"across -π, to the right", -170, 170, 15, 175},
		{"across -π, to the right, within the limit", -170, 170, 30, 170},
		{"at exactly 180°, left", 0, 180, 30, 30},
		{"at exactly 180°, left, heading up", 90, -90, 30, 120},
		{"just short of 180°, on the right", 0, -179, 30, -30},
		{"just short of 180°, on the left", 0, 179, 30, 30},
		{"no turn", 0, 90, 0, 0},
		{"a half turn at once", 0, 180, 180, 180},
		{"more than a whole turn", 0, 123, 400, 123},
	} {
		p, way, rate := xy(3, -2), vec.Scale(5, exactDirection(tc.to)), 2*tc.turn*math.Pi/180
		got := turnBy(&TurnTowards{}, p, exactDirection(tc.h), 0.5, frame.Over([]c.Target{{Vec: vec.Add(p, way)}}), frame.Over([]c.TurnTowards{{Rate: rate}}))
		testkit.Near(t, got, direction(tc.want), 1e-14, "%s, towards", tc.name)
		got = turnBy(&TurnAway{}, p, exactDirection(tc.h), 0.5, frame.Over([]c.Flee{{From: vec.Sub(p, way)}}), frame.Over([]c.TurnAway{{Rate: rate}}))
		testkit.Near(t, got, direction(tc.want), 1e-14, "%s, away", tc.name)
	}
}

// exactDirection is direction without rounding on the axes.
func exactDirection(degrees float64) r2.Vec {
	switch degrees {
	case 0:
		return xy(1, 0)
	case 90:
		return xy(0, 1)
	case -90:
		return xy(0, -1)
	case 180:
		return xy(-1, 0)
	}
	return direction(degrees)
}

func TestTurnsNear(t *testing.T) {
	got := turnBy(&TurnTowards{}, xy(4, 5), xy(0.6, 0.8), 1, frame.Over([]c.Target{{Vec: xy(4, 5)}}), frame.Over([]c.TurnTowards{{Rate: 1}}))
	testkit.Equal(t, got, xy(0.6, 0.8), "heading at the target")
	for x, turns := range map[float64]bool{0: false, 4.9: true, 5: true, 5.001: false} {
		got := turnBy(&TurnAway{}, xy(x, 0), xy(0, 1), 1, frame.Over([]c.Flee{{Radius: 5}}), frame.Over([]c.TurnAway{{Rate: 1}}))
		testkit.Equal(t, got != xy(0, 1), turns, "x=%v: turns", x)
	}
}

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

func TestOpposingArrivalSpeedAndTime(t *testing.T) {
	for _, tc := range []struct {
		faithful       bool
		constant, want float64
	}{
		{true, 1, 4.5}, {false, 1, 3.5}, {true, 3, 3.5},
		{true, 5, 3 - 3*0.5/5}, // 10 m within 5 s require only 2 m/s
	} {
		w := newWalker(r2.Vec{}, xy(3, 0), xy(10, 0), 3.5, 0)
		w.rig(0.5, []frame.System{&OpposingArrival{Faithful: tc.faithful}},
			frame.Over([]c.OpposingArrival{{Gain: 1, SlowingRadius: 2, TimeConstant: tc.constant}})).step()
		testkit.Near(t, w.vel[0].Vec, xy(tc.want, 0), 1e-15, "faithful %v, %v s", tc.faithful, tc.constant)
	}
}

// With the faithful rule, an agent stops for good on the rim, and a fast agent passes the target.
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
