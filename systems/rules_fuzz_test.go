package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// FuzzRules verifies for any input that the systems keep a finite state finite and within its limits,
// and for input up to 1e150 that the rules themselves give finite vectors within their limits.
func FuzzRules(f *testing.F) {
	for _, x := range []float64{0, 1, -3, 0.1, 1e-320, 1e-160, 1e150, 1e308, inf, nan} {
		f.Add(0., 0., x, -x, 5., x, 0.6, 3., x, 2., 1., 0.1)
		f.Add(x, 1., 2., 0., x, 1., -0.6, x, 4., x, x, x)
	}
	f.Add(-53., 1., 144., -95., 1e-320, -26., -0.6, 1e-320, 82., 1e-320, 2e-321, 1e-320)
	f.Add(3., -7., 1., 2., 40., 90., 0.3, 1.4e-321, 5., 1., 1., 0.1)
	f.Add(3., -7., 1., 2., 40., 90., 0.3, 3e-308, 5., 1., 1., 0.1)
	f.Fuzz(func(t *testing.T, px, py, vx, vy, tx, ty, angle, maxSpeed, radius, mass, constant, dt float64) {
		x := input{p: xy(px, py), v: xy(vx, vy), t: xy(tx, ty), force: xy(ty, vx), maxSpeed: maxSpeed,
			radius: radius, mass: mass, constant: constant, dt: dt}
		sin, cos := vec.SinCos(angle)
		x.h = vec.Unit(xy(cos, sin))
		fuzzRules(t, x)
		fuzzSystems(t, x)
	})
}

// fuzzRules checks each rule separately, on valid input.
func fuzzRules(t *testing.T, x input) {
	const most = 1e150
	for _, n := range []float64{vec.Norm(x.p), vec.Norm(x.v), vec.Norm(x.t), x.maxSpeed, x.radius} {
		if !(n >= 0 && n <= most) {
			return
		}
	}
	// The mass, the time constant and the time step are from a thousandth to a thousand.
	for _, n := range []*float64{&x.mass, &x.constant, &x.dt} {
		if !(math.Abs(*n) <= most) {
			return
		}
		*n = max(1e-3, math.Mod(math.Abs(*n), 1e3))
	}
	if x.radius < 1e-150 { // the square of the radius loses all digits
		x.radius = 0
	}
	for i := range rules {
		rules[i].check(t, x)
	}
}

