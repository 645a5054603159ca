package world

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

var inf = math.Inf(1)

// apply takes the copy through a rule, and writes down what that does.
func (l *ledger) apply(x *Explanation, r *rule) {
	switch r.system.(type) {
	case *systems.Follow:
		l.follow(x, r)
		return
	case *systems.Combine:
		l.combine(x, r)
		return
	case *systems.Integration:
		if !x.taken {
			l.sum(x)
		}
	case *systems.ORCA:
		l.orca(x, r)
		return
	}
	if gain := l.gain(r.system); gain != nil {
		if f := l.force(x, r, gain); f != nil {
			x.Shares = append(x.Shares, Share{Behavior: r.name, Force: f})
		}
		return
	}
	before, speed, maxSpeed := stateOf(&l.apart, nil, l.agent), l.driveSpeed(), l.limits().MaxSpeed
	if !l.run(x, r) {
		return
	}
	after, s := stateOf(&l.apart, nil, l.agent), Share{Behavior: r.name}
	switch r.system.(type) {
	case *systems.ThreatScan, *systems.Arrivals, *systems.Track, *systems.PreviousPosition:
		return
	case *systems.Integration:
		x.MovedBy = r.name
		return
	case *systems.Drive:
		x.MovedBy = r.name
		s.Velocity = change(before.Velocity, after.Velocity)
	case *systems.Itinerary, *systems.PathFollowing:
		s.Target = change(r2.Vec{}, get[c.Target](&l.apart, l.agent).Vec)
		if now := l.limits().MaxSpeed; now != maxSpeed {
			now -= maxSpeed
			s.MaxSpeed = &now
		}
	case *systems.SmoothArrival: // of an agent with Drive; others have a force
		if get[c.Drive](&l.apart, l.agent) == nil {
			return
		}
		faster := l.driveSpeed() - speed
		s.Speed = &faster
	case *systems.TurnTowards, *systems.TurnAway, *systems.Facing:
		turn := vec.Angle(before.Heading, after.Heading)
		s.Turn = &turn
	case *systems.Bounds, *systems.Slide, *systems.ResolveOverlaps:
		if before == after {
			return
		}
		s.Position, s.Velocity = change(before.Position, after.Position), change(before.Velocity, after.Velocity)
		if turn := vec.Angle(before.Heading, after.Heading); turn != 0 {
			s.Turn = &turn
		}
	default:
		s.Velocity = change(before.Velocity, after.Velocity)
	}
	x.Shares = append(x.Shares, s)
}

func change(from, to r2.Vec) *r2.Vec {
	d := vec.Sub(to, from)
	return &d
}

// run takes the copy through a rule, and returns whether that works on it.
func (l *ledger) run(x *Explanation, r *rule) bool {
	skipped := r.frame.Stats().Skipped
	r.frame.Update(&l.apart)
	st := r.frame.Stats()
	if st.Skipped > skipped {
		x.Skipped = append(x.Skipped, r.name)
	}
	return st.Rows > 0
}

// force takes the copy through a rule that steers. It returns the rule's answer
// without its gain, and with it, each as what it adds to no force at all; nil if
// the rule does not work on the copy.
func (l *ledger) force(x *Explanation, r *rule, gain *float64) *ForceShare {
	steer := l.steering()
	if steer == nil {
		return nil
	}
	f, sum := &ForceShare{Gain: *gain, RawUnit: "m/s", GainUnit: "kg/s"}, *steer
	if _, is := r.system.(*systems.Avoidance); is {
		f.RawUnit, f.GainUnit = "", "N"
	}
	*steer, *gain = r2.Vec{}, 1
	works := l.run(x, r)
	f.Raw, *steer, *gain = *steer, r2.Vec{}, f.Gain
	l.run(x, r)
	f.Newtons, *steer = *steer, sum
	l.run(x, r)
	if !works {
		return nil
	}
	return f
}

