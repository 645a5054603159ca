package house

import (
	"fmt"
	"reflect"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
)

func typeFor[T any]() reflect.Type { return reflect.TypeFor[T]() }

func components(t *testing.T) map[string]reflect.Type {
	t.Helper()
	all := map[string]reflect.Type{}
	for _, comp := range append(systems.Components(), c.TrackedEntity{}, c.RouteState(0), c.BoundaryMemory{}, c.BoundaryPoint{}, c.BoundaryState(0)) { // parts of others
		typ := reflect.TypeOf(comp)
		all[typ.Name()] = typ
	}
	return all
}

func noPointers(t reflect.Type) error {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if err := noPointers(t.Field(i).Type); err != nil {
				return fmt.Errorf("%s: %w", t.Field(i).Name, err)
			}
		}
		return nil
	case reflect.Array:
		return noPointers(t.Elem())
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return nil
	}
	return fmt.Errorf("is a %v, which holds a pointer", t)
}
