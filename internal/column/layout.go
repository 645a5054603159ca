package column

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mlange-42/arche/ecs"
)

// SameLayout returns an error that says what differs when a value of type host
// cannot stand in memory for a value of type ours: the same numbers and
// entities at the same places, and none besides. With the build tag safe it
// also returns an error when a field cannot be set by reflection.
func SameLayout(ours, host reflect.Type) error {
	want, got := leaves(nil, ours, 0), leaves(nil, host, 0)
	if ours.Size() != host.Size() || !slices.Equal(want, got) {
		return fmt.Errorf("%v is %s, want the layout of %v: %s",
			host, describe(host, got), ours, describe(ours, want))
	}
	if !settable(ours) || !settable(host) {
		return fmt.Errorf("%v cannot stand in for %v with the build tag safe: unexported fields cannot be copied", host, ours)
	}
	return nil
}

// leaf is one number, or other basic value, or an entity within a type.
type leaf struct {
	offset uintptr
	name   string
}

var entityType = reflect.TypeFor[ecs.Entity]()

func leaves(all []leaf, t reflect.Type, offset uintptr) []leaf {
	switch {
	case t == entityType:
		all = append(all, leaf{offset, t.String()})
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			all = leaves(all, f.Type, offset+f.Offset)
		}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			all = leaves(all, t.Elem(), offset+uintptr(i)*t.Elem().Size())
		}
	default:
		all = append(all, leaf{offset, t.Kind().String()})
	}
	return all
}

// describe says what stands where: "float64 at 0, float64 at 8 (16 bytes)".
func describe(t reflect.Type, all []leaf) string {
	parts := []string{}
	for _, l := range all {
		parts = append(parts, fmt.Sprintf("%s at %d", l.name, l.offset))
	}
	if len(parts) == 0 {
		parts = []string{"no fields"}
	}
	return fmt.Sprintf("%s (%d bytes)", strings.Join(parts, ", "), t.Size())
}
