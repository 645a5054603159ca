package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Seek steers each agent at full speed straight toward its Target. The agent passes the target again and
// again; use Arrival to stop there.
//
// Reads Position, Velocity, Target, Limits, Seek. Adds to Steering.
//
// Source: Reynolds 1999, "seek".
type Seek struct {
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	target frame.In[c.Target]
	limits frame.In[c.Limits]
	seek   frame.In[c.Seek]
	steer  frame.Out[c.Steering]
}

func (s *Seek) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.target, &s.limits, &s.seek)
	n.Add(&s.steer)
	n.Once()
}

func (s *Seek) Run(b *frame.Batch) {
	pos, vel, target := s.pos.Of(b), s.vel.Of(b), s.target.Of(b)
	limits, par, steer := s.limits.Of(b), s.seek.Of(b), s.steer.Of(b)
	n := len(pos)
	vel, target, limits, par, steer = vel[:n], target[:n], limits[:n], par[:n], steer[:n]
	for i := 0; i < n; {
		i += kernel.Seek(pos[i:], vel[i:], target[i:], limits[i:], par[i:], steer[i:])
		for end := kernel.Until(i, n); i < end; i++ {
			to := vec.Sub(target[i].Vec, pos[i].Vec)
			e := seek(to, vec.Norm(to), vel[i].Vec, limits[i].MaxSpeed)
			steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
		}
	}
}

func seek(to r2.Vec, d float64, v r2.Vec, maxSpeed float64) r2.Vec {
	return vec.Sub(vec.Scale(vec.Factor(maxSpeed, d), to), v)
}

var seekEntry = catalog.Of(catalog.Entry{
	Name: "seek", Text: "steer straight toward the target at full speed",
	Source: `Reynolds 1999, "seek"`,
	Needs:  []any{c.Target{}, c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &Seek{} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 120, Laws: catalog.AllLaws,
	Doing: "seeking",
}, func(b *c.Seek) []catalog.Param {
	return []catalog.Param{catalog.GainOf(&b.Gain)}
})

// Flee steers each agent within Flee.Radius of the point Flee.From directly away from that point, at full
// speed. Farther away, Flee adds no force, so the agent does not brake. A Radius of 0 means everywhere. At the
// point itself, the agent flees in the direction that it faces.
//
// Reads Position, Velocity, Limits, Flee and, if present, Heading. Adds to Steering.
//
// Source: Reynolds 1999, "flee"; the zone: "Understanding Steering Behaviors: Flee and Arrival".
type Flee struct {
	pos     frame.In[c.Position]
	vel     frame.In[c.Velocity]
	limits  frame.In[c.Limits]
	flee    frame.In[c.Flee]
	heading frame.In[c.Heading]
	steer   frame.Out[c.Steering]
}

func (s *Flee) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.limits, &s.flee)
	n.Optional(&s.heading)
	n.Add(&s.steer)
	n.Once()
}

func (s *Flee) Run(b *frame.Batch) {
	pos, vel, limits := s.pos.Of(b), s.vel.Of(b), s.limits.Of(b)
	par, heading, steer := s.flee.Of(b), s.heading.Of(b), s.steer.Of(b)
	for i := 0; i < len(pos); {
		i += kernel.Flee(pos[i:], vel[i:], limits[i:], par[i:], steer[i:])
		for end := kernel.Until(i, len(pos)); i < end; i++ {
			p, from := pos[i].Vec, par[i].From
			if !inZone(p, from, par[i].Radius) {
				continue
			}
			away := vec.Sub(p, from)
			if vec.Norm(away) < vec.MinNorm {
				away = facing(vel, heading, i)
			}
			e := flee(away, vel[i].Vec, limits[i].MaxSpeed)
			steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
		}
	}
}

func flee(away, v r2.Vec, maxSpeed float64) r2.Vec {
	return seek(away, vec.Norm(away), v, maxSpeed)
}

var fleeEntry = catalog.Of(catalog.Entry{
	Name: "flee", Text: "steer directly away from a point",
	Source: `Reynolds 1999, "flee"; the zone: "Understanding Steering Behaviors: Flee and Arrival"`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &Flee{} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 70, Laws: catalog.AllLaws,
	Doing: "fleeing", While: frame.While2(func(p *c.Position, b *c.Flee) bool { return inZone(p.Vec, b.From, b.Radius) }),
	Unless: c.TurnAway{}, // uses only From and Radius
}, func(b *c.Flee) []catalog.Param {
	return []catalog.Param{
		catalog.Point("from", &b.From, "point to flee from").KeptBy(c.FleeFrom{}),
		catalog.GainOf(&b.Gain),
		catalog.Number("radius", &b.Radius, "m", "radius of the zone of effect; 0 means everywhere").Or(0.),
	}
})

// KinematicSeek sets the velocity of each agent to Gain·MaxSpeed straight toward its Target, or to zero at
// the target, without a force: the agent turns at once when the target moves. If Gain is 0, the velocity
// does not change.
//
// Reads Position, Target, Limits, KinematicSeek. Writes Velocity.
//
// Source: "Understanding Steering Behaviors: Seek".
type KinematicSeek struct {
	pos    frame.In[c.Position]
	target frame.In[c.Target]
	limits frame.In[c.Limits]
	seek   frame.In[c.KinematicSeek]
	vel    frame.Out[c.Velocity]
}

func (s *KinematicSeek) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.target, &s.limits, &s.seek)
	n.Write(&s.vel)
	frame.Before[*Integration](n, "move agents by the velocity of the previous step")
	n.Once()
}

func (s *KinematicSeek) Run(b *frame.Batch) {
	pos, target, limits := s.pos.Of(b), s.target.Of(b), s.limits.Of(b)
	par, vel := s.seek.Of(b), s.vel.Of(b)
	for i := range pos {
		if par[i].Gain == 0 {
			continue
		}
		v := kinematicSeek(pos[i].Vec, target[i].Vec, par[i].Gain*limits[i].MaxSpeed)
		setFinite(b, &vel[i].Vec, v)
	}
}

func kinematicSeek(p, target r2.Vec, speed float64) r2.Vec {
	return vec.WithNorm(vec.Sub(target, p), speed)
}

var kinematicSeekEntry = catalog.Of(catalog.Entry{
	Name: "kinematic-seek", Text: "move straight toward the target, without a force",
	Source: `"Understanding Steering Behaviors: Seek"`,
	Needs:  []any{c.Target{}, c.Limits{}},
	System: func(catalog.Options) any { return &KinematicSeek{} }, Phase: catalog.Steer,
	Does: catalog.SetsVelocity, Laws: catalog.AllLaws,
	Doing: "seeking",
}, func(b *c.KinematicSeek) []catalog.Param {
	return []catalog.Param{catalog.Number("gain", &b.Gain, "", "share of max-speed").Or(1.).Pausing()}
})
