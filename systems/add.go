package systems

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
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
func Add(w *ecs.World, e ecs.Entity, components ...any) { addAll(nil, w, e, components) }

// AddBound is Add with the bindings of a frame: a component of ours
// becomes one of the type that is bound in its place, and may be given as such.
// It may be called before Initialize and after. It panics also if a host's component
// has the name and the numbers of one of ours, which is not given beside it, and is
// not bound.
func AddBound(f *frame.Frame, w *ecs.World, e ecs.Entity, components ...any) {
	if err := f.Bindings().Unbound(components, allComponents()); err != nil {
		panic("crowd: " + err.Error())
	}
	addAll(f.Bindings(), w, e, components)
}

func addAll(bound frame.Bindings, w *ecs.World, e ecs.Entity, components []any) {
	all, err := RequiredComponents(bound.ToOurs(components))
	if err != nil {
		panic("crowd: " + err.Error())
	}
	var ids []ecs.ID
	var values []any
	for i, comp := range all {
		comp = bound.ToHost(comp)
		if id := ecs.TypeID(w, reflect.TypeOf(comp)); i < len(components) || !w.Has(e, id) {
			ids, values = append(ids, id), append(values, comp)
		}
	}
	w.Add(e, ids...)
	for _, value := range values {
		column.Set(w, e, value)
	}
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
