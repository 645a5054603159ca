package systems

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Arrival steers each agent toward its Target: at MaxSpeed outside the slowing radius, and inside it at
// a speed proportional to the distance.
//
// With gain g and mass m, an agent does not overshoot if SlowingRadius ≥ 4·m·MaxSpeed/g. With time step
// dt, gain m/dt and k = MaxSpeed·dt/SlowingRadius, it does not overshoot if k ≤ 1, oscillates if k is
// between 1 and 2, and never settles if k ≥ 2.
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

// arrive returns the velocity error for a target at the given offset and at distance d. The function arrive
// in internal/kernel/asm and workload W2 in benchmarks/plain.go repeat this rule.
func arrive(to r2.Vec, d float64, v r2.Vec, maxSpeed, radius float64) r2.Vec {
	if d < radius {
		d = radius
	}
	return seek(to, d, v, maxSpeed)
}

var arrivalEntry = catalog.Of(catalog.Entry{
	Name: "arrival", Text: "steer toward the target, and slow down near it",
	Source: `Reynolds 1999, "arrival"; "Understanding Steering Behaviors: Flee and Arrival"`,
	Needs:  []any{c.Target{}, c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &Arrival{} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 100, Laws: catalog.AllLaws,
	Doing: "arriving",
}, func(b *c.Arrival) []catalog.Param {
	return []catalog.Param{catalog.GainOf(&b.Gain), slowingRadius(&b.SlowingRadius)}
})

func slowingRadius(at *float64) catalog.Param {
	return catalog.Number("slowing-radius", at, "m", "distance from the target at which slowing begins")
}

func timeConstant(at *float64) catalog.Param {
	return catalog.Number("time-constant", at, "s", "time constant of the velocity").Within(catalog.AboveZero).Or(1.)
}

// DampedArrival turns the velocity of each agent toward its Target, and damps it within the slowing
// radius. A slow agent approaches the target asymptotically, and an agent at rest never starts.
//
// In the faithful mode, with a gain of 1, the speed outside the radius grows with the time t as
// e^(t/TimeConstant), up to the distance divided by TimeConstant. An agent faster than
// 2·SlowingRadius/TimeConstant at the slowing radius stops beyond the target. The default mode limits the
// speed to MaxSpeed and stops such an agent on the target.
//
// Reads Position, Target, DampedArrival and, if present, Limits. Writes Velocity.
//
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

// damp returns the velocity after a step. The rim is in the zone; the share is Gain·dt/TimeConstant.
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

const stopDistance = 0.001 // m, from the target; DampedArrival and OpposingArrival stop an agent there

func towards(to, v r2.Vec, timeConstant float64) r2.Vec {
	return vec.WithNorm(vec.Sub(vec.Scale(1/timeConstant, to), v), vec.Norm(v))
}

// stopAtTarget returns zero within stopDistance, the velocity that ends the step on the target if v would
// reach or pass it, and otherwise v.
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

// OpposingArrival turns the velocity of each agent toward its Target. Within the slowing radius,
// OpposingArrival accelerates the agent away from the target, in proportion to speed times distance. An agent
// at rest never starts.
//
// With a gain of 1, an agent's speed falls by SlowingRadius/(2·TimeConstant) between the slowing radius and
// the target. A slower agent stops short. A faster agent passes the target in the faithful mode, and stops on
// it in the default mode. The default mode also limits the speed to MaxSpeed. In the faithful mode, an agent
// exactly at the slowing radius stops.
//
// Reads Position, Target, OpposingArrival and, if present, Limits. Writes Velocity.
//
// Source: "Arrive", first method, a Unity article.
type OpposingArrival struct {
	Faithful bool // follow the source, without limits

	pos     frame.In[c.Position]
	target  frame.In[c.Target]
	limits  frame.In[c.Limits]
	arrival frame.In[c.OpposingArrival]
	vel     frame.Out[c.Velocity]
}

func (s *OpposingArrival) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.target, &s.arrival)
	n.Optional(&s.limits)
	n.Write(&s.vel)
	frame.Before[*Integration](n, "move agents by the velocity of the previous step")
	n.Once()
}

func (s *OpposingArrival) Run(b *frame.Batch) {
	pos, target, limits := s.pos.Of(b), s.target.Of(b), s.limits.Of(b)
	par, vel := s.arrival.Of(b), s.vel.Of(b)
	for i := range pos {
		a := par[i]
		if a.Gain == 0 {
			continue
		}
		to, v := vec.Sub(target[i].Vec, pos[i].Vec), vel[i].Vec
		if !vec.Finite(to) {
			b.Skip()
			continue
		}
		share := a.Gain * b.Dt / a.TimeConstant
		if s.Faithful {
			v = opposeFaithful(to, v, a.SlowingRadius, a.TimeConstant, share)
		} else {
			v = oppose(to, v, a.SlowingRadius, a.TimeConstant, share)
			v = vec.Truncate(v, speedLimit(limits, i))
			v = stopAtTarget(to, v, b.Dt)
		}
		setFinite(b, &vel[i].Vec, v)
	}
}

