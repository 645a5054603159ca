package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Cohesion steers each agent towards the middle of the neighbors that it sees.
// With p its position, q those of n neighbors and R the radius:
//
//	pull = Σ (q - p) / (n·R), at most 1
//	desired = v + pull · MaxSpeed; steering = desired - v = pull · MaxSpeed
//
// So an agent in the middle of its flock is pulled nowhere, and one at its edge
// inwards. The rule does not brake: who is alone keeps its velocity.
//
// Neighbors are as of the start of the step, from Neighbors in the same frame.
// Agents that are not there are alone. Neighbors.Wrap lets agents look across the
// edges of a world that wraps.
//
// Reads Limits, Cohesion, and what Neighbors reads. Adds to Steering.
// Source: Reynolds 1987, "flock centering"; 1999, "cohesion"; the division by R: ours.
type Cohesion struct {
	near   sense.SumsQuery[c.Cohesion]
	limits frame.In[c.Limits]
	par    frame.In[c.Cohesion]
	steer  frame.Out[c.Steering]
}

func (s *Cohesion) Needs(n *frame.Needs) {
	n.Read(&s.limits, &s.par)
	n.Add(&s.steer)
	s.near.Ask(n, func(p c.Cohesion) sense.Look {
		return sense.Look{NeighborDist: p.NeighborDist, FieldOfView: p.FieldOfView, MaxNeighbors: p.MaxNeighbors}
	})
	n.Once()
}

// pullOf returns what draws an agent to the middle of its neighbors, at most 1.
func pullOf(s *sense.Sums, radius float64) (pull r2.Vec) {
	if s.N == 0 {
		return pull
	}
	mean := vec.Scale(-1/float64(s.N), s.Away)
	return vec.Truncate(r2.Vec{X: mean.X / radius, Y: mean.Y / radius}, 1)
}

func (s *Cohesion) Run(b *frame.Batch) {
	cohere(s.near.Of(b), s.limits.Of(b), s.par.Of(b), s.steer.Of(b))
}

// cohere adds what the rule wants of rows to their steering.
func cohere(near *sense.SumColumns, limits []c.Limits, par []c.Cohesion, steer []c.Steering) {
	for i := 0; i < len(near.N); {
		i += kernel.Cohere(near.N[i:], near.Away[i:], limits[i:], par[i:], steer[i:])
		for end := kernel.Until(i, len(near.N)); i < end; i++ {
			sums := near.At(i)
			pull := pullOf(&sums, par[i].NeighborDist)
			steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, vec.Scale(limits[i].MaxSpeed, pull))
		}
	}
}

var cohesionEntry = catalog.Of(catalog.Entry{
	Name: "cohesion", Text: "steer at the middle of neighbors",
	Source: `Reynolds 1987, "flock centering"; 1999, "cohesion"; the division by the distance: ours`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &Cohesion{} }, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SeesAgents, Priority: 140, Laws: catalog.AllLaws,
	Doing: "flocking",
}, func(b *c.Cohesion) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		neighborDist(&b.NeighborDist),
		fieldOfView(&b.FieldOfView),
		maxNeighbors(&b.MaxNeighbors),
	}
})
