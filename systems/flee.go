package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Flee steers each agent straight away from the point of its Flee at full
// speed, within the zone of effect. Outside the zone it does nothing; it does
// not brake.
//
// Reads Position, Velocity, Limits, Flee, and Heading if there is one. Adds to
// Steering.
// Source: Reynolds 1999, "flee"; the zone: "Understanding Steering Behaviors:
// Flee and Arrival".
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

// flee returns desired velocity minus velocity, in m/s, where away is the way
// from the point to the agent; -v when that is zero.
func flee(away, v r2.Vec, maxSpeed float64) r2.Vec {
	return seek(away, vec.Norm(away), v, maxSpeed)
}

var fleeEntry = catalog.Of(catalog.Entry{
	Name: "flee", Text: "steer straight away from a point",
	Source: `Reynolds 1999, "flee"; the zone: "Understanding Steering Behaviors: Flee and Arrival"`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &Flee{} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 70, Laws: catalog.AllLaws,
	Doing: "fleeing", While: frame.While2(func(p *c.Position, b *c.Flee) bool { return inZone(p.Vec, b.From, b.Radius) }),
	Unless: c.TurnAway{}, // which only takes the point from it
}, func(b *c.Flee) []catalog.Param {
	return []catalog.Param{
		catalog.Point("from", &b.From, "what to flee from").KeptBy(c.FleeFrom{}),
		catalog.GainOf(&b.Gain),
		catalog.Number("radius", &b.Radius, "m", "zone of effect; 0: everywhere").Or(0.),
	}
})
