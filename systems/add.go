package systems

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// Add gives an entity components with the given values, and those in which the
// behaviors among them meet: see RequiredComponents. The entity must not have the given
// ones yet; what RequiredComponents adds it may have.
//
//	systems.Add(&world, guard, c.Target{}, c.Limits{MaxSpeed: 1.5, MaxForce: 9}, c.Seek{Gain: 2})
//
// It panics if a component is no plain value or is given twice, as arche does if
// the entity has it or the world is locked. It knows no bindings: AddBound does.
func Add(w *ecs.World, e ecs.Entity, components ...any) { exchange(nil, w, e, nil, components, false) }

// AddBound is Add with the bindings of a frame: a component of ours
// becomes one of the type that is bound in its place, and may be given as such.
// It may be called before Initialize and after. It panics also if a host's component
// has the name and the numbers of one of ours, which is not given beside it, and is
// not bound.
func AddBound(f *frame.Frame, w *ecs.World, e ecs.Entity, components ...any) {
	checkBound(f, components)
	exchange(f.Bindings(), w, e, nil, components, false)
}

// Replace takes components from an entity and gives it others, as AddBound does, in one move
// between archetypes: for an agent that changes what it does.
//
//	systems.Replace(f, &world, guard, patrolling, c.Quarry{Entity: thief}, c.Pursuit{Gain: 2, Horizon: 3})
//
// Only the types of the old ones count, and it ignores those that the entity lacks: a state machine
// may name the behaviors of all its states. The entity may have the new ones already, which then
// get the new values. What is both old and new stays, and so do the components in which behaviors meet,
// such as Steering.
func Replace(f *frame.Frame, w *ecs.World, e ecs.Entity, old []any, components ...any) {
	checkBound(f, components)
	exchange(f.Bindings(), w, e, old, components, true)
}

// checkBound panics for a host's component that should have been bound.
func checkBound(f *frame.Frame, components []any) {
	if err := f.Bindings().Unbound(components, allComponents()); err != nil {
		panic("crowd: " + err.Error())
	}
}

// exchange gives an entity components in place of old ones. If it replaces, the entity may have
// the given ones.
func exchange(bound frame.Bindings, w *ecs.World, e ecs.Entity, old, components []any, replaces bool) {
	all, err := RequiredComponents(bound.ToOurs(components))
	if err != nil {
		panic("crowd: " + err.Error())
	}
	var stay, add, remove []ecs.ID
	var values []any
	for i, comp := range all {
		comp = bound.ToHost(comp)
		id := ecs.TypeID(w, reflect.TypeOf(comp))
		has := w.Has(e, id)
		stay = append(stay, id)
		if has && i >= len(components) {
			continue
		}
		if !has || !replaces {
			add = append(add, id)
		}
		values = append(values, comp)
	}
	for i, comp := range bound.ToOurs(old) {
		if t := reflect.TypeOf(comp); t == nil || t.Kind() == reflect.Pointer {
			panic(fmt.Sprintf("crowd: old component %d is a %T, want a value such as components.Seek{}", i, comp))
		}
		id := ecs.TypeID(w, bound.HostType(reflect.TypeOf(comp)))
		if w.Has(e, id) && !slices.Contains(stay, id) {
			stay, remove = append(stay, id), append(remove, id)
		}
	}
	w.Exchange(e, add, remove)
	for _, value := range values {
		column.Set(w, e, value)
	}
}

// Default returns a behavior with the defaults of scene files, angles in radians. What has no default, and
// so must be in a scene file, is zero, such as the index of a path.
//
//	orca := systems.Default[c.ORCA]()
//
// It panics for a component that is no behavior of the catalog. For a host's own, New of its entry
// does the same.
func Default[T any]() T {
	var zero T
	e := entryOf(zero, nil)
	if e == nil {
		panic(fmt.Sprintf("crowd: Default of %T, which is no behavior of the catalog", zero))
	}
	return *e.New().(*T)
}

// RequiredComponents returns the component values, and after them those in which the
// behaviors among them meet others, such as Steering for what steers: what the entries
// of the catalog add, and those of a host. The error names a component that is no plain
// value, or is there twice.
func RequiredComponents(components []any, behaviors ...catalog.Entry) ([]any, error) {
	given := map[reflect.Type]bool{}
	for i, comp := range components {
		t := reflect.TypeOf(comp)
		if t == nil || t.Kind() == reflect.Pointer {
			return nil, fmt.Errorf("component %d is a %T, want a value such as components.Seek{Gain: 2}", i, comp)
		}
		if given[t] {
			return nil, fmt.Errorf("component %v is given twice", t)
		}
		given[t] = true
	}
	all, has := slices.Clone(components), maps.Clone(given)
	for _, comp := range components {
		e := entryOf(comp, behaviors)
		if e == nil {
			continue
		}
		for _, add := range e.Shares(func(other any) bool { return given[reflect.TypeOf(other)] }) {
			if t := reflect.TypeOf(add); !has[t] {
				has[t] = true
				all = append(all, add)
			}
		}
	}
	return all, nil
}

// CheckReferences returns what is wrong with the parameters of a behavior that name another entity
// or a row of a table of the world, and with which: an entity that is dead, a row that is not there.
// An empty text means that all is well. The zero entity is none.
func CheckReferences(w *ecs.World, params []catalog.Param) (key, problem string) {
	for i := range params {
		p := &params[i]
		if e, is := p.At.(*ecs.Entity); is && !e.IsZero() && !w.Alive(*e) {
			return p.Key, fmt.Sprintf("is entity %d, which is dead", e.ID())
		}
		if at, is := p.At.(*uint32); is {
			if rows, known := tableLen(w, p.List); known && int(*at) >= rows {
				return p.Key, fmt.Sprintf("is %d, but the world has %d %s", *at, rows, p.List)
			}
		}
	}
	return "", ""
}

// tableLen returns how many rows a table of the world has, by the name of its list in a scene file.
func tableLen(w *ecs.World, list string) (rows int, known bool) {
	switch list {
	case "paths":
		return resourceLen[Paths](w), true
	case "itineraries":
		return resourceLen[Itineraries](w), true
	case "fields":
		return resourceLen[sense.FlowFields](w), true
	}
	return 0, false
}

func resourceLen[T ~[]E, E any](w *ecs.World) int {
	if id := ecs.ResourceID[T](w); w.Resources().Has(id) {
		return len(*w.Resources().Get(id).(*T))
	}
	return 0
}
