package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// DampedArrival turns the velocity of each agent towards its Target, and within
// the slowing radius damps it as well.
//
// The rule is kept with its faults: outside the zone the speed grows with e^t
// until it equals the distance over TimeConstant; an agent that enters the zone
// faster than 2·SlowingRadius/TimeConstant overshoots and strands; an agent
// without speed never starts; the target is approached but never reached. The
// safe mode limits the speed by Limits and stops on the target when a step
// would pass it.
//
// Reads Position, Target, DampedArrival, and Limits if there are any. Writes
// Velocity.
// Source: "Arrive", second method, a Unity article.
type DampedArrival struct {
	Faithful bool // the rule as its source has it, without limits

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
	frame.Before[*Integration](n, "move agents by the velocity of the step before")
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

// damp returns the new velocity, where to is the way to the target and share
// the part of a time constant that the step lasts. The rim is inside.
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
