package world

import (
	"reflect"
	"strings"
	"testing"

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

func run(t testing.TB, w *World, steps int) {
	t.Helper()
	must(t, w.Run(t.Context(), steps))
}

// Value returns the first result of a call, and panics on an error.
func Value[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

// Failure returns the error of a call.
func Failure[T any](_ T, err error) error { return err }

// WantError verifies that err contains the wanted text.
func WantError(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got=%v, want=an error that contains %q", err, want)
	}
}
