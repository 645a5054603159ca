package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Integration applies the Steering of each agent to its velocity, and the
// velocity to its position, and sets Steering back to zero. Force and speed are
// truncated to Limits. An agent without Steering only moves on.
//
// Velocity goes first, then position (semi-implicit Euler). A row whose result
// would not be finite, whose mass is not above zero, or whose limits are not
// zero or more, is left as it is and counted; its Steering is zeroed so that it
// can recover.
//
// Reads Limits, Mass, if there are any. Writes Position, Velocity, Steering.
// Agents with Drive are moved by that instead.
// Source: Reynolds 1999, "locomotion"; "Understanding Steering Behaviors" (A5).
type Integration struct {
	// Hold keeps the stored velocity: the agent moves by what steering makes of
	// it, and goes on at its own velocity once the steering ends (A13).
	Hold bool

	pos    Out[c.Position]
	vel    Out[c.Velocity]
	steer  Out[c.Steering]
	limits In[c.Limits]
	mass   In[c.Mass]
}

func (s *Integration) Needs(n *Needs) {
	n.Write(&s.pos, &s.vel)
	n.Optional(&s.steer, &s.limits, &s.mass)
	Without[c.Drive](n)
}

func (s *Integration) Run(b *Batch) {
	pos, vel, steer := s.pos.Of(b), s.vel.Of(b), s.steer.Of(b)
	if steer == nil {
		for i := range pos {
			setFinite(b, &pos[i].Vec, vec.AddScaled(pos[i].Vec, b.Dt, vel[i].Vec))
		}
		return
	}
	limits, mass := s.limits.Of(b), s.mass.Of(b)
	lim, m := c.Limits{MaxSpeed: inf, MaxForce: inf}, 1.
	for i := range pos {
		if limits != nil {
			lim = limits[i]
		}
		if mass != nil {
			m = mass[i].Kilograms
		}
		p, v := integrate(pos[i].Vec, vel[i].Vec, steer[i].Vec, m, lim, b.Dt)
		steer[i].Vec = r2.Vec{}
		if !vec.Finite(p) || !vec.Finite(v) || !(m > 0 && lim.MaxSpeed >= 0 && lim.MaxForce >= 0) {
			b.Skip()
			continue
		}
		pos[i].Vec = p
		if !s.Hold {
			vel[i].Vec = v
		}
	}
}

// integrate returns position and velocity after a step under a force (A5). With
// dt and mass 1 and no limit of force it is the tutorials' step (A4).
func integrate(p, v, force r2.Vec, mass float64, limits c.Limits, dt float64) (r2.Vec, r2.Vec) {
	force = vec.Truncate(force, limits.MaxForce)
	v = vec.Truncate(vec.AddScaled(v, dt/mass, force), limits.MaxSpeed)
	return vec.AddScaled(p, dt, v), v
}
