package systems

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// OpposingArrival turns the velocity of each agent toward its Target. Within the slowing radius, it
// accelerates the agent away from the target, in proportion to speed times distance.
//
// The faithful mode keeps the faults of the source. With a gain of 1, an agent loses a speed of
// SlowingRadius/(2·TimeConstant) on the way from the rim to the target: one that enters the zone more slowly
// stops short of the target and stays there, and one that enters faster passes the target. The safe mode
// limits the speed by Limits, includes the rim in the zone, and stops on the target if a step would pass it.
// In both modes, slow agents stop short, and an agent at rest never starts.
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

// opposeFaithful returns the new velocity for a target whose offset is to; share is the gain times the time
// step, divided by the time constant. Exactly on the rim and within stopDistance, the agent freezes.
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

// oppose is opposeFaithful with the rim inside the zone.
func oppose(to, v r2.Vec, radius, timeConstant, share float64) r2.Vec {
	if radius > stopDistance && vec.Norm(to) == radius {
		return vec.AddScaled(v, -share*vec.Norm(v), vec.Unit(to))
	}
	return opposeFaithful(to, v, radius, timeConstant, share)
}

var opposingArrivalEntry = catalog.Of(catalog.Entry{
	Name: "opposing-arrival", Text: "arrive by a force that opposes the direction to the target",
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

// SmoothArrival slows each agent down by a smooth step between two distances from its Target: full
// speed at Max and beyond, and zero at Min and nearer. Agents approach Min asymptotically.
//
// For an agent with Drive, SmoothArrival sets Drive.Speed, up to Drive.TopSpeed; it steers other agents
// toward the Target at that speed, up to Limits.MaxSpeed.
//
// Reads Position, Target, SmoothArrival and, for agents without Drive, Velocity and Limits. Writes
// Drive, or adds to Steering.
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

// smoothSpeed returns speed·s²(3-2s), where s rises from 0 at d = near to 1 at d = far,
// and is constant elsewhere.
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
		return "max", fmt.Sprintf("is %v m, want above min = %v", b.Max, b.Min)
	}
	return "", ""
}