// fuzzSystems checks that systems keep a finite state finite, and speeds within the limit.
func fuzzSystems(t *testing.T, x input) {
	if !vec.Finite(x.p) || !vec.Finite(x.v) || !(x.dt >= 0) || math.IsInf(x.dt, 1) {
		return
	}
	w := newWalker(x.p, x.v, x.t, x.maxSpeed, x.radius)
	w.steer[0].Vec = x.force
	heading, drive := []c.Heading{{Vec: x.h}}, []c.Drive{{Speed: x.maxSpeed, TopSpeed: x.maxSpeed}}
	more := []frame.Slice{frame.Over(heading), frame.Over([]c.Mass{{Kilograms: x.mass}}), frame.Over([]c.Seek{{Gain: x.mass}}),
		frame.Over([]c.KinematicSeek{{Gain: x.constant}}), frame.Over([]c.Flee{{From: x.t, Gain: x.mass, Radius: x.radius}}),
		frame.Over([]c.Arrival{{Gain: x.constant, SlowingRadius: x.radius}}),
		frame.Over([]c.OpposingArrival{{Gain: x.mass, SlowingRadius: x.radius, TimeConstant: x.constant}}),
		frame.Over([]c.DampedArrival{{Gain: x.mass, SlowingRadius: x.radius, TimeConstant: x.constant}}),
		frame.Over([]c.SmoothArrival{{Gain: x.mass, Min: x.constant, Max: x.radius}}),
		frame.Over([]c.Threat{{Normal: x.force, Obstacle: someEntity()}}), frame.Over([]c.Avoidance{{MaxForce: x.constant}}),
		frame.Over([]c.Facing{{Rate: x.constant}}), frame.Over([]c.TurnTowards{{Rate: x.mass}}), frame.Over([]c.TurnAway{{Rate: x.mass}})}
	more = append(more, frame.Over([]c.Quarry{{At: x.t, Velocity: x.force, Seen: true}}), frame.Over([]c.Pursuer{{At: x.t, Velocity: x.force, Seen: true}}),
		frame.Over([]c.Pursuit{{Gain: x.mass, Horizon: x.constant}}), frame.Over([]c.Evasion{{Gain: x.mass, Horizon: x.radius, Radius: x.constant}}),
		frame.Over([]c.OffsetPursuit{{Gain: x.mass, Horizon: x.constant, Distance: x.radius}}),
		frame.Over([]c.Wander{{Gain: x.mass, Distance: x.constant, Radius: x.radius, Rate: x.constant}}),
		frame.Over([]c.Containment{{Gain: x.mass, Horizon: x.constant, Box: r2.Box{Min: x.force, Max: x.t}}}),
		frame.Over([]c.WallFollowing{{Gain: x.mass, Horizon: x.constant, Offset: x.radius, Range: x.maxSpeed}}))
	box := r2.Box{Min: xy(-100, -100), Max: xy(100, 100)}
	systems := []frame.System{&KinematicSeek{}, &OpposingArrival{}, &OpposingArrival{Faithful: true}, &DampedArrival{},
		&DampedArrival{Faithful: true}, &Seek{}, &Flee{}, &Arrival{}, &SmoothArrival{}, &Avoidance{}, &Facing{}, &Facing{Faithful: true}, &TurnTowards{}, &TurnAway{}}
	index := someObstacles()
	for mode := PredictMeeting; mode <= PredictBearing; mode++ {
		systems = append(systems, &Pursuit{Prediction: mode}, &Evasion{Prediction: mode}, &OffsetPursuit{Prediction: mode})
	}
	for _, faithful := range []bool{false, true} {
		systems = append(systems, &Containment{Obstacles: index, Faithful: faithful}, &WallFollowing{Obstacles: index, Faithful: faithful})
	}
	systems = append(systems, &Wander{})
	for mode := BoundsNone; mode <= BoundsClamp; mode++ {
		systems = append(systems, &Bounds{Mode: mode, Box: box})
	}
	check := func(s frame.System) {
		for _, v := range []r2.Vec{w.pos[0].Vec, w.vel[0].Vec, heading[0].Vec} {
			if !vec.Finite(v) {
				t.Fatalf("%T of %+v: position, velocity and heading: got=%v, %v, %v, want=finite", s, x, w.pos[0], w.vel[0], heading[0])
			}
		}
	}
	for _, s := range systems {
		w.rig(x.dt, []frame.System{s}, more...).step()
		check(s)
		before, moving := w.vel[0].Vec, &Integration{}
		w.rig(x.dt, []frame.System{moving}, more...).step()
		check(moving)
		if got := w.vel[0].Vec; got != before && vec.Norm(got) > x.maxSpeed*(1+1e-14)+math.SmallestNonzeroFloat64 {
			t.Fatalf("%T of %+v: speed: got=%v, want=at most %v", s, x, vec.Norm(got), x.maxSpeed)
		}
	}
	w.rig(x.dt, []frame.System{&SmoothArrival{}, &Drive{}}, append(more, frame.Over(drive))...).step()
	check(&Drive{})
}

// FuzzWalking verifies, for three agents that meet with any parameters of the rules of walking, that
// ORCA keeps a finite state finite and within MaxSpeed.
func FuzzWalking(f *testing.F) {
	for _, x := range []float64{0, 1, -1, 0.5, 1e-320, 1e-160, 1e150, 1e308, inf, nan} {
		f.Add(x, 0.5, 5.4, 1., 0.4, 4., 0., 0.1)
		f.Add(0.5, x, 5.4, 1., x, 4., 0.1, 0.1)
		f.Add(0.5, 0.5, x, x, 0.4, 4., 0.2, 0.1)
		f.Add(1., 0., 5.4, 1., -0.4, x, x, 0.1)
		f.Add(x, x, x, x, x, x, x, x)
	}
	f.Fuzz(func(t *testing.T, timeGap, variation, maxDensity, overtaking, right, acceleration, y, dt float64) {
		if !vec.Finite(xy(0, y)) || !(dt >= 0 && dt <= math.MaxFloat64) {
			return
		}
		laws := []any{c.FollowingDistance{TimeGap: timeGap, Variation: variation}, c.FundamentalDiagram{MaxDensity: maxDensity},
			c.Passing{Overtaking: overtaking, Right: right}, c.Inertia{MaxAcceleration: acceleration}}
		s := newStreet(t, &ORCA{})
		s.Clock.Dt = dt
		all := []ecs.Entity{s.Put(stroller(1, xy(0, 0), 1.5, laws...)...), s.Put(stroller(2, xy(1, y), 0.5, laws...)...), s.Put(stroller(3, xy(3, -y), -1.5, laws...)...)}
		for range 3 {
			s.Step()
			for _, e := range all {
				if p, v := placeOf(s, e), testkit.ComponentOf[c.Velocity](s, e).Vec; !vec.Finite(p) || !vec.Finite(v) || vec.Norm(v) > 1.5*(1+1e-14) {
					t.Fatalf("laws %+v, y %v, dt %v: position and velocity: got=%v, %v, want=finite, and at most 1.5 m/s", laws, y, dt, p, v)
				}
			}
		}
	})
}
