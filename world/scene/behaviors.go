package scene

import (
	"reflect"
	"slices"
)

// Behavior returns the behavior of type T of a group, such as components.Seek, and
// whether the group has it.
func Behavior[T any](g *Group) (behavior T, ok bool) {
	for _, b := range g.Behaviors {
		if b, is := b.(T); is {
			return b, true
		}
	}
	return behavior, false
}

// has reports whether a group has the behavior of type T.
func has[T any](g *Group) bool {
	_, ok := Behavior[T](g)
	return ok
}

// Set gives the group behaviors, in place of those of the same types. A copy of
// the group keeps its own.
func (g *Group) Set(behaviors ...any) {
	g.Behaviors = slices.Clone(g.Behaviors)
	for _, b := range behaviors {
		if i := g.index(reflect.TypeOf(b)); i >= 0 {
			g.Behaviors[i] = b
		} else {
			g.Behaviors = append(g.Behaviors, b)
		}
	}
}

// drop takes the behavior of a type from the group.
func (g *Group) drop(of reflect.Type) {
	if i := g.index(of); i >= 0 {
		g.Behaviors = slices.Delete(slices.Clone(g.Behaviors), i, i+1)
	}
}

// index returns where among the behaviors the one of a type is, -1 if there is none.
func (g *Group) index(of reflect.Type) int {
	return slices.IndexFunc(g.Behaviors, func(b any) bool { return reflect.TypeOf(b) == of })
}

// sortBehaviors puts the behaviors of all groups in the order of a file.
func (s *Scene) sortBehaviors() {
	place := map[reflect.Type]int{}
	for i, e := range s.entries() {
		place[reflect.TypeOf(e.Component)] = i
	}
	for i := range s.Groups {
		slices.SortStableFunc(s.Groups[i].Behaviors, func(a, b any) int {
			return place[reflect.TypeOf(a)] - place[reflect.TypeOf(b)]
		})
	}
}
