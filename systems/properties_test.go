package systems

import (
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

type input struct {
	p, v, t, h, force      r2.Vec // h is a unit vector
	maxSpeed, radius, mass float64
	constant, dt           float64
}

// rule is a rule in the form of a function from an input to a vector that turns with the input.
// size is the limit of the vector's length; if atRest is true, only for agents at rest.
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
	{"opposing arrival, faithful", func(x input) r2.Vec {
		return opposeFaithful(vec.Sub(x.t, x.p), x.v, x.radius, x.constant, x.dt/x.constant)
	}, false, noLimit},
	{"opposing arrival", func(x input) r2.Vec {
		to := vec.Sub(x.t, x.p)
		return stopAtTarget(to, vec.Truncate(oppose(to, x.v, x.radius, x.constant, x.dt/x.constant), x.maxSpeed), x.dt)
	}, false, topSpeed},
	{"damped arrival, faithful", func(x input) r2.Vec {
		return damp(vec.Sub(x.t, x.p), x.v, x.radius, x.constant, x.dt/x.constant)
	}, false, noLimit},
	{"damped arrival", func(x input) r2.Vec {
		to := vec.Sub(x.t, x.p)
		return stopAtTarget(to, vec.Truncate(damp(to, x.v, x.radius, x.constant, x.dt/x.constant), x.maxSpeed), x.dt)
	}, false, topSpeed},
	{"smooth arrival", func(x input) r2.Vec {
		to := vec.Sub(x.t, x.p)
		return vec.WithNorm(to, smoothSpeed(vec.Norm(to), x.maxSpeed, x.radius/4, x.radius))
	}, false, topSpeed},
	{"pursuit", func(x input) r2.Vec {
		return PredictMeeting.pursue(vec.Sub(x.t, x.p), x.v, x.force, x.maxSpeed, x.radius)
	}, true, topSpeed},
	{"pursuit by distance", func(x input) r2.Vec {
		return PredictDistance.pursue(vec.Sub(x.t, x.p), x.v, x.force, x.maxSpeed, inf)
	}, true, topSpeed},
	{"pursuit by bearing", func(x input) r2.Vec {
		return PredictBearing.pursue(vec.Sub(x.t, x.p), x.v, x.force, x.maxSpeed, x.radius)
	}, true, topSpeed},
	{"evasion", func(x input) r2.Vec {
		return flee(PredictMeeting.away(vec.Sub(x.t, x.p), x.v, x.force, x.maxSpeed, inf), x.v, x.maxSpeed)
	}, true, topSpeed},
	{"offset pursuit", func(x input) r2.Vec {
		lead := PredictDistance.lead(vec.Sub(x.t, x.p), x.v, x.force, x.maxSpeed, x.radius)
		return vec.Sub(vec.WithNorm(past(lead, x.v, x.radius), x.maxSpeed), x.v)
	}, true, topSpeed},
	{"wander", func(x input) r2.Vec {
		return vec.Sub(vec.WithNorm(wander(x.h, x.dt, x.radius, x.constant), x.maxSpeed), x.v)
	}, true, topSpeed},
	{"wall following", func(x input) r2.Vec {
		return vec.Sub(vec.WithNorm(beside(vec.Sub(x.t, x.p), x.h, x.force, x.radius, x.maxSpeed), x.maxSpeed), x.v)
	}, true, topSpeed},
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

// check fails the test if the result is not finite or is too long.
func (r *rule) check(t testing.TB, x input) {
	if r.atRest {
		x.v = r2.Vec{}
	}
	got := r.of(x)
	size, off := r.size(x), math.SmallestNonzeroFloat64
	if 0 < size && size < tiny {
		// The quotient of speed and distance is off by up to half the smallest number, 2^-1074, and
		// the desired velocity by that times the distance.
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
}

// TestRulesHugeDistance verifies that some rules stay finite and within their limits up to the
// largest coordinates.
func TestRulesHugeDistance(t *testing.T) {
	for _, i := range []int{0, 1, 2, 3, 7, 8, 9, 10, 11, 16, 19, 20, 21} {
		for _, at := range []r2.Vec{xy(1e308, 0), xy(-1e308, 1e308), xy(3e307, -1e308)} {
			x := input{t: at, h: xy(0, 1), maxSpeed: 3, radius: 1, mass: 1, constant: 1, dt: 0.1}
			rules[i].check(t, x)
			x.p, x.t = x.t, x.p
			rules[i].check(t, x)
		}
	}
}

func TestRulesMoveWithTheWorld(t *testing.T) {
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
		}
	}
}

func TestRulesTurnWithTheWorld(t *testing.T) {
	for _, rule := range rules {
		r := rand.New(rand.NewPCG(3, 3))
		for range 3000 {
			x := onGrid(r)
			want := rule.of(x)
			turned := x
			for quarter := 1; quarter <= 3; quarter++ {
				turned, want = turned.turned(vec.Left), vec.Left(want)
				if got := rule.of(turned); got != want {
					t.Fatalf("%s of %+v, %d quarter turns: got=%v, want=%v", rule.name, x, quarter, got, want)
				}
			}
			sin, cos := math.Sincos(7 * r.Float64())
			turn := func(v r2.Vec) r2.Vec { return vec.Rotate(v, cos, sin) }
			want = turn(rule.of(x))
			if got := rule.of(x.turned(turn)); !vecWithin(got, want, 1e-9) {
				t.Fatalf("%s of %+v, turned: got=%v, want=%v", rule.name, x, got, want)
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
	// This covers smooth arrival with and without Drive, and Drive itself.
	smooth := frame.Over([]c.SmoothArrival{{Min: 1, Max: 50}})
	w.rig(0.5, []frame.System{&SmoothArrival{}}, smooth).step()
	w.rig(0.5, []frame.System{&SmoothArrival{}}, smooth, frame.Over(drive)).step()
	newRig(0.5, []frame.System{&Drive{}}, frame.Over(w.pos), frame.Over(heading), frame.Over([]c.Drive{{}})).step()
	if w.pos[0].Vec != xy(1, 2) || w.vel[0].Vec != xy(3, 4) || w.steer[0].Vec != xy(11, 13) {
		t.Errorf("position, velocity and steering: got=%v, %v, %v, want=(1, 2), (3, 4), (11, 13)", w.pos[0], w.vel[0], w.steer[0])
	}
	if heading[0].Vec != xy(0.6, 0.8) || drive[0].Speed != 3 {
		t.Errorf("heading and speed of Drive: got=%v, %v, want=(0.6, 0.8), 3", heading[0], drive[0])
	}
}
