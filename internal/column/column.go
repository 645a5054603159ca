//go:build !safe

package column

import (
	"reflect"
	"unsafe"

	"github.com/8f878440/crowd/internal/kernel"

	"github.com/mlange-42/arche/ecs"
)

// Copies reports whether columns are copies of arche's memory. In the safe build, they are, so steps
// allocate.
const Copies = false

// Column holds one component of the rows of a run. The zero value stands for a component that the run does
// not have.
type Column struct{ first unsafe.Pointer }

// Rows returns rows [lo, hi) of a column, or nil for the zero Column. The column must be of type T and have
// at least hi rows.
func Rows[T any](c Column, lo, hi int) []T {
	if c.first == nil {
		return nil
	}
	return unsafe.Slice((*T)(c.first), hi)[lo:hi]
}

// Over returns a column over a slice, or the zero Column for nil.
func Over[T any](rows []T) Column {
	return Column{unsafe.Pointer(unsafe.SliceData(rows))}
}

// Reuse returns a slice with the length of from and undefined content. It uses the memory of from, which the
// caller must no longer use. It resizes and returns *own instead if To is larger or more strictly aligned
// than From, if either type has pointers, or in the safe build.
func Reuse[To, From any](from []From, own *[]To) []To {
	var f From
	var t To
	if plain(reflect.TypeFor[From]()) && plain(reflect.TypeFor[To]()) && unsafe.Sizeof(t) <= unsafe.Sizeof(f) && unsafe.Alignof(t) <= unsafe.Alignof(f) {
		return Rows[To](Over(from), 0, len(from))
	}
	*own = Resize(*own, len(from))
	return *own
}

// Huge asks for huge pages for the rows of a column, each of the given size in bytes.
func (c Column) Huge(rows int, size uint32) {
	if c.first != nil {
		huge(c.first, uintptr(rows)*uintptr(size))
	}
}

// Huge asks for huge pages for a new slice, and returns the slice.
func Huge[T any](s []T) []T {
	huge(unsafe.Pointer(unsafe.SliceData(s)), uintptr(len(s))*unsafe.Sizeof(*new(T)))
	return s
}

func plain(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return k >= reflect.Bool && k <= reflect.Complex128
	}
}

// Fetch prefetches rows [lo, hi) of columns with the given row sizes in bytes.
func Fetch(columns []Column, sizes []uint32, lo, hi int) {
	if sizes = sizes[:len(columns)]; len(columns) > 0 {
		kernel.Fetch((**byte)(unsafe.Pointer(&columns[0].first)), sizes, lo, hi)
	}
}

// FetchRows prefetches the given rows of a column. Rows out of range are harmless.
func FetchRows[T any](column []T, rows []uint32) {
	var t T
	if len(column) > 0 {
		kernel.FetchRows((*byte)(unsafe.Pointer(&column[0])), unsafe.Sizeof(t), rows)
	}
}

// Source locates a component in a world.
type Source struct {
	ID ecs.ID
}

// SourceOf returns the source of component T, and registers T in the world.
func SourceOf[T any](w *ecs.World) Source {
	return Source{ID: ecs.ComponentID[T](w)}
}

// BoundSource returns the source of component T in a world where type H replaces T, and registers H in the
// world. H must have the memory layout of T: see SameLayout.
func BoundSource[T, H any](w *ecs.World) Source {
	return Source{ID: ecs.ComponentID[H](w)}
}

// Load returns the component's column in a run, or the zero Column if the run lacks the component.
func (s *Source) Load(r *Run) Column { return Column{r.at.Get(s.ID)} }

// Reload sets c to the result of Load, and reports whether c is unchanged.
func (s *Source) Reload(r *Run, c *Column) (same bool) {
	old := *c
	*c = s.Load(r)
	return *c == old
}

// Store writes a loaded column back if Load has copied it.
func (s *Source) Store(*Run, Column) {}

// At returns the component of a living entity, and reports whether the entity has it.
func At[T any](w *ecs.World, s *Source, e ecs.Entity) (T, bool) {
	if !w.Has(e, s.ID) {
		var zero T
		return zero, false
	}
	return *(*T)(w.Get(e, s.ID)), true
}

// Edit calls change with the component of a living entity, and reports whether the entity has it.
func Edit[T any](w *ecs.World, s *Source, e ecs.Entity, change func(*T)) bool {
	if !w.Has(e, s.ID) {
		return false
	}
	change((*T)(w.Get(e, s.ID)))
	return true
}

func convert(value any, to reflect.Type) any {
	v := reflect.ValueOf(value)
	if v.Type() == to {
		return value
	}
	at := reflect.New(v.Type())
	at.Elem().Set(v)
	return reflect.NewAt(to, at.UnsafePointer()).Elem().Interface()
}

// settable returns true, because only the safe build copies values field by field.
func settable(reflect.Type) bool { return true }
