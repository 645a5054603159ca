//go:build safe

package column

import (
	"reflect"

	"github.com/mlange-42/arche/ecs"
)

// Copies reports whether columns are copies of arche's memory. In the safe build, they are, so steps
// allocate.
const Copies = true

// Column holds one component of the rows of a run. The zero value stands for a component that the run does
// not have.
type Column struct{ rows any }

// Rows returns rows [lo, hi) of a column, or nil for the zero Column. The column must be of type T and have
// at least hi rows.
func Rows[T any](c Column, lo, hi int) []T {
	if c.rows == nil {
		return nil
	}
	return c.rows.([]T)[lo:hi:hi]
}

// Over returns a column over a slice, or the zero Column for nil.
func Over[T any](rows []T) Column {
	if rows == nil {
		return Column{}
	}
	return Column{rows}
}

// Reuse resizes *own to the length of from and returns it, with undefined content.
func Reuse[To, From any](from []From, own *[]To) []To {
	*own = Resize(*own, len(from))
	return *own
}

// Huge does nothing.
func (Column) Huge(int, uint32) {}

// Huge returns s.
func Huge[T any](s []T) []T { return s }

// Fetch does nothing.
func Fetch([]Column, []uint32, int, int) {}

// FetchRows does nothing.
func FetchRows[T any]([]T, []uint32) {}

// Source locates a component in a world.
type Source struct {
	ID    ecs.ID
	load  func(*Run) any
	store func(*Run, any)
	at    func(*ecs.World, ecs.Entity) any
	put   func(*ecs.World, ecs.Entity, any)
}

// SourceOf returns the source of component T, and registers T in the world.
func SourceOf[T any](w *ecs.World) Source {
	same := func(t *T) *T { return t }
	return source(w, same, func(from, to *T) { *to = *from })
}

// BoundSource returns the source of component T in a world where type H replaces T, and registers H in the
// world. H must have the memory layout of T: see SameLayout.
func BoundSource[T, H any](w *ecs.World) Source {
	get := func(h *H) *T {
		t := new(T)
		copyLeaves(reflect.ValueOf(h).Elem(), reflect.ValueOf(t).Elem())
		return t
	}
	return source(w, get, func(from *T, to *H) {
		copyLeaves(reflect.ValueOf(from).Elem(), reflect.ValueOf(to).Elem())
	})
}

func source[T, H any](w *ecs.World, get func(*H) *T, put func(*T, *H)) Source {
	id := ecs.ComponentID[H](w)
	return Source{
		ID: id,
		load: func(r *Run) any {
			rows := make([]T, r.Rows)
			q := r.at
			for i := range rows {
				if i > 0 {
					q.Step(1)
				}
				rows[i] = *get((*H)(q.Get(id)))
			}
			return rows
		},
		store: func(r *Run, column any) {
			q := r.at
			for i, row := range column.([]T) {
				if i > 0 {
					q.Step(1)
				}
				put(&row, (*H)(q.Get(id)))
			}
		},
		at: func(w *ecs.World, e ecs.Entity) any { return *get((*H)(w.Get(e, id))) },
		put: func(w *ecs.World, e ecs.Entity, value any) {
			row := value.(T)
			put(&row, (*H)(w.Get(e, id)))
		},
	}
}

func copyLeaves(from, to reflect.Value) {
	var values []reflect.Value
	eachLeaf(from, func(v reflect.Value) { values = append(values, v) })
	i := 0
	eachLeaf(to, func(v reflect.Value) {
		v.Set(values[i].Convert(v.Type()))
		i++
	})
}

func eachLeaf(v reflect.Value, visit func(reflect.Value)) {
	switch {
	case v.Type() == entityType:
		visit(v)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			eachLeaf(v.Field(i), visit)
		}
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			eachLeaf(v.Index(i), visit)
		}
	default:
		visit(v)
	}
}

func settable(t reflect.Type) bool {
	ok := true
	eachLeaf(reflect.New(t).Elem(), func(v reflect.Value) { ok = ok && v.CanSet() })
	return ok
}

// Load returns the component's column in a run, or the zero Column if the run lacks the component.
func (s *Source) Load(r *Run) Column {
	if !r.Kind.Mask.Get(s.ID) {
		return Column{}
	}
	return Column{s.load(r)}
}

// Reload sets c to the result of Load, and returns false, because each result is a new copy.
func (s *Source) Reload(r *Run, c *Column) (same bool) {
	*c = s.Load(r)
	return false
}

// Store writes a loaded column back if Load has copied it.
func (s *Source) Store(r *Run, c Column) {
	if c.rows != nil {
		s.store(r, c.rows)
	}
}

// At returns the component of a living entity, and reports whether the entity has it.
func At[T any](w *ecs.World, s *Source, e ecs.Entity) (T, bool) {
	if !w.Has(e, s.ID) {
		var zero T
		return zero, false
	}
	return s.at(w, e).(T), true
}

// Edit calls change with the component of a living entity, and reports whether the entity has it.
func Edit[T any](w *ecs.World, s *Source, e ecs.Entity, change func(*T)) bool {
	value, ok := At[T](w, s, e)
	if ok {
		change(&value)
		s.put(w, e, value)
	}
	return ok
}

func convert(value any, to reflect.Type) any {
	v := reflect.ValueOf(value)
	if v.Type() == to {
		return value
	}
	as := reflect.New(to).Elem()
	copyLeaves(v, as)
	return as.Interface()
}
