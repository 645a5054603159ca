package world

import (
	"reflect"
	"strings"
	"testing"

	"github.com/8f878440/crowd/systems"
)

// BeforeArrival makes a world call see before Config.OnArrived.
func (w *World) BeforeArrival(see func(systems.Arrived)) {
	then := w.config.OnArrived
	w.config.OnArrived = func(w *World, a systems.Arrived) {
		see(a)
		if then != nil {
			then(w, a)
		}
	}
}

// References returns the fields, such as Path.Index, that Restore rewrites as indices of rows.
func References() (names []string) {
	for _, r := range references() {
		names = append(names, reflect.TypeOf(r.component).Name()+"."+r.field)
	}
	return names
}

func run(t testing.TB, w *World, steps int) {
	t.Helper()
	must(t, w.Run(t.Context(), steps))
}

// Value returns result, and panics on an error.
func Value[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

// Failure returns the error.
func Failure[T any](_ T, err error) error { return err }

// WantError checks that err contains want.
func WantError(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got=%v, want=an error that contains %q", err, want)
	}
}
