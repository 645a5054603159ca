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

// has tells whether a group has the behavior of type T.
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

// index returns where among the behaviors the one of a type is, -1 if there is none.
func (g *Group) index(of reflect.Type) int {
	return slices.IndexFunc(g.Behaviors, func(b any) bool { return reflect.TypeOf(b) == of })
}

// sortBehaviors puts the behaviors in the order of a scene file.
func (g *Group) sortBehaviors() {
	var order []reflect.Type
	for _, k := range groupKeys(g) {
		order = append(order, k.behavior)
	}
	place := func(b any) int { return slices.Index(order, reflect.TypeOf(b)) }
	slices.SortStableFunc(g.Behaviors, func(a, b any) int { return place(a) - place(b) })
}
