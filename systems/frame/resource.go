package frame

import "github.com/mlange-42/arche/ecs"

// Resource returns the resource of type T in a world, which it adds, empty, where
// it is missing: what is registered has a value, as libraries that save worlds
// expect.
func Resource[T any](w *ecs.World) *T {
	id := ecs.ResourceID[T](w)
	if !w.Resources().Has(id) {
		w.Resources().Add(id, new(T))
	}
	return w.Resources().Get(id).(*T)
}

// FindResource returns the resource of type T in a world, the zero value if it has none, and
// registers nothing.
func FindResource[T any](w *ecs.World) (zero T) {
	for _, id := range ecs.ResourceIDs(w) {
		if r, ok := w.Resources().Get(id).(*T); ok {
			return *r
		}
	}
	return zero
}
