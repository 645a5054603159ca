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
// entities at the same places, and none besides, and what both call X or Y on the
// same axis. With the build tag safe it also returns an error when a field cannot
// be set by reflection.
func SameLayout(ours, host reflect.Type) error {
	want, got := Leaves(ours), Leaves(host)
	if !alike(ours, host, want, got) {
		return fmt.Errorf("%v is %s, want the layout of %v: %s",
			host, describe(host, got), ours, describe(ours, want))
	}
	for i := range want {
		if want[i].axis != "" && got[i].axis != "" && want[i].axis != got[i].axis {
			return fmt.Errorf("field %s of %v stands where %v has %s: the axes are swapped",
				got[i].Path, host, ours, want[i].Path)
		}
	}
	if !settable(ours) || !settable(host) {
		return fmt.Errorf("%v cannot stand in for %v with the build tag safe: unexported fields cannot be copied", host, ours)
	}
	return nil
}

// SameNumbers reports whether a value of type host has the same numbers and entities
// at the same places as one of type ours, whatever they are called.
func SameNumbers(ours, host reflect.Type) bool {
	return alike(ours, host, Leaves(ours), Leaves(host))
}

func alike(ours, host reflect.Type, want, got []Leaf) bool {
	return ours.Size() == host.Size() && slices.EqualFunc(want, got, func(a, b Leaf) bool {
		return a.Offset == b.Offset && a.Name == b.Name
	})
}

// Leaf is one number, or other basic value, or an entity within a type.
type Leaf struct {
	Offset uintptr
	Kind   reflect.Kind // Struct: an entity
	Name   string       // of its type
	Path   string       // names of fields, such as Box.Min.X
	axis   string       // x or y, where a field that holds nothing else is called so
}

var entityType = reflect.TypeFor[ecs.Entity]()

// Leaves returns the leaves of a type, in the order in which they stand in memory.
func Leaves(t reflect.Type) []Leaf { return leaves(nil, t, 0) }

func leaves(all []Leaf, t reflect.Type, offset uintptr) []Leaf {
	switch {
	case t == entityType:
		all = append(all, Leaf{Offset: offset, Kind: t.Kind(), Name: t.String()})
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f, first := t.Field(i), len(all)
			all = leaves(all, f.Type, offset+f.Offset)
			name(all[first:], f.Name)
		}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			all = leaves(all, t.Elem(), offset+uintptr(i)*t.Elem().Size())
		}
	default:
		all = append(all, Leaf{Offset: offset, Kind: t.Kind(), Name: t.Kind().String()})
	}
	return all
}

// name puts the name of a field before those of the leaves within it.
func name(within []Leaf, field string) {
	for i := range within {
		if within[i].Path == "" {
			within[i].Path = field
		} else {
			within[i].Path = field + "." + within[i].Path
		}
	}
	if axis := strings.ToLower(field); len(within) == 1 && within[0].axis == "" && (axis == "x" || axis == "y") {
		within[0].axis = axis
	}
}

// describe says what stands where: "float64 at 0, float64 at 8 (16 bytes)".
func describe(t reflect.Type, all []Leaf) string {
	parts := []string{}
	for _, l := range all {
		parts = append(parts, fmt.Sprintf("%s at %d", l.Name, l.Offset))
	}
	if len(parts) == 0 {
		parts = []string{"no fields"}
	}
	return fmt.Sprintf("%s (%d bytes)", strings.Join(parts, ", "), t.Size())
}
