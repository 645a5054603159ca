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

// Add adds components to an entity, and those that the entries of their behaviors add: see RequiredComponents.
//
//	systems.Add(&world, guard, c.Target{}, c.Limits{MaxSpeed: 1.5, MaxForce: 9}, c.Seek{Gain: 2})
//
// It panics if the entity already has a given component, if one is given twice or is not a plain value,
// or if the world is locked. To use the bindings of a frame, call AddBound.
func Add(w *ecs.World, e ecs.Entity, components ...any) { exchange(nil, w, e, nil, components, false) }

// AddBound is like Add, but converts a component of this module to the type bound to it, which may also
// be given directly. It works before and after Initialize. It also panics if a host's component has the
// name and layout of a component of this module that is neither given nor bound.
func AddBound(f *frame.Frame, w *ecs.World, e ecs.Entity, components ...any) {
	checkBound(f, components)
	exchange(f.Bindings(), w, e, nil, components, false)
}

// Replace replaces components of an entity, in one move between archetypes and with the bindings of a
// frame.
//
//	systems.Replace(f, &world, guard, patrolling, c.Quarry{Entity: thief}, c.Pursuit{Gain: 2, Horizon: 3})
//
// Only the types of the values in old matter. Replace ignores those that the entity lacks, so old may
// list the components of all states of a state machine. Components that are given or required stay.
// Replace panics like AddBound, but not if the entity has a given component. It also panics if a value
// in old is nil or a pointer.
func Replace(f *frame.Frame, w *ecs.World, e ecs.Entity, old []any, components ...any) {
	checkBound(f, components)
	exchange(f.Bindings(), w, e, old, components, true)
}

func checkBound(f *frame.Frame, components []any) {
	if err := f.Bindings().Unbound(components, allComponents()); err != nil {
		panic("crowd: " + err.Error())
	}
}

// exchange adds the given and required components, and removes those in old. Unless replaces is true, the
// entity must have none of the given components.
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
			panic(fmt.Sprintf("crowd: old component %d has type %T, want a value such as components.Seek{}", i, comp))
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

// Default returns a behavior of type T with the defaults of scene files, and angles in radians. Parameters
// without a default are zero.
//
//	orca := systems.Default[c.ORCA]()
//
// It panics if T is not a behavior of the catalog. For a host's behavior, use catalog.Entry.New.
func Default[T any]() T {
	var zero T
	e := entryOf(zero, nil)
	if e == nil {
		panic(fmt.Sprintf("crowd: Default of %T, which is not a behavior of the catalog", zero))
	}
	return *e.New().(*T)
}

// RequiredComponents returns the given components, followed by those that the entries of their behaviors add.
// Pass the entries of a host's behaviors. It returns an error if a component is given twice or is not a plain
// value.
func RequiredComponents(components []any, behaviors ...catalog.Entry) ([]any, error) {
	given := map[reflect.Type]bool{}
	for i, comp := range components {
		t := reflect.TypeOf(comp)
		if t == nil || t.Kind() == reflect.Pointer {
			return nil, fmt.Errorf("component %d has type %T, want a value such as components.Seek{Gain: 2}", i, comp)
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

// CheckReferences returns the key of the first parameter that refers to a dead entity or a missing row of one
// of the world's tables, and the problem. It returns empty strings if there is none. The zero entity is
// allowed.
func CheckReferences(w *ecs.World, params []catalog.Param) (key, problem string) {
	for i := range params {
		p := &params[i]
		if e, is := p.At.(*ecs.Entity); is && !e.IsZero() && !w.Alive(*e) {
			return p.Key, fmt.Sprintf("is entity %d, which is dead", e.ID())
		}
		if at, is := p.At.(*uint32); is {
			if rows, known := tableLen(w, p.List); known && int(*at) >= rows {
				return p.Key, fmt.Sprintf("is %d, but the number of %s is %d", *at, p.List, rows)
			}
		}
	}
	return "", ""
}

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
