package catalog

import (
	"fmt"

	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// Of returns e as an entry for component T; params returns the parameters, bound to the fields of a
// value, in the order of scene files.
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

// Bare reports whether the behavior has one parameter without a key, so that scene files give its value
// instead of a table.
func (e *Entry) Bare() bool { return e.bare }

// Params returns the parameters of a component, given as a pointer, bound to the component. It
// panics if the component does not have the type of the entry's Component.
func (e *Entry) Params(component any) []Param { return e.rows.params(component) }

// New returns a pointer to a component with the default values of scene files. Required parameters are zero.
func (e *Entry) New() any {
	at := e.rows.fresh()
	for _, p := range e.Params(at) {
		p.Reset()
	}
	return at
}

// rows holds the functions that depend on the type of a component.
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
		panic(fmt.Sprintf("crowd: parameters of a %T, want a %T", component, at))
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

// Column returns the column of the component in a world, or of the type bound in its place. It is
// for the packages of this module.
func (e *Entry) Column(bound column.Bindings, w *ecs.World) column.Source {
	return e.rows.source(bound, w)
}

// Twin returns a binding of another type with the same layout in place of the component. It is for tests with the
// types of a host.
func (e *Entry) Twin() column.Binding { return e.rows.twin() }

// Each calls visit for the first n rows of a column of the component, with a pointer to a copy of the component
// and its parameters, which are valid only during visit. Changes to the copy are written back. Each is for the
// packages of this module.
func (e *Entry) Each(c column.Column, n int, visit func(i int, component any, params []Param)) {
	e.rows.each(c, n, visit)
}
