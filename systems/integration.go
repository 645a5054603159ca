package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
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
// Source: Reynolds 1999, "locomotion"; "Understanding Steering Behaviors".
type Integration struct {
	// Hold keeps the stored velocity: the agent moves by what steering makes of
	// it, and goes on at its own velocity once the steering ends.
	Hold bool

	pos    frame.Out[c.Position]
	vel    frame.Out[c.Velocity]
	steer  frame.Out[c.Steering]
	limits frame.In[c.Limits]
	mass   frame.In[c.Mass]
}

func (s *Integration) Needs(n *frame.Needs) {
	n.Write(&s.pos, &s.vel)
	n.Optional(&s.steer, &s.limits, &s.mass)
	n.Take(&s.steer)
	frame.Without[c.Drive](n)
	n.Once()
}

func (s *Integration) Run(b *frame.Batch) {
	pos, vel, steer := s.pos.Of(b), s.vel.Of(b), s.steer.Of(b)
	if steer == nil {
		for i := range pos {
			setFinite(b, &pos[i].Vec, vec.AddScaled(pos[i].Vec, b.Dt, vel[i].Vec))
		}
		return
	}
	// A column that is missing is one row for all agents.
	limits, mass, eachLimits, eachMass := s.limits.Of(b), s.mass.Of(b), -1, -1
	if limits == nil {
		limits, eachLimits = unlimited[:], 0
	}
	if mass == nil {
		mass, eachMass = kilogram[:], 0
	}
	dt, m, impulse := b.Dt, 0., math.NaN()
	vel, steer = vel[:len(pos)], steer[:len(pos)]
	for i := range pos {
		lim := limits[i&eachLimits]
		if kg := mass[i&eachMass].Kilograms; kg != m { // most are alike, and a division is slow
			if m, impulse = kg, dt/kg; !(m > 0) {
				impulse = math.NaN()
			}
		}
		force := steer[i].Vec
		if !vec.Shorter(force, lim.MaxForce) {
			force = vec.Scale(vec.Shrink(lim.MaxForce, vec.Norm(force)), force)
		}
		v := vec.AddScaled(vel[i].Vec, impulse, force)
		if !vec.Shorter(v, lim.MaxSpeed) {
			v = vec.Scale(vec.Shrink(lim.MaxSpeed, vec.Norm(v)), v)
		}
		p := vec.AddScaled(pos[i].Vec, dt, v)
		steer[i].Vec = r2.Vec{}
		if !vec.Finite(p) { // nor is it if anything before was not
			b.Skip()
			continue
		}
		pos[i].Vec = p
		if !s.Hold {
			vel[i].Vec = v
		}
	}
}

var (
	unlimited = [1]c.Limits{{MaxSpeed: math.Inf(1), MaxForce: math.Inf(1)}}
	kilogram  = [1]c.Mass{{Kilograms: 1}}
)
