package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Arrival steers each agent toward its Target: at full speed outside the slowing radius, and inside it
// at a speed proportional to the distance.
//
// With time step dt, k = MaxSpeed·dt/SlowingRadius, and a gain that removes the whole error in one step,
// the distance inside the radius is multiplied by 1-k per step: an agent arrives without overshoot if
// k ≤ 1, oscillates if 1 < k < 2, and never settles if k ≥ 2. With gain g and mass m there is no overshoot if
// SlowingRadius ≥ 4·m·MaxSpeed/g.
//
// Reads Position, Velocity, Target, Limits, Arrival. Adds to Steering.
//
// Source: Reynolds 1999, "arrival"; "Understanding Steering Behaviors: Flee and Arrival".
type Arrival struct {
	pos     frame.In[c.Position]
	vel     frame.In[c.Velocity]
	target  frame.In[c.Target]
	limits  frame.In[c.Limits]
	arrival frame.In[c.Arrival]
	steer   frame.Out[c.Steering]
}

func (s *Arrival) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.target, &s.limits, &s.arrival)
	n.Add(&s.steer)
	n.Once()
}

func (s *Arrival) Run(b *frame.Batch) {
	pos, vel, target := s.pos.Of(b), s.vel.Of(b), s.target.Of(b)
	limits, par, steer := s.limits.Of(b), s.arrival.Of(b), s.steer.Of(b)
	n := len(pos)
	vel, target, limits, par, steer = vel[:n], target[:n], limits[:n], par[:n], steer[:n]
	for i := 0; i < n; {
		i += kernel.Arrive(pos[i:], vel[i:], target[i:], limits[i:], par[i:], steer[i:])
		for end := kernel.Until(i, n); i < end; i++ {
			to := vec.Sub(target[i].Vec, pos[i].Vec)
			e := arrive(to, vec.Norm(to), vel[i].Vec, limits[i].MaxSpeed, par[i].SlowingRadius)
			steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
		}
	}
}

// arrive returns the desired velocity minus the velocity, in m/s, for a target whose offset
// is to, at distance d. It returns -v at the target. The desired speed is maxSpeed·min(d/radius, 1).
//
// The function arrive in internal/kernel/asm and workload W2 in benchmarks/plain.go repeat this rule.
func arrive(to r2.Vec, d float64, v r2.Vec, maxSpeed, radius float64) r2.Vec {
	if d < radius {
		d = radius
	}
	return seek(to, d, v, maxSpeed)
}

var arrivalEntry = catalog.Of(catalog.Entry{
	Name: "arrival", Text: "steer at the target, and slow down near it",
	Source: `Reynolds 1999, "arrival"; "Understanding Steering Behaviors: Flee and Arrival"`,
	Needs:  []any{c.Target{}, c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &Arrival{} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 100, Laws: catalog.AllLaws,
	Doing: "arriving",
}, func(b *c.Arrival) []catalog.Param {
	return []catalog.Param{catalog.GainOf(&b.Gain), slowingRadius(&b.SlowingRadius)}
})

func slowingRadius(at *float64) catalog.Param {
	return catalog.Number("slowing-radius", at, "m", "distance from the target at which it begins to slow down")
}

func timeConstant(at *float64) catalog.Param {
	return catalog.Number("time-constant", at, "s", "time constant of the velocity").Within(catalog.AboveZero).Or(1.)
}

// DampedArrival turns the velocity of each agent toward its Target, and damps it in the zone within the
// slowing radius.
//
// The faithful mode keeps the faults of its source. With a gain of 1, the speed outside the zone grows
// as e^(t/TimeConstant) until it equals the distance divided by TimeConstant, and an agent that enters
// the zone faster than 2·SlowingRadius/TimeConstant passes the target and stops beyond it. The safe
// mode limits the speed to MaxSpeed and stops on the target if a step would pass it. In both modes, an
// agent that enters the zone slowly approaches the target asymptotically, and an agent at rest never
// starts.
//
// Reads Position, Target, DampedArrival and, if present, Limits. Writes Velocity.
// Source: "Arrive", second method, a Unity article.
type DampedArrival struct {
	Faithful bool // follow the source, without limits

	pos     frame.In[c.Position]
	target  frame.In[c.Target]
	limits  frame.In[c.Limits]
	arrival frame.In[c.DampedArrival]
	vel     frame.Out[c.Velocity]
}

func (s *DampedArrival) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.target, &s.arrival)
	n.Optional(&s.limits)
	n.Write(&s.vel)
	frame.Before[*Integration](n, "move agents by the velocity of the previous step")
	n.Once()
}

func (s *DampedArrival) Run(b *frame.Batch) {
	pos, target, limits := s.pos.Of(b), s.target.Of(b), s.limits.Of(b)
	par, vel := s.arrival.Of(b), s.vel.Of(b)
	for i := range pos {
		a := par[i]
		if a.Gain == 0 {
			continue
		}
		to := vec.Sub(target[i].Vec, pos[i].Vec)
		v := damp(to, vel[i].Vec, a.SlowingRadius, a.TimeConstant, a.Gain*b.Dt/a.TimeConstant)
		if !s.Faithful {
			v = vec.Truncate(v, speedLimit(limits, i))
			v = stopAtTarget(to, v, b.Dt)
		}
		setFinite(b, &vel[i].Vec, v)
	}
}

// damp returns the new velocity for a target whose offset is to; share is the gain times the time
// step, divided by the time constant. The zone includes its rim.
func damp(to, v r2.Vec, radius, timeConstant, share float64) r2.Vec {
	turn := towards(to, v, timeConstant)
	if vec.Norm(to) > radius {
		return vec.AddScaled(v, share, turn)
	}
	return vec.AddScaled(v, share, vec.Sub(turn, v))
}

var dampedArrivalEntry = catalog.Of(catalog.Entry{
	Name: "damped-arrival", Text: "arrive by damping the velocity",
	Source: `"Arrive", second method, a Unity article`,
	Needs:  []any{c.Target{}},
	System: func(o catalog.Options) any { return &DampedArrival{Faithful: settings(o).FaithfulArrivals} },
	Phase:  catalog.Steer, Does: catalog.SetsVelocity, Laws: catalog.AllLaws,
	Doing: "arriving",
}, func(b *c.DampedArrival) []catalog.Param {
	return []catalog.Param{
		catalog.Number("gain", &b.Gain, "", "share of the rule's acceleration").Or(1.).Pausing(),
		slowingRadius(&b.SlowingRadius),
		timeConstant(&b.TimeConstant),
	}
})

// stopDistance is the distance from its target, in meters, at which a kinematic arrival stops.
const stopDistance = 0.001

// towards returns |v| times the unit vector of to/timeConstant - v.
func towards(to, v r2.Vec, timeConstant float64) r2.Vec {
	return vec.WithNorm(vec.Sub(vec.Scale(1/timeConstant, to), v), vec.Norm(v))
}

// stopAtTarget returns v, or the velocity that ends the step exactly on the target if a step at v
// would reach or pass it, or zero within stopDistance of the target.
func stopAtTarget(to, v r2.Vec, dt float64) r2.Vec {
	d2 := vec.Norm2(to)
	if d2 <= stopDistance*stopDistance {
		return r2.Vec{}
	}
	if vec.Dot(v, to)*dt >= d2 && d2 < math.Inf(1) {
		return vec.Scale(1/dt, to)
	}
	return v
}
