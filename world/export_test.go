package world

import (
	"reflect"

	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
)

// BeforeArrival makes a world call see for each arrival, before Config.OnArrived and before removals.
func (w *World) BeforeArrival(see func(systems.Arrived)) {
	then := w.config.OnArrived
	w.config.OnArrived = func(w *World, a systems.Arrived) {
		see(a)
		if then != nil {
			then(w, a)
		}
	}
}

// References returns the names of fields, such as Path.Index, that Restore rewrites because they are
// indices of rows of tables.
func References() (names []string) {
	for _, r := range references() {
		names = append(names, reflect.TypeOf(r.component).Name()+"."+r.field)
	}
	return names
}

// get returns a component of a living entity in a world without bound types, or nil if the entity does
// not have it.
func get[T any](w *ecs.World, e ecs.Entity) *T {
	if id := ecs.ComponentID[T](w); w.Has(e, id) {
		return (*T)(w.Get(e, id))
	}
	return nil
}
