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

// Separation steers each agent away from the neighbors that it sees, the more
// the nearer they are. With p its position, q that of a neighbor, r = |p - q| and
// R the radius:
//
//	push = Σ (p - q)^ · (R/r - r/R), truncated to 1
//	desired = v + push · MaxSpeed; steering = desired - v = push · MaxSpeed
//
// That is Reynolds' repulsion by 1/r, less what makes it nothing at the radius, so
// that nobody is pushed by a jump. It is bounded: nearer than R/1024 counts as
// R/1024. In the same place (p - q)^ is half the difference of two unit vectors, each
// drawn by a hash of one ID: of two agents there each goes its own way, opposite to the
// other's, and in a heap about along its own vector. The rule does not brake: who is alone
// keeps its velocity.
//
// Neighbors are as of the start of the step, from Neighbors in the same frame.
// Agents that are not there are alone. Neighbors.Wrap lets agents look across the
// edges of a world that wraps.
//
// Reads Limits, Separation, and what Neighbors reads. Adds to Steering.
// Source: Reynolds 1987, "collision avoidance"; 1999, "separation"; the bounds: ours.
type Separation struct {
	near   sense.SumsQuery[c.Separation]
	limits frame.In[c.Limits]
	par    frame.In[c.Separation]
	steer  frame.Out[c.Steering]
}

func (s *Separation) Needs(n *frame.Needs) {
	n.Read(&s.limits, &s.par)
	n.Add(&s.steer)
	s.near.Ask(n, func(p c.Separation) sense.Look {
		return sense.Look{NeighborDist: p.NeighborDist, FieldOfView: p.FieldOfView, MaxNeighbors: p.MaxNeighbors}
	})
	n.Once()
}

// pushOf returns what drives an agent from its neighbors, at most 1.
func pushOf(s *sense.Sums, radius float64) (push r2.Vec) {
	if s.N == 0 {
		return push
	}
	return vec.Truncate(vec.AddScaled(r2.Vec{X: -s.Away.X / radius, Y: -s.Away.Y / radius}, radius, s.Repel), 1)
}

func (s *Separation) Run(b *frame.Batch) {
	separate(s.near.Of(b), s.limits.Of(b), s.par.Of(b), s.steer.Of(b))
}

// separate adds what the rule wants of rows to their steering.
func separate(near *sense.SumColumns, limits []c.Limits, par []c.Separation, steer []c.Steering) {
	for i := 0; i < len(near.N); {
		i += kernel.Separate(near.N[i:], near.Repel[i:], near.Away[i:], limits[i:], par[i:], steer[i:])
		for end := kernel.Until(i, len(near.N)); i < end; i++ {
			sums := near.At(i)
			push := pushOf(&sums, par[i].NeighborDist)
			steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, vec.Scale(limits[i].MaxSpeed, push))
		}
	}
}

var separationEntry = catalog.Of(catalog.Entry{
	Name: "separation", Text: "keep away from neighbors",
	Source: `Reynolds 1987, "collision avoidance"; 1999, "separation"; the bounds: ours`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &Separation{} }, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SeesAgents, Priority: 50, Laws: catalog.AllLaws,
}, func(b *c.Separation) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		neighborDist(&b.NeighborDist),
		fieldOfView(&b.FieldOfView),
		maxNeighbors(&b.MaxNeighbors),
	}
})
