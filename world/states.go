package world

import (
	"cmp"
	"iter"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/mlange-42/arche/ecs"
)

// EntityState is an entity with all its components as text. As JSON it can be sent to
// another machine, and compared there.
type EntityState struct {
	Agent      uint64      `json:"agent,omitempty"` // its id; 0: it has no Agent
	Entity     uint32      `json:"entity"`          // see ecs.Entity
	Generation uint32      `json:"generation,omitempty"`
	Components []Component `json:"components"` // by name
}

// States visits all entities with all their components, a host's too: first the agents by
// their ids, and then all others by their entities. Nothing may be added or removed meanwhile. It is meant to find
// out where two worlds differ, and takes microseconds an entity.
func (w *World) States() iter.Seq[EntityState] {
	return func(yield func(EntityState) bool) {
		var all []identified
		for q := w.ECS.Query(ecs.All()); q.Next(); {
			all = append(all, identified{entity: q.Entity()})
		}
		for i := range all {
			if agent, is := look[c.Agent](w, all[i].entity); is {
				all[i].id = agent.ID
			}
		}
		slices.SortFunc(all, func(a, b identified) int {
			return cmp.Or(cmp.Compare(a.id-1, b.id-1), cmp.Compare(a.entity.ID(), b.entity.ID())) // 0 comes last
		})
		for _, x := range all {
			if !yield(EntityState{x.id, x.entity.ID(), x.entity.Generation(), componentsOf(w.ECS, x.entity)}) {
				return
			}
		}
	}
}
