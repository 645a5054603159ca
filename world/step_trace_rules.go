package world

import (
	"math"
	"reflect"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

var inf = math.Inf(1)

// apply takes the copy through a rule, and writes down what that does.
func (t *stepTrace) apply(x *Explanation, r *rule) {
	switch r.system.(type) {
	case *systems.Follow:
		t.follow(x, r)
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
	before, speed, maxSpeed := stateOf(&t.sandbox, nil, t.agent), t.driveSpeed(), t.limits().MaxSpeed
	if !t.run(x, r) {
		return
	}
	after, s := stateOf(&t.sandbox, nil, t.agent), Share{Behavior: r.name}
	if does.Has(catalog.Moves) {
		x.MovedBy = r.name
	}
	switch {
	case does.Has(catalog.SetsTarget):
		s.Target = change(r2.Vec{}, get[c.Target](&t.sandbox, t.agent).Vec)
		if now := t.limits().MaxSpeed; now != maxSpeed {
			now -= maxSpeed
			s.MaxSpeed = &now
		}
	case does.Has(catalog.LimitsSpeed):
		now := t.limits().MaxSpeed
		if now == maxSpeed {
			return
		}
		now -= maxSpeed
		s.MaxSpeed = &now
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
		if turn := vec.Angle(before.Heading, after.Heading); turn != 0 {
			s.Turn = &turn
		}
	case does.Has(catalog.SetsVelocity):
		s.Velocity = change(before.Velocity, after.Velocity)
	default:
		return
	}
	x.Shares = append(x.Shares, s)
}

// does returns what the system of a rule does.
func (r *rule) does() catalog.Effect {
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

// run takes the copy through a rule, and returns whether that works on it.
func (t *stepTrace) run(x *Explanation, r *rule) bool {
	skipped := r.frame.Stats().Skipped
	r.frame.Update(&t.sandbox)
	st := r.frame.Stats()
	if st.Skipped > skipped {
		x.Skipped = append(x.Skipped, r.name)
	}
	return st.Rows > 0
}

// force takes the copy through a rule that steers. It returns the rule's answer
// without its gain, and with it, each as what it adds to no force at all; nil if
// the rule does not work on the copy.
func (t *stepTrace) force(x *Explanation, r *rule, by *catalog.Param) *ForceShare {
	steer := t.steering()
	if steer == nil {
		return nil
	}
	gain := by.At.(*float64)
	f, before := &ForceShare{Gain: *gain, GainUnit: by.Unit}, t.components()
	if by.Unit == "kg/s" {
		f.RawUnit = "m/s"
	}
	*steer, *gain = r2.Vec{}, 1
	works := t.run(x, r)
	f.Raw = *steer
	t.put(before)
	*steer = r2.Vec{}
	t.run(x, r)
	f.Newtons = *steer
	t.put(before)
	t.run(x, r)
	if !works {
		return nil
	}
	return f
}

// components returns copies of those of the copy, for put: the system of a host may do more
// than to steer.
func (t *stepTrace) components() (all []any) {
	eachComponent(&t.sandbox, t.agent, func(v reflect.Value) { all = append(all, v.Interface()) })
	return all
}

// put gives the copy the components that it had.
func (t *stepTrace) put(all []any) {
	for _, value := range all {
		column.Set(&t.sandbox, t.agent, value)
	}
}

// gain returns the gain of a rule that steers the copy, nil for another.
func (t *stepTrace) gain(r *rule) *catalog.Param {
	if r.entry == nil || !r.entry.SteersWith(t.has) {
		return nil
	}
	gain, _ := catalog.Gain(t.params(r.entry))
	return gain
}

// has reports whether the copy has a component.
func (t *stepTrace) has(component any) bool {
	return t.sandbox.Has(t.agent, ecs.TypeID(&t.sandbox, reflect.TypeOf(component)))
}

// follow runs the system that sets two points.
func (t *stepTrace) follow(x *Explanation, r *rule) {
	t.run(x, r)
	follow, target := get[c.Follow](&t.sandbox, t.agent), get[c.Target](&t.sandbox, t.agent)
	if target != nil && follow != nil && t.isSomewhere(follow.Entity) {
		x.Shares = append(x.Shares, Share{Behavior: "Follow", Target: change(r2.Vec{}, target.Vec)})
	}
	from, flee := get[c.FleeFrom](&t.sandbox, t.agent), get[c.Flee](&t.sandbox, t.agent)
	if flee != nil && from != nil && t.isSomewhere(from.Entity) {
		x.Shares = append(x.Shares, Share{Behavior: "FleeFrom", Target: change(r2.Vec{}, flee.From)})
	}
}

// isSomewhere reports whether an entity of the sandbox has a position.
func (t *stepTrace) isSomewhere(e ecs.Entity) bool {
	return !e.IsZero() && get[c.Position](&t.sandbox, e) != nil
}

// choose runs a system that takes the forces for what the agent prefers.
func (t *stepTrace) choose(x *Explanation, r *rule) {
	t.sum(x)
	before := stateOf(&t.sandbox, nil, t.agent)
	account := &systems.Reciprocal{}
	if s, ok := r.system.(*systems.ORCA); ok {
		s.Account = account
	}
	if !t.run(x, r) {
		return
	}
	if account.MaxSpeed > 0 {
		x.Reciprocal = account
	}
	x.Shares = append(x.Shares, Share{Behavior: r.name, Velocity: change(before.Velocity, stateOf(&t.sandbox, nil, t.agent).Velocity)})
	x.taken = x.Force != r2.Vec{} && *t.steering() == r2.Vec{}
}

// sum writes down the force that is about to be used, and what limits it.
func (t *stepTrace) sum(x *Explanation) {
	limits := t.limits()
	x.MaxForce, x.MaxSpeed = limits.MaxForce, limits.MaxSpeed
	if mass := get[c.Mass](&t.sandbox, t.agent); mass != nil {
		x.Mass = mass.Kilograms
	}
	if steer := t.steering(); steer != nil {
		x.Force = *steer
	}
}

// steering returns the force on the copy, nil if it cannot have any.
func (t *stepTrace) steering() *r2.Vec {
	if steer := get[c.Steering](&t.sandbox, t.agent); steer != nil {
		return &steer.Vec
	}
	return nil
}

func (t *stepTrace) limits() c.Limits {
	if limits := get[c.Limits](&t.sandbox, t.agent); limits != nil {
		return *limits
	}
	return c.Limits{MaxSpeed: inf, MaxForce: inf}
}

func (t *stepTrace) driveSpeed() float64 {
	if drive := get[c.Drive](&t.sandbox, t.agent); drive != nil {
		return drive.Speed
	}
	return 0
}
