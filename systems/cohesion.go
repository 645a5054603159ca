package systems

import (
	c "github.com/8f878440/crowd/components"
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
// Agents that are not there are alone. Across the edges of a world that wraps
// nobody is seen.
//
// Reads Limits, Cohesion, and what Neighbors reads. Adds to Steering.
// Source: Reynolds 1987, "flock centering"; 1999, "cohesion"; the division by R: ours.
type Cohesion struct {
	sense.Sight[c.Cohesion, r2.Vec]

	limits frame.In[c.Limits]
	par    frame.In[c.Cohesion]
	steer  frame.Out[c.Steering]
}

func (s *Cohesion) Needs(n *frame.Needs) {
	n.Read(&s.limits, &s.par)
	n.Add(&s.steer)
	n.Once()
}

// Looks returns where Neighbors keeps what was seen.
func (s *Cohesion) Looks() sense.AnySight {
	s.Reach = func(p c.Cohesion) float64 { return p.NeighborDist }
	s.Few = func(p c.Cohesion) bool { return sense.LooksForFew(p.FieldOfView, p.MaxNeighbors) }
	return &s.Sight
}

// Meet finds the middle of neighbors.
func (s *Cohesion) Meet(m *sense.Meeting) {
	for k := range m.Len() {
		place := m.Place(k)
		par := s.Of(place)
		*s.Answer(place) = m.Flock(k, sense.Minds{Radius: par.NeighborDist, View: par.FieldOfView, Most: par.MaxNeighbors}).Pull(par.NeighborDist)
	}
}

func (s *Cohesion) Run(b *frame.Batch) {
	limits, par, steer := s.limits.Of(b), s.par.Of(b), s.steer.Of(b)
	var pulls [sense.AtOnce]r2.Vec
	for lo := 0; lo < len(steer); lo += sense.AtOnce {
		some := pulls[:min(sense.AtOnce, len(steer)-lo)]
		s.Take(b, lo, some)
		for k, pull := range some {
			i := lo + k
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
