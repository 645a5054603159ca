package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Arrival steers each agent at its Target, at full speed from afar and slower
// within the slowing radius, in proportion to the distance.
//
// With k = MaxSpeed·dt/SlowingRadius, and a gain that removes the whole error
// in one step, the distance shrinks by 1-k a step: k < 1 arrives without
// overshoot, 1 < k < 2 rings, k ≥ 2 never settles. With gain g and mass m
// there is no overshoot if SlowingRadius ≥ 4·m·MaxSpeed/g.
//
// Reads Position, Velocity, Target, Limits, Arrival. Adds to Steering.
// Source: Reynolds 1999, "arrival"; "Understanding Steering Behaviors: Flee and
// Arrival".
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

// arrive returns desired velocity minus velocity, in m/s, where the target is the
// offset to away, at the distance d; -v at the target. The desired speed is
// maxSpeed·min(d/radius, 1).
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
