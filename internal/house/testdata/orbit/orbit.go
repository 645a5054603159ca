// Package orbit is a host's own module. Its behavior, orbit, can be used in scene files, in
// explanations and in the view like the built-in behaviors.
package orbit

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Orbit makes an agent go around the middle of its neighbors, at a distance.
type Orbit struct {
	Gain         float64 // kg/s
	NeighborDist float64 // m, maximum distance of neighbors, from center to center
	Distance     float64 // m, from the middle of the neighbors
	Clockwise    bool
}

// Entry describes orbit.
var Entry = catalog.Of(catalog.Entry{
	Name: "orbit", Text: "go around the middle of neighbors", Doing: "orbiting",
	Needs:  []any{c.Limits{}},
	Adds:   []any{c.Steering{}},
	System: func(catalog.Options) any { return &orbiting{} }, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SeesAgents, Priority: 105, Laws: catalog.AllLaws &^ catalog.Mirror,
	Check: func(component any) (key, problem string) {
		if b := component.(*Orbit); b.Distance >= b.NeighborDist {
			return "distance", "is not below neighbor-dist: agents would lose their neighbors"
		}
		return "", ""
	},
}, func(b *Orbit) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Number("neighbor-dist", &b.NeighborDist, "m", "how near neighbors are, from center to center"),
		catalog.Number("distance", &b.Distance, "m", "from their middle").Or(1.).Older("radius"),
		catalog.Switch("clockwise", &b.Clockwise, "the other way around"),
	}
})

type orbiting struct {
	middle sense.Query[Orbit, r2.Vec] // vector to the middle of the neighbors
	vel    frame.In[c.Velocity]
	limits frame.In[c.Limits]
	orbit  frame.In[Orbit]
	steer  frame.Out[c.Steering]
}

func (s *orbiting) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.limits, &s.orbit)
	n.Add(&s.steer)
	s.middle.Ask(n, func(b Orbit) sense.Look { return sense.Look{NeighborDist: b.NeighborDist} }, toMiddle)
}

// toMiddle returns the vector to the middle of the neighbors, or zero if there are none.
func toMiddle(h *sense.Neighborhood, _ Orbit) (sum r2.Vec) {
	near := 0
	for other := range h.All() {
		sum = r2.Add(sum, r2.Sub(other.Position, h.Self().Position))
		near++
	}
	if near > 0 {
		sum = r2.Scale(1/float64(near), sum)
	}
	return sum
}

func (s *orbiting) Run(b *frame.Batch) {
	vel, limits, orbit, steer := s.vel.Of(b), s.limits.Of(b), s.orbit.Of(b), s.steer.Of(b)
	for i, to := range s.middle.Of(b) {
		away := r2.Norm(to)
		if !(away > 1e-150) { // a shorter vector has no direction
			continue
		}
		around := r2.Vec{X: to.Y, Y: -to.X}
		if orbit[i].Clockwise {
			around = r2.Scale(-1, around)
		}
		way := r2.Add(around, r2.Scale((away-orbit[i].Distance)/away, to))
		desired := r2.Scale(limits[i].MaxSpeed/r2.Norm(way), way)
		steer[i].Vec = r2.Add(steer[i].Vec, r2.Scale(orbit[i].Gain, r2.Sub(desired, vel[i].Vec)))
	}
}
