package world

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// looks writes down whom the behaviors of an agent see.
func (t *stepTrace) looks(x *Explanation, e ecs.Entity) {
	index, ok := t.neighbors.Index(e)
	if !ok {
		return
	}
	agents := t.neighbors.Agents()
	t.neighbors.Looks(index, func(rule string, look sense.Look, found []uint32) {
		if !t.sees(rule) {
			return
		}
		saw := Look{Behavior: rule, Reach: look.NeighborDist, View: look.FieldOfView, Facing: vec.Unit(agents.Velocity(index))}
		for _, i := range found {
			saw.Seen = append(saw.Seen, agents.At(i))
		}
		x.Looks = append(x.Looks, saw)
	})
}

// sees reports whether a rule looks for others to go by them: not so one by which agents
// are pushed.
func (t *stepTrace) sees(name string) bool {
	for _, r := range t.rules {
		if r.name != name {
			continue
		}
		does := r.does()
		if does&(catalog.Steers|catalog.TakesForces|catalog.SetsVelocity) == 0 || does.Has(catalog.SetsPosition) {
			return false
		}
		orca := get[c.ORCA](&t.sandbox, t.agent)
		return orca == nil || !does.Has(catalog.TakesForces) || orca.MaxNeighbors >= 0 && orca.NeighborDist > 0
	}
	return false
}
