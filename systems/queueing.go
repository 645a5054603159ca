package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
)

// Queueing brakes each agent behind neighbors that are in a box right ahead of it, go the same
// way or stand, and are slower: at doors the crowd lines up rather than pushes. With g the gap
// between both bodies and w how fast the neighbor goes along the agent's course, the agent may
// close the gap in the horizon, and goes as the one allows for whom that is least:
//
//	desired = v^ · min(|v|, w + g/Horizon); steering = desired - v
//
// It never speeds up. Where forces are added it stops an agent only if its gain is several times
// that of what drives it on; combined by priority it comes first.
//
// Neighbors are as of the start of the step, from Neighbors in the same frame.
// Agents that are not there are alone.
//
// Reads Velocity, Queueing, and what Neighbors reads. Adds to Steering.
// Source: Reynolds 1999, "queuing"; how much it brakes: ours.
type Queueing struct {
	near  sense.Query[c.Queueing, float64]
	vel   frame.In[c.Velocity]
	par   frame.In[c.Queueing]
	steer frame.Out[c.Steering]
}

func (s *Queueing) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.par)
	n.Add(&s.steer)
	s.near.Ask(n, func(p c.Queueing) sense.Look {
		if !(p.Horizon > 0) || !(p.Width > 0) {
			return sense.Look{}
		}
		return sense.Look{NeighborDist: p.NeighborDist}
	}, func(h *sense.Neighborhood, p c.Queueing) float64 {
		return tooFast(h.Agents(), h.Index, h.Indexes(), p.Horizon, p.Width)
	})
	n.Once()
}

func (s *Queueing) Run(b *frame.Batch) {
	vel, par, steer := s.vel.Of(b), s.par.Of(b), s.steer.Of(b)
	for i, less := range s.near.Of(b) {
		if less > 0 {
			steer[i].Vec = vec.AddScaled(steer[i].Vec, -float64(par[i].Gain*less), vec.Unit(vel[i].Vec))
		}
	}
}

// tooFast returns by how much the agent in a place is faster than those ahead of it allow.
func tooFast(agents *sense.Agents, place uint32, others []uint32, horizon, width float64) (less float64) {
	position, v := agents.Position(place), agents.Velocity(place)
	speed, course := vec.Norm(v), vec.Unit(v)
	for _, i := range others {
		to := vec.Sub(agents.Position(i), position)
		ahead, along := vec.Dot(to, course), vec.Dot(agents.Velocity(i), course)
		if !(ahead > 0) || math.Abs(vec.Cross(course, to)) > float64(width/2) || along < 0 || along >= speed {
			continue
		}
		gap := max(vec.Norm(to)-agents.Radius[place]-agents.Radius[i], 0)
		less = max(less, speed-along-float64(gap/horizon))
	}
	return less
}

var queueingEntry = catalog.Of(catalog.Entry{
	Name: "queueing", Text: "brake behind slower neighbors that go the same way",
	Source: `Reynolds 1999, "queuing"; how much it brakes: ours`,
	Adds:   []any{c.Steering{}},
	System: func(catalog.Options) any { return &Queueing{} }, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SeesAgents, Priority: 45, Laws: catalog.AllLaws,
}, func(b *c.Queueing) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Number("horizon", &b.Horizon, "s", "in which it may close the gap to those ahead").InFile(catalog.AboveZero),
		neighborDist(&b.NeighborDist),
		catalog.Number("width", &b.Width, "m", "of the box ahead in which it looks").InFile(catalog.AboveZero),
	}
})
