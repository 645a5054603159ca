package frame

import (
	"iter"
	"reflect"
	"slices"

	"github.com/mlange-42/arche/ecs"
)

// Declared is what a System of an initialized frame has said in its Needs.
type Declared struct {
	System  System
	Name    string
	Index   int            // in the list of the frame
	With    []reflect.Type // components that a row must have
	Without []reflect.Type // components that it must not have
	Writes  []reflect.Type // of its columns, also those that a row may lack, and of those of Collect of a TwoPhase
	Adds    []reflect.Type // of those, what it adds to
	Takes   []reflect.Type // of those, what it uses up

	rows *rowFilter
}

// Matches reports whether the system works on the row of an entity.
func (d *Declared) Matches(w *ecs.World, e ecs.Entity) bool {
	mask := w.Mask(e)
	return d.rows.Matches(&mask)
}

// Declared visits what each System of an initialized frame has declared, in their
// order.
func (f *Frame) Declared() iter.Seq[*Declared] {
	return func(yield func(*Declared) bool) {
		var collected []reflect.Type
		for m := range f.allMembers {
			if m.partial {
				collected = m.writes
				continue
			}
			writes := slices.Concat(collected, m.writes)
			collected = nil
			if !yield(&Declared{m.system, m.name, m.place, m.with, m.without, writes, m.adds, m.takes, &m.rows}) {
				return
			}
		}
	}
}

// allMembers visits the systems that go over rows, in their order, and their first parts.
func (f *Frame) allMembers(yield func(*member) bool) {
	for _, st := range f.stages {
		if st.pass == nil {
			continue
		}
		for _, m := range st.pass.members {
			if !yield(m) {
				return
			}
		}
	}
}

// members visits the systems that go over rows, in their order.
func (f *Frame) members(yield func(*member) bool) {
	for m := range f.allMembers {
		if !m.partial && !yield(m) {
			return
		}
	}
}
