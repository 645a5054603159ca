package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
)

// Alignment steers each agent to move as the neighbors that it sees do. With w
// the velocities of n neighbors:
//
//	desired = Σ w / n, truncated to MaxSpeed; steering = desired - v
//
// Who is alone does nothing; it does not brake.
//
// Neighbors are as of the start of the step, from Neighbors in the same frame.
// Agents that are not there are alone. Neighbors.Wrap lets agents look across the
// edges of a world that wraps.
//
// Reads Velocity, Limits, Alignment, and what Neighbors reads. Adds to Steering.
// Source: Reynolds 1987, "velocity matching"; 1999, "alignment".
type Alignment struct {
	near   sense.SumsQuery[c.Alignment]
	vel    frame.In[c.Velocity]
	limits frame.In[c.Limits]
	par    frame.In[c.Alignment]
	steer  frame.Out[c.Steering]
}

func (s *Alignment) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.limits, &s.par)
	n.Add(&s.steer)
	s.near.Ask(n, func(p c.Alignment) sense.Look {
		return sense.Look{NeighborDist: p.NeighborDist, FieldOfView: p.FieldOfView, MaxNeighbors: p.MaxNeighbors}
	})
	n.Once()
}

func (s *Alignment) Run(b *frame.Batch) {
	align(s.near.Of(b), s.vel.Of(b), s.limits.Of(b), s.par.Of(b), s.steer.Of(b))
}

// align adds what the rule wants of rows to their steering.
func align(near *sense.SumColumns, vel []c.Velocity, limits []c.Limits, par []c.Alignment, steer []c.Steering) {
	for i := 0; i < len(near.N); {
		i += kernel.Align(near.N[i:], near.Velocity[i:], vel[i:], limits[i:], par[i:], steer[i:])
		for end := kernel.Until(i, len(near.N)); i < end; i++ {
			if near.N[i] > 0 {
				e := vec.Sub(vec.Truncate(near.Velocity[i], limits[i].MaxSpeed), vel[i].Vec)
				steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
			}
		}
	}
}

var alignmentEntry = catalog.Of(catalog.Entry{
	Name: "alignment", Text: "match the velocity of neighbors",
	Source: `Reynolds 1987, "velocity matching"; 1999, "alignment"`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &Alignment{} }, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SeesAgents, Priority: 130, Laws: catalog.AllLaws,
	Doing: "flocking",
}, func(b *c.Alignment) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		neighborDist(&b.NeighborDist),
		fieldOfView(&b.FieldOfView),
		maxNeighbors(&b.MaxNeighbors),
	}
})
