package world

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
)

// AddSighting adds an entity to the table of those that stops of itineraries go
// by, and returns its index, for systems.Stop.Other. The entity may be the zero
// one for now; SetSighting names another.
func (w *World) AddSighting(e ecs.Entity) uint32 {
	all := resource(w.ECS, &systems.TrackedEntities{})
	*all = append(*all, c.TrackedEntity{})
	w.SetSighting(uint32(len(*all)-1), e)
	return uint32(len(*all) - 1)
}

// SetSighting changes whom the stops with that index go by, as of now. It panics
// if AddSighting did not return the index.
func (w *World) SetSighting(index uint32, e ecs.Entity) {
	all := *resource(w.ECS, &systems.TrackedEntities{})
	if int(index) >= len(all) {
		panic(fmt.Sprintf("crowd: SetSighting of %d, but the world has %d sightings", index, len(all)))
	}
	all[index] = w.sighting(c.TrackedEntity{Entity: e})
}

// sighting returns what the next step will see of an entity.
func (w *World) sighting(s c.TrackedEntity) c.TrackedEntity {
	if s.Entity.IsZero() {
		return s
	}
	s.Seen = false
	if !w.ECS.Alive(s.Entity) {
		return s
	}
	p, ok := look[c.Position](w, s.Entity)
	v, _ := look[c.Velocity](w, s.Entity)
	if ok && vec.Finite(p.Vec) && vec.Finite(v.Vec) {
		s.At, s.Velocity, s.Seen = p.Vec, v.Vec, true
	}
	return s
}

// sightings gives the sandbox those of the world, as the next step will see
// them. Their entities are not there, so they stay as they are.
func (t *stepTrace) sightings() {
	from, to := resource(t.of.ECS, &systems.TrackedEntities{}), resource(&t.sandbox, &systems.TrackedEntities{})
	*to = (*to)[:0]
	for _, s := range *from {
		s = t.of.sighting(s)
		s.Entity = ecs.Entity{}
		*to = append(*to, s)
	}
}
