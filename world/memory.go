package world

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// What agents and obstacles take beside their components, in bytes. A test
// compares the whole with what crowds take.
const (
	entityBytes     = 8 + 8 + 16      // the entity: in its archetype, in the pool, and where it is
	snapshotBytes   = 64 + 4 + 8 + 16 // in Neighbors
	queryBytes      = 80              // the answer and the parameters of a sense.Query
	recordBytes     = 120 + 8         // in TripMetrics, and a time of arrival
	moveBytes       = 32              // there, too, if asked for
	bodyBytes       = 2*72 + 8 + 128  // in AgentCollisions: bodies and cells; pairs that overlap come on top
	checkpointBytes = 5 * 16
	obstacleBytes   = 650 // a circle or a wall: its components, shape, piece and lists
	cornerBytes     = 300 // of a polygon
	edgeBytes       = 550 // of what ORCA knows of a circle, a wall or a side of a polygon
	fieldEdgeBytes  = 170 // of what fields know of it
	wayBytes        = 400 // in Routes
	cellBytes       = 13  // of a field
	memberBytes     = 120 // in FormationKeeping, when places are given
	fixedBytes      = 160 << 10
)

// Memory is about how many bytes a crowd needs from when it is built until it has
// done some steps: a little more than it takes, rather than less.
type Memory struct {
	config *Config
	agents uint64 // how many
	rows   uint64 // bytes of all that grows with agents
	looks  bool
	fixed  uint64
}

// NewMemory returns the memory of a crowd without agents.
func (config *Config) NewMemory() *Memory { return &Memory{config: config} }

// Agents counts n agents with these components: see World.Spawn.
func (m *Memory) Agents(n int, components []any) {
	all, _ := m.config.complete(components) // Spawn says what is wrong with them
	has := map[reflect.Type]bool{}
	one := uint64(entityBytes + checkpointBytes)
	for _, comp := range all {
		has[reflect.TypeOf(comp)] = true
		one += uint64(reflect.TypeOf(comp).Size())
	}
	if has[reflect.TypeFor[c.Route]()] {
		one += wayBytes
	}
	if has[reflect.TypeFor[c.Formation]()] {
		one += memberBytes
	}
	for _, e := range m.config.behaviors() {
		if e.Does.Has(catalog.SeesAgents) && has[reflect.TypeOf(e.Component)] {
			one, m.looks = one+queryBytes, true
		}
	}
	if m.config.measures() {
		one += recordBytes
	}
	if m.config.Safety || len(m.config.Lines)+len(m.config.Areas) > 0 {
		one += moveBytes
	}
	if m.config.Safety {
		one += bodyBytes
	}
	m.agents += uint64(n)
	m.rows += uint64(n) * one
}

// Obstacles counts n circles and walls, and polygons with n corners in
// all.
func (m *Memory) Obstacles(n, polygons, corners int) {
	m.fixed += uint64(n+polygons)*obstacleBytes + uint64(corners)*cornerBytes
}

// Edges counts n circles, walls and sides of polygons once more, if there are ORCA or fields:
// each has an index of its own.
func (m *Memory) Edges(n int, orca, fields bool) {
	if orca {
		m.fixed += uint64(n) * edgeBytes
	}
	if fields {
		m.fixed += uint64(n) * fieldEdgeBytes
	}
}

// Field counts a field of n cells.
func (m *Memory) Field(n int) { m.fixed += uint64(n) * cellBytes }

// Bytes returns how much that is altogether.
func (m *Memory) Bytes() uint64 {
	rows := m.rows
	if m.looks { // then every agent is in the snapshot
		rows += m.agents * snapshotBytes
	}
	return rows + rows/2 + m.fixed + fixedBytes // garbage until it is collected
}

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

// checkpoint is what there is to see of a world between two steps.
type checkpoint struct {
	fresh   bool // it is of the state before the step that runs
	clock   frame.Clock
	stats   Stats
	filter  ecs.Mask
	walker  column.Walker
	runs    []column.Run
	rows    []int // of each run
	columns []keptColumn
}

// keptColumn is a component of all rows.
type keptColumn interface {
	take(run int, r *column.Run)
	put(run int, r *column.Run)
}

func newCheckpoint(w *World) *checkpoint {
	return &checkpoint{
		filter:  ecs.All(column.SourceIn[c.Position](w.types, w.ECS).ID),
		columns: []keptColumn{kept[c.Position](w), kept[c.Velocity](w), kept[c.Heading](w), kept[c.Target](w), kept[c.Flee](w)},
	}
}

// take copies what there is now.
func (k *checkpoint) take(w *World) {
	k.clock, k.stats, k.fresh = *w.Clock, w.Stats(), true
	k.rows = k.rows[:0]
	k.walk(w.ECS, func(i int, r *column.Run) {
		k.rows = append(k.rows, r.Rows)
		for _, column := range k.columns {
			column.take(i, r)
		}
	})
}

// restore puts it back, unless other rows are there now.
func (k *checkpoint) restore(w *World) (ok bool) {
	var rows []int
	k.walk(w.ECS, func(_ int, r *column.Run) { rows = append(rows, r.Rows) })
	if !slices.Equal(rows, k.rows) {
		return false
	}
	k.walk(w.ECS, func(i int, r *column.Run) {
		for _, column := range k.columns {
			column.put(i, r)
		}
	})
	*w.Clock = k.clock
	w.final, w.before = &k.stats, nil
	return true
}

func (k *checkpoint) walk(w *ecs.World, visit func(i int, r *column.Run)) {
	query := w.Query(k.filter)
	defer query.Close()
	k.runs = k.walker.Walk(w, &query, k.runs)
	for i := range k.runs {
		visit(i, &k.runs[i])
	}
}

// keptRows is component T of all rows, run after run; none where a run lacks it.
type keptRows[T any] struct {
	source column.Source
	runs   [][]T
}

func kept[T any](w *World) keptColumn {
	return &keptRows[T]{source: column.SourceIn[T](w.types, w.ECS)}
}

func (k *keptRows[T]) take(run int, r *column.Run) {
	if len(k.runs) == run {
		k.runs = append(k.runs, nil)
	}
	now := column.Rows[T](k.source.Load(r), 0, r.Rows)
	k.runs[run] = slices.Grow(k.runs[run][:0], len(now))[:len(now)]
	copyAll(k.runs[run], now)
}

func (k *keptRows[T]) put(run int, r *column.Run) {
	now := k.source.Load(r)
	if rows := column.Rows[T](now, 0, r.Rows); len(rows) > 0 {
		copyAll(rows, k.runs[run])
		k.source.Store(r, now)
	}
}

// copiedAtOnce is how many rows one goroutine copies.
const copiedAtOnce = 1 << 17

// copyAll is copy by several goroutines, if that is worth it.
func copyAll[T any](to, from []T) {
	var work sync.WaitGroup
	for lo := copiedAtOnce; lo < len(from); lo += copiedAtOnce {
		hi := min(lo+copiedAtOnce, len(from))
		work.Go(func() { copy(to[lo:hi], from[lo:hi]) })
	}
	copy(to[:min(copiedAtOnce, len(to))], from)
	work.Wait()
}