// opposeFaithful returns the velocity after a step by the source's rule, which freezes the agent exactly on
// the rim and within stopDistance.
func opposeFaithful(to, v r2.Vec, radius, timeConstant, share float64) r2.Vec {
	d := vec.Norm(to)
	switch {
	case d > radius:
		return vec.AddScaled(v, share, towards(to, v, timeConstant))
	case d < radius && d > stopDistance:
		return vec.AddScaled(v, -share*vec.Norm(v)*(d/radius), vec.Unit(to))
	}
	return r2.Vec{}
}

// oppose is like opposeFaithful, but the rim is inside the zone.
func oppose(to, v r2.Vec, radius, timeConstant, share float64) r2.Vec {
	if radius > stopDistance && vec.Norm(to) == radius {
		return vec.AddScaled(v, -share*vec.Norm(v), vec.Unit(to))
	}
	return opposeFaithful(to, v, radius, timeConstant, share)
}

var opposingArrivalEntry = catalog.Of(catalog.Entry{
	Name: "opposing-arrival", Text: "arrive by an acceleration away from the target",
	Source: `"Arrive", first method, a Unity article`,
	Needs:  []any{c.Target{}},
	System: func(o catalog.Options) any { return &OpposingArrival{Faithful: settings(o).FaithfulArrivals} },
	Phase:  catalog.Steer, Does: catalog.SetsVelocity, Laws: catalog.AllLaws,
	Doing: "arriving",
}, func(b *c.OpposingArrival) []catalog.Param {
	return []catalog.Param{
		catalog.Number("gain", &b.Gain, "", "share of the rule's acceleration").Or(1.).Pausing(),
		slowingRadius(&b.SlowingRadius),
		timeConstant(&b.TimeConstant),
	}
})

// SmoothArrival slows each agent down along a smoothstep curve, from full speed at the distance Max from its
// Target to zero at Min, which agents approach asymptotically. For agents with Drive, it sets Drive.Speed, up
// to Drive.TopSpeed. It steers other agents toward the Target, at up to Limits.MaxSpeed.
//
// Reads Position, Target, SmoothArrival and, for agents without Drive, Velocity and Limits. Writes
// Drive, or adds to Steering.
//
// Source: "XNA Series, Modular AI, Flee and Arrival".
type SmoothArrival struct {
	pos     frame.In[c.Position]
	vel     frame.In[c.Velocity]
	target  frame.In[c.Target]
	limits  frame.In[c.Limits]
	arrival frame.In[c.SmoothArrival]
	steer   frame.Out[c.Steering]
	drive   frame.Out[c.Drive]
}

func (s *SmoothArrival) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.target, &s.arrival)
	n.Optional(&s.vel, &s.limits, &s.steer, &s.drive)
	n.Add(&s.steer)
	frame.Before[*Drive](n, "move agents at the speed of the previous step")
	n.Once()
}

func (s *SmoothArrival) Run(b *frame.Batch) {
	pos, target, par, drive := s.pos.Of(b), s.target.Of(b), s.arrival.Of(b), s.drive.Of(b)
	if drive != nil {
		for i := range pos {
			if par[i].Gain != 0 {
				d := vec.Norm(vec.Sub(target[i].Vec, pos[i].Vec))
				drive[i].Speed = smoothSpeed(d, drive[i].TopSpeed, par[i].Min, par[i].Max)
			}
		}
		return
	}
	vel, limits, steer := s.vel.Of(b), s.limits.Of(b), s.steer.Of(b)
	if vel == nil || limits == nil || steer == nil {
		return
	}
	for i := range pos {
		to := vec.Sub(target[i].Vec, pos[i].Vec)
		speed := smoothSpeed(vec.Norm(to), limits[i].MaxSpeed, par[i].Min, par[i].Max)
		e := vec.Sub(vec.WithNorm(to, speed), vel[i].Vec)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

// smoothSpeed returns speed·s²(3-2s), where s rises from 0 to 1 between the distances near and far.
func smoothSpeed(d, speed, near, far float64) float64 {
	switch {
	case d > far:
		return speed
	case !(d > near):
		return 0
	}
	s := (d - near) / (far - near)
	return speed * s * s * (3 - float64(2*s))
}

var smoothArrivalEntry = catalog.Of(catalog.Entry{
	Name: "smooth-arrival", Text: "slow down by a smooth step between two distances from the target",
	Source: `"XNA Series, Modular AI, Flee and Arrival"`,
	Needs:  []any{c.Target{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &SmoothArrival{} }, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SetsSpeed, Priority: 110, Laws: catalog.AllLaws,
	Doing:  "arriving",
	Unless: c.Drive{}, // SmoothArrival sets the Speed of Drive
	Check:  checkSmoothArrival,
}, func(b *c.SmoothArrival) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Number("min", &b.Min, "m", "distance at which the speed is zero"),
		catalog.Number("max", &b.Max, "m", "distance at which slowing begins, above min").Within(catalog.AboveZero),
	}
})

func checkSmoothArrival(component any) (key, problem string) {
	b := component.(*c.SmoothArrival)
	if !(b.Min < b.Max) {
		return "max", fmt.Sprintf("is %v m, want above min (%v m)", b.Max, b.Min)
	}
	return "", ""
}
