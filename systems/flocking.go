package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Separation steers each agent away from the neighbors that it sees. With p the agent's position, q
// that of a neighbor, r = |p - q| and R the NeighborDist:
//
//	push = Σ (p - q)^ · (R/r - r/R), truncated to length 1
//	steering = push · MaxSpeed
//
// This is Reynolds' repulsion by 1/r, reduced so that it falls to zero at R. Distances below R/1024 count as
// R/1024. If p = q, a hash of the IDs determines (p - q)^.
//
// Separation needs Neighbors in its frame.
//
// Reads Limits, Separation, and what Neighbors reads. Adds to Steering.
//
// Source: Reynolds 1987, "collision avoidance"; 1999, "separation"; the bounds are ours.
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

func pushOf(s *sense.Sums, radius float64) (push r2.Vec) {
	if s.N == 0 {
		return push
	}
	return vec.Truncate(vec.AddScaled(r2.Vec{X: -s.Away.X / radius, Y: -s.Away.Y / radius}, radius, s.Repel), 1)
}

func (s *Separation) Run(b *frame.Batch) {
	separate(s.near.Of(b), s.limits.Of(b), s.par.Of(b), s.steer.Of(b))
}

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
	Source: `Reynolds 1987, "collision avoidance"; 1999, "separation"; the bounds are ours`,
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

// Alignment steers each agent to match the mean velocity of the neighbors that it sees. With v the agent's
// velocity and w the velocities of n neighbors:
//
//	desired = Σ w / n, truncated to MaxSpeed; steering = desired - v
//
// There is no force if n is 0.
//
// Alignment needs Neighbors in its frame.
//
// Reads Velocity, Limits, Alignment, and what Neighbors reads. Adds to Steering.
//
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

// Cohesion steers each agent toward the center of the neighbors that it sees. With p the agent's
// position, q the positions of n neighbors and R the NeighborDist:
//
//	pull = Σ (q - p) / (n·R), truncated to length 1
//	steering = pull · MaxSpeed
//
// There is no force if n is 0.
//
// Cohesion needs Neighbors in its frame.
//
// Reads Limits, Cohesion, and what Neighbors reads. Adds to Steering.
//
// Source: Reynolds 1987, "flock centering"; 1999, "cohesion"; the division by R is ours.
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
	Name: "cohesion", Text: "steer toward the center of the neighbors",
	Source: `Reynolds 1987, "flock centering"; 1999, "cohesion"; the division by the distance is ours`,
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

func neighborDist(at *float64) catalog.Param {
	return catalog.Number("neighbor-dist", at, "m", "maximum distance of neighbors, from center to center").Older("radius")
}

func fieldOfView(at *float64) catalog.Param {
	return catalog.Number("field-of-view", at, "", "around the velocity; 0 or at least 360 means all around").InDegrees().Or(0.).Older("view").
		Within(catalog.Limits{Max: 4 * math.Pi}).InFile(catalog.Limits{Max: 720}) // larger values in code are probably degrees
}

func maxNeighbors(at *uint32) catalog.Param {
	return catalog.Count("max-neighbors", at, "how many of the nearest neighbors count; 0 means all").Or(uint32(0)).Older("most")
}
