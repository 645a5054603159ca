package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
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
	near   sense.Query[c.Alignment, meanVelocity]
	vel    frame.In[c.Velocity]
	limits frame.In[c.Limits]
	par    frame.In[c.Alignment]
	steer  frame.Out[c.Steering]
}

// meanVelocity is that of neighbors, if there are any.
type meanVelocity struct {
	r2.Vec
	some bool
}

func (s *Alignment) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.limits, &s.par)
	n.Add(&s.steer)
	s.near.Ask(n, func(p c.Alignment) sense.Look {
		return sense.Look{NeighborDist: p.NeighborDist, FieldOfView: p.FieldOfView, MaxNeighbors: p.MaxNeighbors}
	}, meanVelocityOf)
	n.Once()
}

// meanVelocityOf returns the mean velocity of neighbors.
func meanVelocityOf(h *sense.Neighborhood, _ c.Alignment) meanVelocity {
	s := h.Sums()
	return meanVelocity{s.Velocity, s.N > 0}
}

func (s *Alignment) Run(b *frame.Batch) {
	vel, limits, par, steer := s.vel.Of(b), s.limits.Of(b), s.par.Of(b), s.steer.Of(b)
	for i, mean := range s.near.Of(b) {
		if mean.some {
			e := vec.Sub(vec.Truncate(mean.Vec, limits[i].MaxSpeed), vel[i].Vec)
			steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
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
