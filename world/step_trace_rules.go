package world

import (
	"math"
	"reflect"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"gonum.org/v1/gonum/spatial/r2"
)

var inf = math.Inf(1)

// rule is a system with the function that runs it on the agent; run is nil if the system does not
// apply to the agent.
type rule struct {
	running
	name string
	run  func() (skipped bool)
}

func (t *stepTrace) apply(x *Explanation, r *rule) {
	switch r.system.(type) {
	case *systems.Follow:
		t.follow(x)
		return
	case *systems.Combine:
		t.combine(x, r)
		return
	case *systems.Integration:
		if !x.taken {
			t.sum(x)
		}
	}
	does := r.does()
	if does.Has(catalog.TakesForces) {
		t.choose(x, r)
		return
	}
	if gain := t.gain(r); gain != nil {
		if f := t.force(x, r, gain); f != nil {
			x.Shares = append(x.Shares, Share{Behavior: r.name, Force: f})
		}
		return
	}
	if r.run == nil {
		return
	}
	before, speed, maxSpeed := t.state(), t.driveSpeed(), t.limits().MaxSpeed
	t.run(x, r)
	after, s := t.state(), Share{Behavior: r.name}
	if does.Has(catalog.Moves) {
		x.MovedBy = r.name
	}
	switch {
	case does.Has(catalog.SetsTarget):
		s.Target, s.MaxSpeed = change(r2.Vec{}, part[c.Target](t).Vec), differs(maxSpeed, t.limits().MaxSpeed)
	case does.Has(catalog.LimitsSpeed):
		if s.MaxSpeed = differs(maxSpeed, t.limits().MaxSpeed); s.MaxSpeed == nil {
			return
		}
	case does.Has(catalog.SetsSpeed):
		faster := t.driveSpeed() - speed
		s.Speed = &faster
	case does.Has(catalog.Turns):
		turn := vec.Angle(before.Heading, after.Heading)
		if s.Turn = &turn; does.Has(catalog.SetsVelocity) {
			s.Velocity = change(before.Velocity, after.Velocity)
		}
	case does.Has(catalog.SetsPosition):
		if before == after {
			return
		}
		s.Position, s.Velocity = change(before.Position, after.Position), change(before.Velocity, after.Velocity)
		s.Turn = differs(0, vec.Angle(before.Heading, after.Heading))
	case does.Has(catalog.SetsVelocity):
		s.Velocity = change(before.Velocity, after.Velocity)
	default:
		return
	}
	x.Shares = append(x.Shares, s)
}

func (r *running) does() catalog.Effect {
	switch r.system.(type) {
	case *systems.Integration:
		return catalog.Moves
	case *systems.Bounds, *systems.Slide:
		return catalog.SetsPosition | catalog.SetsVelocity
	case *systems.Portals:
		return catalog.SetsPosition
	}
	if r.entry == nil {
		return 0
	}
	return r.entry.Does
}

func change(from, to r2.Vec) *r2.Vec {
	d := vec.Sub(to, from)
	return &d
}

// differs returns the change of a number, or nil if there is none.
func differs(from, to float64) *float64 {
	if from == to {
		return nil
	}
	d := to - from
	return &d
}

func (t *stepTrace) run(x *Explanation, r *rule) {
	if r.run() {
		x.Skipped = append(x.Skipped, r.name)
	}
}

// force runs a steering rule, with the gain by, on the agent, after two trial runs that it undoes. It
// returns their forces, with a gain of 1 and with the actual gain, each computed from zero, or nil if
// the rule does not apply.
func (t *stepTrace) force(x *Explanation, r *rule, by *catalog.Param) *ForceShare {
	steer := t.steering()
	if steer == nil || r.run == nil {
		return nil
	}
	gain := by.At.(*float64)
	f, before := &ForceShare{Gain: *gain, GainUnit: by.Unit}, t.components()
	if by.Unit == "kg/s" {
		f.RawUnit = "m/s"
	}
	*steer, *gain = r2.Vec{}, 1
	t.run(x, r)
	f.Raw = *steer
	t.put(before)
	*steer = r2.Vec{}
	t.run(x, r)
	f.Newtons = *steer
	t.put(before)
	t.run(x, r)
	return f
}

// components returns copies of all components of the agent, for put: a host's system may change
// components other than Steering.
func (t *stepTrace) components() (all []any) {
	eachComponent(t.of.ECS, t.agent, func(v reflect.Value) { all = append(all, v.Interface()) })
	return all
}

func (t *stepTrace) put(all []any) {
	for _, value := range all {
		column.Set(t.of.ECS, t.agent, value)
	}
}

// gain returns the gain of the rule, or nil if the rule does not steer the agent.
func (t *stepTrace) gain(r *rule) *catalog.Param {
	has := func(component any) bool { return t.part(reflect.TypeOf(component)) != nil }
	if r.entry == nil || !r.entry.SteersWith(has) || !has(r.entry.Component) {
		return nil
	}
	gain, _ := catalog.Gain(r.entry.Params(t.part(reflect.TypeOf(r.entry.Component))))
	return gain
}

// follow records the Target and the point of Flee, which Follow.Sense sets.
func (t *stepTrace) follow(x *Explanation) {
	follow, target := part[c.Follow](t), part[c.Target](t)
	if target != nil && follow != nil && t.hasPosition(follow.Entity) {
		x.Shares = append(x.Shares, Share{Behavior: "Follow", Target: change(r2.Vec{}, target.Vec)})
	}
	from, flee := part[c.FleeFrom](t), part[c.Flee](t)
	if flee != nil && from != nil && t.hasPosition(from.Entity) {
		x.Shares = append(x.Shares, Share{Behavior: "FleeFrom", Target: change(r2.Vec{}, flee.From)})
	}
}

// choose runs a system that turns the forces into a velocity, such as ORCA.
func (t *stepTrace) choose(x *Explanation, r *rule) {
	t.sum(x)
	if r.run == nil {
		return
	}
	before, account := t.state().Velocity, &systems.Reciprocal{}
	if s, ok := r.system.(*systems.ORCA); ok {
		s.Account = account
	}
	t.run(x, r)
	if account.MaxSpeed > 0 {
		x.Reciprocal = account
	}
	x.Shares = append(x.Shares, Share{Behavior: r.name, Velocity: change(before, t.state().Velocity)})
	x.taken = x.Force != r2.Vec{} && *t.steering() == r2.Vec{}
}

func (t *stepTrace) sum(x *Explanation) {
	limits := t.limits()
	x.MaxForce, x.MaxSpeed = limits.MaxForce, limits.MaxSpeed
	if mass := part[c.Mass](t); mass != nil {
		x.Mass = mass.Kilograms
	}
	if steer := t.steering(); steer != nil {
		x.Force = *steer
	}
}

func (t *stepTrace) steering() *r2.Vec {
	if steer := part[c.Steering](t); steer != nil {
		return &steer.Vec
	}
	return nil
}

func (t *stepTrace) limits() c.Limits {
	if limits := part[c.Limits](t); limits != nil {
		return *limits
	}
	return c.Limits{MaxSpeed: inf, MaxForce: inf}
}

func (t *stepTrace) driveSpeed() float64 {
	if drive := part[c.Drive](t); drive != nil {
		return drive.Speed
	}
	return 0
}
