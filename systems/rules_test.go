package systems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

var inf, nan = math.Inf(1), math.NaN()

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func within(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func vecWithin(got, want r2.Vec, tolerance float64) bool {
	return within(got.X, want.X, tolerance) && within(got.Y, want.Y, tolerance)
}

// rig runs systems, one after another, on the same plain slices.
type rig struct {
	systems []frame.System
	batches []*frame.Batch
}

func newRig(dt float64, systems []frame.System, slices ...frame.Slice) *rig {
	r := &rig{systems: systems}
	for _, s := range systems {
		r.batches = append(r.batches, frame.BatchOf(frame.Clock{Dt: dt}, s, slices...))
	}
	return r
}

func (r *rig) step() {
	for i, s := range r.systems {
		s.Run(r.batches[i])
	}
}

func (r *rig) steps(n int) {
	for range n {
		r.step()
	}
}

// walker is one agent, as columns with one row.
type walker struct {
	pos    []c.Position
	vel    []c.Velocity
	target []c.Target
	limits []c.Limits
	steer  []c.Steering
}

func newWalker(p, v, target r2.Vec, maxSpeed, maxForce float64) *walker {
	return &walker{
		[]c.Position{{Vec: p}}, []c.Velocity{{Vec: v}}, []c.Target{{Vec: target}},
		[]c.Limits{{MaxSpeed: maxSpeed, MaxForce: maxForce}}, []c.Steering{{}},
	}
}

func (w *walker) rig(dt float64, systems []frame.System, more ...frame.Slice) *rig {
	return newRig(dt, systems, append([]frame.Slice{
		frame.Over(w.pos), frame.Over(w.vel), frame.Over(w.target), frame.Over(w.limits), frame.Over(w.steer)}, more...)...)
}

func (w *walker) check(t *testing.T, p, v, steering r2.Vec, format string, args ...any) {
	t.Helper()
	name := fmt.Sprintf(format, args...)
	testkit.Equal(t, w.pos[0].Vec, p, "%s: position", name)
	testkit.Equal(t, w.vel[0].Vec, v, "%s: velocity", name)
	testkit.Equal(t, w.steer[0].Vec, steering, "%s: steering", name)
}

type stage = testkit.Stage

func newStage(t testing.TB, dt float64, systems ...any) *stage {
	s := testkit.NewStage(t, dt, systems...)
	s.Give = Add
	return s
}

func extremes() []r2.Vec {
	vs := []r2.Vec{{}}
	for _, s := range []float64{math.SmallestNonzeroFloat64, 1e-320, 1e-300, 1e-160, 1e-8, 1, 3, 1e8, 1e100, 1e160, 1e300, 1e308} {
		for _, v := range []r2.Vec{xy(1, 0), xy(0, -1), xy(0.6, 0.8), xy(-1, 1), xy(-1, -1e-9)} {
			vs = append(vs, r2.Scale(s, v))
		}
	}
	return append(vs, xy(1e308, 1e-320))
}

func someEntity() ecs.Entity {
	w := ecs.NewWorld(1)
	return w.NewEntity()
}

var someObstacles = sync.OnceValue(func() *sense.Obstacles { return snapshotOf(roundAt(3, 4, 2), wallFrom(xy(-9, -9), xy(9, -8))) })

// snapshotOf returns a snapshot that nothing updates.
func snapshotOf(shapes ...space.Shape) *sense.Obstacles {
	w, o := ecs.NewWorld(1), &sense.Obstacles{}
	for _, s := range shapes {
		ob := c.Obstacle{Span: r2.Sub(s.B, s.A), Radius: s.Radius}
		if s.Ring != nil {
			polygons := frame.Resource[sense.Polygons](&w)
			*polygons = append(*polygons, s.Ring)
			ob = c.Obstacle{Radius: s.Radius, Polygon: uint32(len(*polygons))}
		}
		Add(&w, w.NewEntity(), c.Position{Vec: s.A}, ob)
	}
	f := frame.New(o)
	f.Workers = 1
	f.Initialize(&w)
	f.Update(&w)
	return o
}

func roundAt(x, y, radius float64) space.Shape {
	return space.Shape{A: xy(x, y), B: xy(x, y), Radius: radius}
}

func wallFrom(a, b r2.Vec) space.Shape { return space.Shape{A: a, B: b} }

type input struct {
	p, v, t, h, force      r2.Vec // h is a unit vector
	maxSpeed, radius, mass float64
	constant, dt           float64
}

func (x input) to() r2.Vec { return vec.Sub(x.t, x.p) }

func (x input) steering(way r2.Vec) r2.Vec { return vec.Sub(vec.WithNorm(way, x.maxSpeed), x.v) }

// stopping limits v to the maximum speed, and to the way to the target in a step.
func (x input) stopping(v r2.Vec) r2.Vec {
	return stopAtTarget(x.to(), vec.Truncate(v, x.maxSpeed), x.dt)
}

// rule is a function whose result turns with the input. size limits the length of the result; if atRest is
// true, only for agents at rest.
type rule struct {
	name   string
	of     func(x input) r2.Vec
	atRest bool
	size   func(x input) float64
}

var (
	topSpeed = func(x input) float64 { return x.maxSpeed }
	unitSize = func(input) float64 { return 1 }
	noLimit  = func(input) float64 { return inf }
)

var rules = []rule{
	{"seek", func(x input) r2.Vec { return seekAt(x.p, x.v, x.t, x.maxSpeed) }, true, topSpeed},
	{"kinematic seek", func(x input) r2.Vec { return kinematicSeek(x.p, x.t, x.maxSpeed) }, false, topSpeed},
	{"flee", func(x input) r2.Vec { return flee(vec.Sub(x.p, x.t), x.v, x.maxSpeed) }, true, topSpeed},
	{"arrival", func(x input) r2.Vec { return arriveAt(x.p, x.v, x.t, x.maxSpeed, x.radius) }, true, topSpeed},
	{"opposing arrival, faithful", func(x input) r2.Vec { return opposeFaithful(x.to(), x.v, x.radius, x.constant, x.dt/x.constant) }, false, noLimit},
	{"opposing arrival", func(x input) r2.Vec { return x.stopping(oppose(x.to(), x.v, x.radius, x.constant, x.dt/x.constant)) }, false, topSpeed},
	{"damped arrival, faithful", func(x input) r2.Vec { return damp(x.to(), x.v, x.radius, x.constant, x.dt/x.constant) }, false, noLimit},
	{"damped arrival", func(x input) r2.Vec { return x.stopping(damp(x.to(), x.v, x.radius, x.constant, x.dt/x.constant)) }, false, topSpeed},
	{"smooth arrival", func(x input) r2.Vec {
		return vec.WithNorm(x.to(), smoothSpeed(vec.Norm(x.to()), x.maxSpeed, x.radius/4, x.radius))
	}, false, topSpeed},
	{"pursuit", func(x input) r2.Vec { return PredictMeeting.pursue(x.to(), x.v, x.force, x.maxSpeed, x.radius) }, true, topSpeed},
	{"pursuit by distance", func(x input) r2.Vec { return PredictDistance.pursue(x.to(), x.v, x.force, x.maxSpeed, inf) }, true, topSpeed},
	{"pursuit by bearing", func(x input) r2.Vec { return PredictBearing.pursue(x.to(), x.v, x.force, x.maxSpeed, x.radius) }, true, topSpeed},
	{"evasion", func(x input) r2.Vec {
		return flee(PredictMeeting.away(x.to(), x.v, x.force, x.maxSpeed, inf), x.v, x.maxSpeed)
	}, true, topSpeed},
	{"offset pursuit", func(x input) r2.Vec {
		return x.steering(past(PredictDistance.lead(x.to(), x.v, x.force, x.maxSpeed, x.radius), x.v, x.radius))
	}, true, topSpeed},
	{"wander", func(x input) r2.Vec { return x.steering(wander(x.h, x.dt, x.radius, x.constant)) }, true, topSpeed},
	{"wall following", func(x input) r2.Vec { return x.steering(beside(x.to(), x.h, x.force, x.radius, x.maxSpeed)) }, true, topSpeed},
	{"containment, obstacles", func(x input) r2.Vec {
		k := keeper{v: vec.Truncate(x.v, x.maxSpeed), horizon: x.constant, maxSpeed: x.maxSpeed}
		k.off(x.h, vec.Dot(vec.Sub(x.p, x.t), x.h))
		return k.v
	}, false, func(x input) float64 { return 2 * x.maxSpeed }},
	{"facing, faithful", func(x input) r2.Vec { return faceFaithful(x.h, x.v, x.dt) }, false, unitSize},
	{"facing", func(x input) r2.Vec { return vec.TurnShare(x.h, x.v, vec.Decay(x.dt)) }, false, unitSize},
	{"turn towards", func(x input) r2.Vec { return vec.TurnTowards(x.h, vec.Sub(x.t, x.p), x.dt) }, false, unitSize},
	{"turn away", func(x input) r2.Vec { return vec.TurnTowards(x.h, vec.Sub(x.p, x.t), x.dt) }, false, unitSize},
	{"drive", func(x input) r2.Vec { _, v := drive(x.p, x.h, x.maxSpeed, x.dt); return v }, false, topSpeed},
	{"avoidance", func(x input) r2.Vec { return lateral(x.v, x.h) }, false, unitSize},
	{"integration", func(x input) r2.Vec {
		_, v := integrate(x.p, x.v, x.force, x.mass, c.Limits{MaxSpeed: x.maxSpeed, MaxForce: x.radius}, x.dt)
		return v
	}, false, topSpeed},
}

// tiny is a speed in m/s below which the quotient of speed and distance loses digits.
const tiny = 1e-150

func (r *rule) check(t testing.TB, x input) {
	if r.atRest {
		x.v = r2.Vec{}
	}
	got := r.of(x)
	size, off := r.size(x), math.SmallestNonzeroFloat64
	if 0 < size && size < tiny {
		// The quotient is off by up to half of 2^-1074, and the desired velocity by that times the distance.
		off = tiny
	}
	if !vec.Finite(got) || vec.Norm(got) > size*(1+1e-14)+off {
		t.Fatalf("%s of %+v: got=%v, want=finite and at most %v", r.name, x, got, size)
	}
}

// onGrid draws an input whose positions are multiples of 2^-10 m, so it can be moved without rounding.
func onGrid(r *rand.Rand) input {
	coordinate := func() float64 { return float64(r.IntN(1<<16)-1<<15) * 0x1p-10 }
	point := func() r2.Vec { return xy(coordinate(), coordinate()) }
	x := input{p: point(), v: point(), t: point(), h: direction(360 * r.Float64()), force: point(),
		maxSpeed: 40 * r.Float64(), radius: 40 * r.Float64(), mass: 0.1 + r.Float64(),
		constant: 0.1 + r.Float64(), dt: 0.001 + r.Float64()}
	switch r.IntN(8) {
	case 0:
		x.t = x.p
	case 1:
		x.v = r2.Vec{}
	case 2:
		x.t = vec.Add(x.p, xy(0.001*r.Float64(), 0))
		x.t = xy(math.Round(x.t.X*1024)/1024, x.t.Y)
	}
	return x
}

func (x input) turned(turn func(r2.Vec) r2.Vec) input {
	x.p, x.v, x.t, x.h, x.force = turn(x.p), turn(x.v), turn(x.t), turn(x.h), turn(x.force)
	return x
}

func TestRulesFiniteAndBounded(t *testing.T) {
	moderate := func(v r2.Vec) bool { return vec.Norm(v) <= 1e150 }
	all := extremes()
	for i := range rules {
		for _, p := range all {
			for _, v := range all {
				if !moderate(v) || !moderate(p) {
					continue
				}
				for _, radius := range []float64{0, 1e-320, 1, 1e100} {
					x := input{v: v, t: p, h: xy(0.6, 0.8), force: p, maxSpeed: 3, radius: radius, mass: 1, constant: 1, dt: 0.1}
					rules[i].check(t, x)
					x.p, x.t = x.t, x.p
					rules[i].check(t, x)
					x.t = x.p // p == t
					rules[i].check(t, x)
				}
			}
		}
		r := rand.New(rand.NewPCG(1, uint64(i)))
		for range 2000 {
			rules[i].check(t, onGrid(r))
		}
	}
	for _, i := range []int{0, 1, 2, 3, 7, 8, 9, 10, 11, 16, 19, 20, 21} { // these are bounded up to the largest coordinates
		for _, at := range []r2.Vec{xy(1e308, 0), xy(-1e308, 1e308), xy(3e307, -1e308)} {
			x := input{t: at, h: xy(0, 1), maxSpeed: 3, radius: 1, mass: 1, constant: 1, dt: 0.1}
			rules[i].check(t, x)
			x.p, x.t = x.t, x.p
			rules[i].check(t, x)
		}
	}
}

func TestRulesMoveAndTurnWithTheWorld(t *testing.T) {
	for _, rule := range rules {
		r := rand.New(rand.NewPCG(2, 2))
		for range 3000 {
			x := onGrid(r)
			want := rule.of(x)
			offset := xy(float64(r.IntN(1<<30)), -float64(r.IntN(1<<30)))
			moved := x
			moved.p, moved.t = vec.Add(x.p, offset), vec.Add(x.t, offset)
			if got := rule.of(moved); got != want {
				t.Fatalf("%s of %+v, moved by %v: got=%v, want=%v", rule.name, x, offset, got, want)
			}
			sin, cos := math.Sincos(7 * r.Float64())
			turn := func(v r2.Vec) r2.Vec { return vec.Rotate(v, cos, sin) }
			if got := rule.of(x.turned(turn)); !vecWithin(got, turn(want), 1e-9) {
				t.Fatalf("%s of %+v, turned: got=%v, want=%v", rule.name, x, got, turn(want))
			}
			turned := x
			for quarter := 1; quarter <= 3; quarter++ {
				turned, want = turned.turned(vec.Left), vec.Left(want)
				if got := rule.of(turned); got != want {
					t.Fatalf("%s of %+v, %d quarter turns: got=%v, want=%v", rule.name, x, quarter, got, want)
				}
			}
		}
	}
}

func TestGainZeroPauses(t *testing.T) {
	w := newWalker(xy(1, 2), xy(3, 4), xy(5, 7), 5, 9)
	w.steer[0].Vec = xy(11, 13)
	heading, drive := []c.Heading{{Vec: xy(0.6, 0.8)}}, []c.Drive{{Speed: 3, TopSpeed: 7}}
	w.rig(0.5, []frame.System{
		&Seek{}, &KinematicSeek{}, &Flee{}, &Arrival{}, &OpposingArrival{}, &OpposingArrival{Faithful: true},
		&DampedArrival{}, &DampedArrival{Faithful: true}, &Avoidance{}, &Facing{}, &Facing{Faithful: true}, &TurnTowards{}, &TurnAway{},
	}, frame.Over(heading), frame.Over([]c.Seek{{}}), frame.Over([]c.KinematicSeek{{}}), frame.Over([]c.Flee{{}}), frame.Over([]c.Arrival{{SlowingRadius: 50}}),
		frame.Over([]c.OpposingArrival{{SlowingRadius: 50, TimeConstant: 1}}), frame.Over([]c.DampedArrival{{SlowingRadius: 50, TimeConstant: 1}}),
		frame.Over([]c.Avoidance{{}}), frame.Over([]c.Threat{{Normal: xy(1, 0), Obstacle: someEntity()}}),
		frame.Over([]c.Facing{{}}), frame.Over([]c.TurnTowards{{}}), frame.Over([]c.TurnAway{{}})).step()
	smooth := frame.Over([]c.SmoothArrival{{Min: 1, Max: 50}})
	w.rig(0.5, []frame.System{&SmoothArrival{}}, smooth).step()
	w.rig(0.5, []frame.System{&SmoothArrival{}}, smooth, frame.Over(drive)).step()
	newRig(0.5, []frame.System{&Drive{}}, frame.Over(w.pos), frame.Over(heading), frame.Over([]c.Drive{{}})).step()
	w.check(t, xy(1, 2), xy(3, 4), xy(11, 13), "paused")
	testkit.Equal(t, heading[0].Vec, xy(0.6, 0.8), "heading")
	testkit.Equal(t, drive[0].Speed, 3, "speed of Drive")
}

// For any input, systems must keep a finite state finite and within its limits. For input up to 1e150, the
// rules must do so, too.
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

func fuzzRules(t *testing.T, x input) {
	const most = 1e150
	for _, n := range []float64{vec.Norm(x.p), vec.Norm(x.v), vec.Norm(x.t), x.maxSpeed, x.radius} {
		if !(n >= 0 && n <= most) {
			return
		}
	}
	// From a thousandth to a thousand.
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

func fuzzSystems(t *testing.T, x input) {
	if !vec.Finite(x.p) || !vec.Finite(x.v) || !(x.dt >= 0) || math.IsInf(x.dt, 1) {
		return
	}
	w := newWalker(x.p, x.v, x.t, x.maxSpeed, x.radius)
	w.steer[0].Vec = x.force
	heading, drive := []c.Heading{{Vec: x.h}}, []c.Drive{{Speed: x.maxSpeed, TopSpeed: x.maxSpeed}}
	more := []frame.Slice{
		frame.Over(heading), frame.Over([]c.Mass{{Kilograms: x.mass}}), frame.Over([]c.Seek{{Gain: x.mass}}),
		frame.Over([]c.KinematicSeek{{Gain: x.constant}}), frame.Over([]c.Flee{{From: x.t, Gain: x.mass, Radius: x.radius}}),
		frame.Over([]c.Arrival{{Gain: x.constant, SlowingRadius: x.radius}}),
		frame.Over([]c.OpposingArrival{{Gain: x.mass, SlowingRadius: x.radius, TimeConstant: x.constant}}),
		frame.Over([]c.DampedArrival{{Gain: x.mass, SlowingRadius: x.radius, TimeConstant: x.constant}}),
		frame.Over([]c.SmoothArrival{{Gain: x.mass, Min: x.constant, Max: x.radius}}),
		frame.Over([]c.Threat{{Normal: x.force, Obstacle: someEntity()}}), frame.Over([]c.Avoidance{{MaxForce: x.constant}}),
		frame.Over([]c.Facing{{Rate: x.constant}}), frame.Over([]c.TurnTowards{{Rate: x.mass}}), frame.Over([]c.TurnAway{{Rate: x.mass}}),
		frame.Over([]c.Quarry{{At: x.t, Velocity: x.force, Seen: true}}), frame.Over([]c.Pursuer{{At: x.t, Velocity: x.force, Seen: true}}),
		frame.Over([]c.Pursuit{{Gain: x.mass, Horizon: x.constant}}), frame.Over([]c.Evasion{{Gain: x.mass, Horizon: x.radius, Radius: x.constant}}),
		frame.Over([]c.OffsetPursuit{{Gain: x.mass, Horizon: x.constant, Distance: x.radius}}),
		frame.Over([]c.Wander{{Gain: x.mass, Distance: x.constant, Radius: x.radius, Rate: x.constant}}),
		frame.Over([]c.Containment{{Gain: x.mass, Horizon: x.constant, Box: r2.Box{Min: x.force, Max: x.t}}}),
		frame.Over([]c.WallFollowing{{Gain: x.mass, Horizon: x.constant, Offset: x.radius, Range: x.maxSpeed}}),
	}
	box := r2.Box{Min: xy(-100, -100), Max: xy(100, 100)}
	systems := []frame.System{&KinematicSeek{}, &Seek{}, &Flee{}, &Arrival{}, &SmoothArrival{}, &Avoidance{}, &TurnTowards{}, &TurnAway{}, &Wander{}}
	for mode := PredictMeeting; mode <= PredictBearing; mode++ {
		systems = append(systems, &Pursuit{Prediction: mode}, &Evasion{Prediction: mode}, &OffsetPursuit{Prediction: mode})
	}
	for _, faithful := range []bool{false, true} {
		systems = append(systems, &OpposingArrival{Faithful: faithful}, &DampedArrival{Faithful: faithful}, &Facing{Faithful: faithful},
			&Containment{Obstacles: someObstacles(), Faithful: faithful}, &WallFollowing{Obstacles: someObstacles(), Faithful: faithful})
	}
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
