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
// Agents that are not there are alone. Across the edges of a world that wraps
// nobody is seen.
//
// Reads Velocity, Limits, Alignment, and what Neighbors reads. Adds to Steering.
// Source: Reynolds 1987, "velocity matching"; 1999, "alignment".
type Alignment struct {
	sense.Sight[c.Alignment, meanVelocity]

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
	n.Once()
}

// Looks returns where Neighbors keeps what was seen.
func (s *Alignment) Looks() sense.AnySight {
	s.Reach = func(p c.Alignment) float64 { return p.NeighborDist }
	s.Few = func(p c.Alignment) bool { return sense.LooksForFew(p.FieldOfView, p.MaxNeighbors) }
	return &s.Sight
}

// Meet finds the mean velocities of neighbors.
func (s *Alignment) Meet(m *sense.Meeting) {
	for k := range m.Len() {
		place := m.Place(k)
		par := s.Of(place)
		f := m.Flock(k, sense.Minds{Radius: par.NeighborDist, View: par.FieldOfView, Most: par.MaxNeighbors})
		*s.Answer(place) = meanVelocity{f.Velocity, f.N > 0}
	}
}

func (s *Alignment) Run(b *frame.Batch) {
	vel, limits, par, steer := s.vel.Of(b), s.limits.Of(b), s.par.Of(b), s.steer.Of(b)
	var means [sense.AtOnce]meanVelocity
	for lo := 0; lo < len(steer); lo += sense.AtOnce {
		some := means[:min(sense.AtOnce, len(steer)-lo)]
		s.Take(b, lo, some)
		for k := range some {
			if i := lo + k; some[k].some {
				e := vec.Sub(vec.Truncate(some[k].Vec, limits[i].MaxSpeed), vel[i].Vec)
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
