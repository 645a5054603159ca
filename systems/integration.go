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

// Integration applies the Steering of each agent to its velocity, then the velocity to its position
// (semi-implicit Euler), and resets Steering. Force and speed are truncated to Limits. An agent without
// Steering keeps its velocity, even above MaxSpeed.
//
// A row is skipped and counted if the result would not be finite, the mass is not positive, or a limit
// is negative or NaN. Its Steering is reset, so the agent can recover.
//
// Reads Limits and Mass, if present. Writes Position, Velocity and, if present, Steering. Integration
// does not move agents with Drive.
//
// Source: Reynolds 1999, "locomotion"; "Understanding Steering Behaviors".
type Integration struct {
	// Hold keeps Velocity: Steering changes the agent's velocity only for the step.
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
	limits, mass := s.limits.Of(b), s.mass.Of(b)
	vel, steer = vel[:len(pos)], steer[:len(pos)]
	for i := 0; i < len(pos); {
		if !s.Hold {
			i += kernel.Integrate(pos[i:], vel[i:], steer[i:], limits[min(i, len(limits)):], mass[min(i, len(mass)):], b.Dt)
		}
		end := kernel.Until(i, len(pos))
		s.integrate(b, pos[i:end], vel[i:end], steer[i:end], limits[min(i, len(limits)):], mass[min(i, len(mass)):])
		i = end
	}
}

func (s *Integration) integrate(b *frame.Batch, pos []c.Position, vel []c.Velocity, steer []c.Steering, limits []c.Limits, mass []c.Mass) {
	// A missing column is replaced by one row for all agents.
	eachLimits, eachMass := -1, -1
	if len(limits) == 0 {
		limits, eachLimits = unlimited[:], 0
	}
	if len(mass) == 0 {
		mass, eachMass = kilogram[:], 0
	}
	dt, m, impulse := b.Dt, 0., math.NaN()
	for i := range pos {
		lim := limits[i&eachLimits]
		if kg := mass[i&eachMass].Kilograms; kg != m { // most masses are equal, and a division is slow
			if m, impulse = kg, dt/kg; !(m > 0) {
				impulse = math.NaN()
			}
		}
		// This is integrate with one range check for all numbers; two checks make workload W1 3% to 8%
		// slower.
		force := steer[i].Vec
		f2 := vec.Norm2(force)
		v := vec.AddScaled(vel[i].Vec, impulse, vec.Scale(vec.Shrink(f2, lim.MaxForce), force))
		v2 := vec.Norm2(v)
		v = vec.Scale(vec.Shrink(v2, lim.MaxSpeed), v)
		p := vec.AddScaled(pos[i].Vec, dt, v)
		steer[i].Vec = r2.Vec{}
		if !(f2+v2+vec.Residue(p) <= vec.MaxNorm2 && lim.MaxForce >= vec.MinNorm && lim.MaxSpeed >= vec.MinNorm) {
			p, v = integrate(pos[i].Vec, vel[i].Vec, force, m, lim, dt)
			if !vec.Finite(p) || !(m > 0 && lim.MaxForce >= 0 && lim.MaxSpeed >= 0) {
				b.Skip()
				continue
			}
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

// integrate is the step of the tutorials if dt and mass are 1 and there is no force limit.
func integrate(p, v, force r2.Vec, mass float64, limits c.Limits, dt float64) (r2.Vec, r2.Vec) {
	force = vec.Truncate(force, limits.MaxForce)
	v = vec.Truncate(vec.AddScaled(v, dt/mass, force), limits.MaxSpeed)
	return vec.AddScaled(p, dt, v), v
}

// PreviousPosition records the position of each agent at the start of the step. Put it before all
// systems that move agents.
//
// Reads Position. Writes PreviousPosition.
type PreviousPosition struct {
	pos  frame.In[c.Position]
	from frame.Out[c.PreviousPosition]
}

func (s *PreviousPosition) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Write(&s.from)
	n.Once()
}

func (s *PreviousPosition) Run(b *frame.Batch) {
	pos, from := s.pos.Of(b), s.from.Of(b)
	for i := range pos {
		from[i].Vec = pos[i].Vec
	}
}

// Drive moves each agent that has the component Drive along its Heading, in place of Integration.
//
// Reads Heading, Drive. Writes Position and, if present, Velocity.
//
// Source: "XNA Series, Modular AI", Move.
type Drive struct {
	heading frame.In[c.Heading]
	drive   frame.In[c.Drive]
	pos     frame.Out[c.Position]
	vel     frame.Out[c.Velocity]
}

func (s *Drive) Needs(n *frame.Needs) {
	n.Read(&s.heading, &s.drive)
	n.Write(&s.pos)
	n.Optional(&s.vel)
	n.Once()
}

func (s *Drive) Run(b *frame.Batch) {
	heading, par, pos, vel := s.heading.Of(b), s.drive.Of(b), s.pos.Of(b), s.vel.Of(b)
	for i := range pos {
		p, v := drive(pos[i].Vec, heading[i].Vec, par[i].Speed, b.Dt)
		if !vec.Finite(p) {
			b.Skip()
			continue
		}
		pos[i].Vec = p
		if vel != nil {
			vel[i].Vec = v
		}
	}
}

func drive(p, heading r2.Vec, speed, dt float64) (r2.Vec, r2.Vec) {
	v := vec.Scale(speed, heading)
	return vec.AddScaled(p, dt, v), v
}

var driveEntry = catalog.Of(catalog.Entry{
	Name: "drive", Text: "move along the heading, like a vehicle",
	Source: `"XNA Series, Modular AI", Move`,
	Adds:   []any{eastward},
	System: func(catalog.Options) any { return &Drive{} }, Phase: catalog.Move,
	Does: catalog.Moves | catalog.SetsVelocity, Laws: catalog.AllLaws,
}, func(b *c.Drive) []catalog.Param {
	return []catalog.Param{
		catalog.Number("speed", &b.Speed, "m/s", "speed of the agent").Pausing(),
		catalog.Number("top-speed", &b.TopSpeed, "m/s", "full speed before smooth-arrival reduces it"),
	}
})

func setFinite(b *frame.Batch, to *r2.Vec, v r2.Vec) {
	if !vec.Finite(v) {
		b.Skip()
		return
	}
	*to = v
}