// gain returns where a rule that steers the copy has its gain, nil for another.
func (l *ledger) gain(system any) *float64 {
	w, e := &l.apart, l.agent
	switch system.(type) {
	case *systems.Seek:
		if p := get[c.Seek](w, e); p != nil {
			return &p.Gain
		}
	case *systems.Flee:
		if p := get[c.Flee](w, e); p != nil {
			return &p.Gain
		}
	case *systems.Arrival:
		if p := get[c.Arrival](w, e); p != nil {
			return &p.Gain
		}
	case *systems.SmoothArrival:
		if p := get[c.SmoothArrival](w, e); p != nil && get[c.Drive](w, e) == nil {
			return &p.Gain
		}
	case *systems.Pursuit:
		if p := get[c.Pursuit](w, e); p != nil {
			return &p.Gain
		}
	case *systems.Evasion:
		if p := get[c.Evasion](w, e); p != nil {
			return &p.Gain
		}
	case *systems.OffsetPursuit:
		if p := get[c.OffsetPursuit](w, e); p != nil {
			return &p.Gain
		}
	case *systems.Wander:
		if p := get[c.Wander](w, e); p != nil {
			return &p.Gain
		}
	case *systems.Containment:
		if p := get[c.Containment](w, e); p != nil {
			return &p.Gain
		}
	case *systems.WallFollowing:
		if p := get[c.WallFollowing](w, e); p != nil {
			return &p.Gain
		}
	case *systems.Separation:
		if p := get[c.Separation](w, e); p != nil {
			return &p.Gain
		}
	case *systems.Alignment:
		if p := get[c.Alignment](w, e); p != nil {
			return &p.Gain
		}
	case *systems.Cohesion:
		if p := get[c.Cohesion](w, e); p != nil {
			return &p.Gain
		}
	case *systems.UnalignedCollisionAvoidance:
		if p := get[c.UnalignedCollisionAvoidance](w, e); p != nil {
			return &p.Gain
		}
	case *systems.Avoidance:
		if p := get[c.Avoidance](w, e); p != nil {
			return &p.MaxForce
		}
	}
	return nil
}

// follow runs the system that sets two points.
func (l *ledger) follow(x *Explanation, r *rule) {
	l.run(x, r)
	if target := get[c.Target](&l.apart, l.agent); target != nil && !l.leaders[0].IsZero() {
		x.Shares = append(x.Shares, Share{Behavior: "Follow", Target: change(r2.Vec{}, target.Vec)})
	}
	if flee := get[c.Flee](&l.apart, l.agent); flee != nil && !l.leaders[1].IsZero() {
		x.Shares = append(x.Shares, Share{Behavior: "FleeFrom", Target: change(r2.Vec{}, flee.From)})
	}
}

// orca runs the system that takes the forces for what the agent prefers.
func (l *ledger) orca(x *Explanation, r *rule) {
	l.sum(x)
	before := stateOf(&l.apart, nil, l.agent)
	account := &systems.Reciprocal{}
	r.system.(*systems.ORCA).Account = account
	if !l.run(x, r) {
		return
	}
	if account.MaxSpeed > 0 {
		x.Reciprocal = account
	}
	x.Shares = append(x.Shares, Share{Behavior: r.name, Velocity: change(before.Velocity, stateOf(&l.apart, nil, l.agent).Velocity)})
	x.taken = x.Force != r2.Vec{} && *l.steering() == r2.Vec{}
}

// sum writes down the force that is about to be used, and what limits it.
func (l *ledger) sum(x *Explanation) {
	limits := l.limits()
	x.MaxForce, x.MaxSpeed = limits.MaxForce, limits.MaxSpeed
	if mass := get[c.Mass](&l.apart, l.agent); mass != nil {
		x.Mass = mass.Kilograms
	}
	if steer := l.steering(); steer != nil {
		x.Force = *steer
	}
}

// steering returns the force on the copy, nil if it cannot have any.
func (l *ledger) steering() *r2.Vec {
	if steer := get[c.Steering](&l.apart, l.agent); steer != nil {
		return &steer.Vec
	}
	return nil
}

func (l *ledger) limits() c.Limits {
	if limits := get[c.Limits](&l.apart, l.agent); limits != nil {
		return *limits
	}
	return c.Limits{MaxSpeed: inf, MaxForce: inf}
}

func (l *ledger) driveSpeed() float64 {
	if drive := get[c.Drive](&l.apart, l.agent); drive != nil {
		return drive.Speed
	}
	return 0
}
