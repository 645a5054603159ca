package scene

import (
	"reflect"
	"slices"
	"sync"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

// hasTarget reports whether the agents of the group have a Target.
func (g *Group) hasTarget() bool {
	return g.Target != nil || g.TargetPointer || g.TargetGroup != "" || g.setsTarget() || len(g.Itineraries) > 0
}

// setsTarget reports whether a behavior of the group sets the Target, such as Path.
func (g *Group) setsTarget() bool {
	return slices.ContainsFunc(g.Behaviors, func(b any) bool { return targetSetters()[reflect.TypeOf(b)] })
}

// targetSetters has the components of behaviors that set a Target.
var targetSetters = sync.OnceValue(func() map[reflect.Type]bool {
	all := map[reflect.Type]bool{}
	for _, e := range systems.Catalog() {
		if e.Does.Has(catalog.SetsTarget) && slices.Contains(e.Needs, any(c.Target{})) {
			all[reflect.TypeOf(e.Component)] = true
		}
	}
	return all
})

// group returns the index of the group with that name, -1 if there is none.
func (s *Scene) group(name string) int {
	for i := range s.Groups {
		if name != "" && s.Groups[i].Name == name {
			return i
		}
	}
	return -1
}

// followed returns a place for the agents of each group that means another, or is meant.
func (s *Scene) followed() map[int][]ecs.Entity {
	groups := map[int][]ecs.Entity{}
	for i := range s.Groups {
		for _, x := range s.whom(&s.Groups[i]) {
			if x.ofGroup() {
				groups[i], groups[s.group(x.name)] = nil, nil
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
		for _, x := range s.whom(&s.Groups[group]) {
			if !x.ofGroup() {
				continue
			}
			of := reflect.TypeOf(x.entry.Component)
			id, leaders := ecs.TypeID(w.ECS, of), s.leaders(x.name, group)
			for i, e := range s.others[group] {
				x.set(reflect.NewAt(of, w.ECS.Get(e, id)).Interface(), leaders(i))
			}
		}
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
