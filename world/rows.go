package world

import (
	"fmt"
	"reflect"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
)

// Rows gives access to the columns of agents that are being spawned.
type Rows struct {
	Len    int
	walker column.Walker
	run    *column.Run
	cols   map[reflect.Type]*rowsColumn // of every component that they have
	world  *World
}

type rowsColumn struct {
	source column.Source
	column column.Column
	loaded bool
	twin   reflect.Type // of the same component: the host's, or ours; nil: none
}

func newRows(w *World, q *ecs.Query, n int) *Rows {
	r := &Rows{Len: n, world: w, cols: map[reflect.Type]*rowsColumn{}}
	r.run = &r.walker.Walk(w.ECS, q, nil)[0]
	return r
}

// has notes that the agents have a component of ours, or what is bound in its place.
func (r *Rows) has(ours reflect.Type) {
	r.cols[ours] = &rowsColumn{}
	if host := r.world.types.HostType(ours); host != ours {
		r.cols[ours].twin, r.cols[host] = host, &rowsColumn{twin: ours}
	}
}

// Column returns component T of the agents that are being spawned, nil if they
// do not have it. The slice must not outlive the fill function. T is a component of
// ours, whether or not a host's type is bound in its place, or a host's; it panics if
// a fill function asks for one component as both, and for a type of a host that has
// the name and the numbers of ours and is not bound.
func Column[T any](r *Rows) []T {
	t := reflect.TypeFor[T]()
	if _, ok := r.cols[t]; !ok {
		if ours, ok := r.world.types.LooksLike(t, systems.Components()); ok {
			panic(fmt.Sprintf("crowd: Column of %v, which is not bound: Config.Bind with frame.Bound[%v, %v]() makes it stand in for %v", t, ours, t, ours))
		}
	}
	return column.Rows[T](r.column(t, column.SourceIn[T]), 0, r.Len)
}

// column returns the column of a component type, the zero column if the agents do not
// have it.
func (r *Rows) column(t reflect.Type, source func(column.Bindings, *ecs.World) column.Source) column.Column {
	col, ok := r.cols[t]
	if !ok {
		return column.Column{}
	}
	if !col.loaded {
		if col.twin != nil && r.cols[col.twin].loaded {
			panic(fmt.Sprintf("crowd: Column of %v and of %v, which are the same: ask for one of them", col.twin, t))
		}
		col.source = source(r.world.types, r.world.ECS)
		col.column, col.loaded = col.source.Load(r.run), true
	}
	return col.column
}

// store writes columns back, where they are copies, and forgets them.
func (r *Rows) store() {
	for _, col := range r.cols {
		if col.loaded {
			col.source.Store(r.run, col.column)
			col.loaded = false
		}
	}
}

// Entity returns the entity of the i-th agent that is being spawned.
func (r *Rows) Entity(i int) ecs.Entity { return r.run.Entity(i) }
