package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// UnalignedCollisionAvoidance steers each agent out of the way of the neighbor that it would hit first if
// all agents kept their velocities. With P and W the position and velocity of a neighbor relative to the
// agent, the two are nearest after the time T, at the offset M:
//
//	T = -P·W / W·W; M = P + W·T
//
// There is a collision if 0 < T ≤ Horizon and |M| is below D, the sum of both radii and the clearance. The
// first collision counts; in a tie, the one with the lowest neighbor ID. To avoid it, the agent's velocity v
// changes by (D - |M|)/T, with T at least Horizon/1024, away from the future position of the other agent:
//
//	desired = v - M^ · (D - |M|)/T, truncated to MaxSpeed; steering = desired - v
//
// M is perpendicular to W, so agents that meet head-on step aside, and of two on crossing paths, one slows
// down. If M is zero, both keep to their right. Agents that have the same velocity or move apart never
// collide.
//
// UnalignedCollisionAvoidance needs Neighbors in its frame.
//
// Reads Velocity, Limits, UnalignedCollisionAvoidance, and what Neighbors reads. Adds to Steering.
//
// Source: Reynolds 1999, "unaligned collision avoidance"; the magnitude and the side are ours.
type UnalignedCollisionAvoidance struct {
	near   sense.Query[c.UnalignedCollisionAvoidance, r2.Vec]
	vel    frame.In[c.Velocity]
	limits frame.In[c.Limits]
	par    frame.In[c.UnalignedCollisionAvoidance]
	steer  frame.Out[c.Steering]
}

func (s *UnalignedCollisionAvoidance) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.limits, &s.par)
	n.Add(&s.steer)
	s.near.Ask(n, func(p c.UnalignedCollisionAvoidance) sense.Look {
		if !(p.Horizon > 0 && p.Horizon <= math.MaxFloat64) {
			return sense.Look{}
		}
		return sense.Look{NeighborDist: p.NeighborDist, FieldOfView: p.FieldOfView}
	}, func(h *sense.Neighborhood, p c.UnalignedCollisionAvoidance) r2.Vec {
		return makeWay(h.Agents(), h.Index, h.Indexes(), p.Horizon, p.Clearance)
	})
	n.Once()
}

func (s *UnalignedCollisionAvoidance) Run(b *frame.Batch) {
	vel, limits, par, steer := s.vel.Of(b), s.limits.Of(b), s.par.Of(b), s.steer.Of(b)
	for i, change := range s.near.Of(b) {
		if change != (r2.Vec{}) {
			v := vel[i].Vec
			e := vec.Sub(vec.Truncate(vec.Add(v, change), limits[i].MaxSpeed), v)
			steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
		}
	}
}

func closestApproach(p, w r2.Vec) (seconds float64, comes bool) {
	closing := -vec.Dot(p, w)
	return closing / vec.Norm2(w), closing > 0
}

const (
	soonest  = 0x1p-10 // minimum time to avoid a collision, in horizons
	headOn   = 0x1p-20 // share of the minimum distance below which agents meet head-on
	anySpeed = vec.MaxNorm
)

// makeWay returns the change in velocity by which an agent avoids its first collision within the horizon,
// or zero if there is none.
func makeWay(agents *sense.Agents, place uint32, others []uint32, horizon, clearance float64) (change r2.Vec) {
	position, velocity, radius := agents.Position(place), agents.Velocity(place), agents.Radius[place]
	first, threat, id := horizon, false, uint64(0)
	for _, i := range others {
		p, w := vec.Sub(agents.Position(i), position), vec.Sub(agents.Velocity(i), velocity)
		t, comes := closestApproach(p, w)
		if !comes || !(t <= first) || threat && t == first && agents.ID[i] >= id {
			continue
		}
		least := radius + agents.Radius[i] + clearance
		if miss := vec.Cross(w, p) / vec.Norm(w); math.Abs(miss) < least {
			threat, id, first, change = true, agents.ID[i], t, aside(w, miss, least, max(t, horizon*soonest))
		}
	}
	return change
}

// aside returns the change in velocity by which an agent passes another at a minimum distance. The
// parameter miss is the distance without the change, positive if the agent is to the right of the other's
// relative velocity w.
func aside(w r2.Vec, miss, least, seconds float64) r2.Vec {
	side := vec.Left(w)
	if miss > least*headOn {
		side = vec.Right(w)
	}
	return vec.WithNorm(side, min((least-math.Abs(miss))/seconds, anySpeed))
}

var unalignedEntry = catalog.Of(catalog.Entry{
	Name: "unaligned-collision-avoidance", Text: "avoid the first collision with another agent",
	Source: `Reynolds 1999, "unaligned collision avoidance"; the magnitude and the side are ours`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &UnalignedCollisionAvoidance{} }, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SeesAgents, Priority: 40, Laws: catalog.AllLaws,
}, func(b *c.UnalignedCollisionAvoidance) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Number("horizon", &b.Horizon, "s", "time ahead in which collisions count").InFile(catalog.AboveZero),
		neighborDist(&b.NeighborDist),
		fieldOfView(&b.FieldOfView),
		catalog.Number("clearance", &b.Clearance, "m", "minimum distance between passing bodies; any less counts as a collision").Or(0.),
	}
})
