package catalog

import (
	"fmt"

	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// Of returns e as an entry for component T. The function params returns the parameters, bound to the fields
// of a value, in the order used in scene files.
//
//	catalog.Of(catalog.Entry{Name: "orbit", …}, func(b *Orbit) []catalog.Param {
//		return []catalog.Param{catalog.GainOf(&b.Gain), catalog.Number("radius", &b.Radius, "m", "radius of the orbit")}
//	})
func Of[T any](e Entry, params func(*T) []Param) Entry {
	e.Component, e.rows = *new(T), rowsOf[T]{params}
	all := params(new(T))
	e.bare = len(all) == 1 && all[0].Key == ""
	return e
}

// Bare reports whether the behavior has only one parameter, without a key, whose value replaces the
// behavior's table.
func (e *Entry) Bare() bool { return e.bare }

// Params returns the parameters, bound to the fields of a component, given as a pointer. It panics for a
// component of another type.
func (e *Entry) Params(component any) []Param { return e.rows.params(component) }

// New returns a pointer to a component with the defaults of scene files. Required parameters are zero.
func (e *Entry) New() any {
	at := e.rows.fresh()
	for _, p := range e.Params(at) {
		p.Reset()
	}
	return at
}

type rows interface {
	fresh() any
	params(component any) []Param
	source(column.Bindings, *ecs.World) column.Source
	twin() column.Binding
	each(c column.Column, n int, visit func(i int, component any, params []Param))
}

type rowsOf[T any] struct{ of func(*T) []Param }

func (r rowsOf[T]) fresh() any { return new(T) }

func (r rowsOf[T]) params(component any) []Param {
	at, ok := component.(*T)
	if !ok {
		panic(fmt.Sprintf("crowd: component has type %T, want %T", component, at))
	}
	return r.of(at)
}

func (r rowsOf[T]) source(bound column.Bindings, w *ecs.World) column.Source {
	return column.SourceIn[T](bound, w)
}

func (r rowsOf[T]) twin() column.Binding { return column.Bound[T, struct{ Value T }]() }

func (r rowsOf[T]) each(c column.Column, n int, visit func(i int, component any, params []Param)) {
	rows := column.Rows[T](c, 0, n)
	if len(rows) == 0 {
		return
	}
	at := new(T)
	params := r.of(at)
	for i := range rows {
		*at = rows[i]
		visit(i, at, params)
		rows[i] = *at
	}
}

// Column returns the column of the component or of the type bound to it. It is for this module only.
func (e *Entry) Column(bound column.Bindings, w *ecs.World) column.Source {
	return e.rows.source(bound, w)
}

// Twin returns a binding of the component to another type with the same layout, for tests.
func (e *Entry) Twin() column.Binding { return e.rows.twin() }

// Each calls visit with a copy of each of the first n rows of a column and the parameters of that copy, both
// valid only during the call, and writes changes back. It is for this module only.
func (e *Entry) Each(c column.Column, n int, visit func(i int, component any, params []Param)) {
	e.rows.each(c, n, visit)
}
