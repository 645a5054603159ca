package scene

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

// hasTarget tells whether the agents of the group have a Target.
func (g *Group) hasTarget() bool {
	return g.Target != nil || g.TargetPointer || g.TargetGroup != "" || has[c.Path](g) || len(g.Itineraries) > 0
}

// group returns the index of the group with that name, -1 if there is none.
func (s *Scene) group(name string) int {
	for i := range s.Groups {
		if name != "" && s.Groups[i].Name == name {
			return i
		}
	}
	return -1
}

// followed returns a place for the agents of each group that follows another,
// or is followed.
func (s *Scene) followed() map[int][]ecs.Entity {
	groups := map[int][]ecs.Entity{}
	for i := range s.Groups {
		g := &s.Groups[i]
		for _, name := range []string{g.TargetGroup, g.FleeGroup, g.Quarry, g.Pursuer} {
			if name != "" && name != pointerName {
				groups[i], groups[s.group(name)] = nil, nil
			}
		}
	}
	return groups
}

// keep remembers the agents of a group, if it follows or is followed.
func (s *crowd) keep(r *world.Rows, group int) {
	if _, wanted := s.others[group]; !wanted {
		return
	}
	for i := range r.Len {
		s.others[group] = append(s.others[group], r.Entity(i))
	}
}

// follow tells the agents that follow, pursue or evade others whom.
func (s *crowd) follow(w *world.World) {
	for group := range s.others {
		g := &s.Groups[group]
		tell(s, w, group, g.TargetGroup, func(x *c.Follow, e ecs.Entity) { x.Entity = e })
		tell(s, w, group, g.FleeGroup, func(x *c.FleeFrom, e ecs.Entity) { x.Entity = e })
		tell(s, w, group, g.Quarry, func(x *c.Quarry, e ecs.Entity) { x.Entity = e })
		tell(s, w, group, g.Pursuer, func(x *c.Pursuer, e ecs.Entity) { x.Entity = e })
	}
}

// tell sets whom the agents of a group have in component T: those of the group
// with a name, if it is that of a group.
func tell[T any](s *crowd, w *world.World, group int, name string, set func(*T, ecs.Entity)) {
	if name == "" || name == pointerName {
		return
	}
	id, leaders := ecs.ComponentID[T](w.ECS), s.leaders(name, group)
	for i, e := range s.others[group] {
		set((*T)(w.ECS.Get(e, id)), leaders(i))
	}
}

// leaders tells whom the i-th agent of a group follows in the group with that
// name: the one with the same number, counted round, or in its own group the
// next one.
func (s *crowd) leaders(name string, group int) func(i int) ecs.Entity {
	of := s.group(name)
	others, next := s.others[of], 0
	if of == group {
		next = 1
	}
	return func(i int) ecs.Entity {
		if len(others) == 0 {
			return ecs.Entity{}
		}
		return others[(i+next)%len(others)]
	}
}
