package systems

import (
	c "github.com/8f878440/crowd/components"
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
// R/1024. Of two agents in the same place each goes its own way, opposite to the
// other's, which a hash of the two IDs draws. The rule does not brake: who is
// alone keeps its velocity.
//
// Neighbors are as of the start of the step, from Neighbors in the same frame.
// Agents that are not there are alone. Across the edges of a world that wraps
// nobody is seen.
//
// Reads Limits, Separation, and what Neighbors reads. Adds to Steering.
// Source: Reynolds 1987, "collision avoidance"; 1999, "separation"; the bounds: ours.
type Separation struct {
	sense.Sight[c.Separation, r2.Vec]

	limits frame.In[c.Limits]
	par    frame.In[c.Separation]
	steer  frame.Out[c.Steering]
}

func (s *Separation) Needs(n *frame.Needs) {
	n.Read(&s.limits, &s.par)
	n.Add(&s.steer)
	n.Once()
}

// Looks returns where Neighbors keeps what was seen.
func (s *Separation) Looks() sense.AnySight {
	s.Reach = func(p c.Separation) float64 { return p.NeighborDist }
	s.Few = func(p c.Separation) bool { return sense.LooksForFew(p.FieldOfView, p.MaxNeighbors) }
	return &s.Sight
}

// Meet sums up the pushes of neighbors.
func (s *Separation) Meet(m *sense.Meeting) {
	for k := range m.Len() {
		place := m.Place(k)
		par := s.Of(place)
		*s.Answer(place) = m.Flock(k, sense.Minds{Radius: par.NeighborDist, View: par.FieldOfView, Most: par.MaxNeighbors}).Push(par.NeighborDist)
	}
}

func (s *Separation) Run(b *frame.Batch) {
	limits, par, steer := s.limits.Of(b), s.par.Of(b), s.steer.Of(b)
	var pushes [sense.AtOnce]r2.Vec
	for lo := 0; lo < len(steer); lo += sense.AtOnce {
		some := pushes[:min(sense.AtOnce, len(steer)-lo)]
		s.Take(b, lo, some)
		for k, push := range some {
			i := lo + k
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
