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

// Bytes in addition to the components of agents. TestMemory in package scene checks the total.
const (
	entityBytes     = 8 + 8 + 16      // in the archetype, the pool and the index
	snapshotBytes   = 64 + 4 + 8 + 16 // in Neighbors
	queryBytes      = 80              // a sense.Query of a behavior that looks
	recordBytes     = 120 + 8         // in TripMetrics, and an arrival time
	moveBytes       = 32              // in TripMetrics, with Safety, Lines or Areas
	bodyBytes       = 2*72 + 8 + 128  // bodies and cells in AgentCollisions, without overlapping pairs
	checkpointBytes = 4*16 + 32       // in a checkpoint
	obstacleBytes   = 650             // a circle, wall or polygon
	cornerBytes     = 300             // a corner of a polygon
	edgeBytes       = 550             // a circle, wall or side of a polygon, in ORCA
	fieldEdgeBytes  = 170             // a circle, wall or side of a polygon, in fields
	wayBytes        = 400             // a short path in Routes
	turnBytes       = 9               // part of a path in Routes, per obstacle
	linkBytes       = 15              // between two obstacles in sight of each other, in Routing, per body size
	cellBytes       = 13              // a cell of a field
	memberBytes     = 120             // in FormationKeeping, while it assigns places
	fixedBytes      = 384 << 10
)

// Memory estimates, on the high side, the bytes that a crowd needs while it is built and in its first
// steps.
type Memory struct {
	config *Config
	agents uint64
	rows   uint64 // bytes that grow with agents
	looks  bool
	fixed  uint64
}

// NewMemory returns the estimate for a crowd without agents.
func (config *Config) NewMemory() *Memory { return &Memory{config: config} }

// Agents adds n agents with the given components: see World.Spawn.
func (m *Memory) Agents(n int, components []any) {
	all, _ := m.config.complete(components) // Spawn reports errors
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

// Obstacles adds n circles and walls, and the given number of polygons with the given total number of
// corners.
func (m *Memory) Obstacles(n, polygons, corners int) {
	m.fixed += uint64(n+polygons)*obstacleBytes + uint64(corners)*cornerBytes
}

// maxInSight is the assumed maximum number of obstacles in sight of an obstacle, or along a path.
const maxInSight = 300

// Edges adds the indexes of n circles, walls and sides of polygons: for ORCA and for fields, if in use, and
// for Routing. There, routed is the number of agents, and sizes that of body sizes: see sense.Room.
func (m *Memory) Edges(n int, orca, fields bool, routed, sizes int) {
	if orca {
		m.fixed += uint64(n) * edgeBytes
	}
	if fields {
		m.fixed += uint64(n) * fieldEdgeBytes
	}
	m.fixed += uint64(min(n, maxInSight)) * (uint64(n)*linkBytes*uint64(sizes) + uint64(routed)*turnBytes)
}

// Field adds a field of n cells.
func (m *Memory) Field(n int) { m.fixed += uint64(n) * cellBytes }

// Bytes returns the estimate.
func (m *Memory) Bytes() uint64 {
	rows := m.rows
	if m.looks {
		rows += m.agents * snapshotBytes
	}
	return rows + rows/2 + m.fixed + fixedBytes // rows/2 is for garbage
}

// Rows holds the columns of agents that are being spawned.
type Rows struct {
	Len    int // number of agents
	walker column.Walker
	run    *column.Run
	cols   map[reflect.Type]*rowsColumn
	world  *World
}

type rowsColumn struct {
	source column.Source
	column column.Column
	loaded bool
	twin   reflect.Type // the host's type bound to this one, or the reverse; may be nil
}

func newRows(w *World, q *ecs.Query, n int) *Rows {
	r := &Rows{Len: n, world: w, cols: map[reflect.Type]*rowsColumn{}}
	r.run = &r.walker.Walk(w.ECS, q, nil)[0]
	return r
}

func (r *Rows) has(ours reflect.Type) {
	r.cols[ours] = &rowsColumn{}
	if host := r.world.types.HostType(ours); host != ours {
		r.cols[ours].twin, r.cols[host] = host, &rowsColumn{twin: ours}
	}
}

// Column returns component T of the agents that are being spawned, or nil if they lack it. Do not use
// the slice after the fill function returns. T may be a component of this module or the host's type
// bound in its place. Column panics if a fill function asks for both, or for an unbound type that
// resembles a component.
func Column[T any](r *Rows) []T {
	t := reflect.TypeFor[T]()
	if _, ok := r.cols[t]; !ok {
		if ours, ok := r.world.types.LooksLike(t, systems.Components()); ok {
			panic(fmt.Sprintf("crowd: Column of %v, which is not bound: Config.Bind with frame.Bound[%v, %v]() makes it stand in for %v", t, ours, t, ours))
		}
	}
	return column.Rows[T](r.column(t, column.SourceIn[T]), 0, r.Len)
}

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

func (r *Rows) store() {
	for _, col := range r.cols {
		if col.loaded {
			col.source.Store(r.run, col.column)
			col.loaded = false
		}
	}
}

// Entity returns the entity of the i-th agent.
func (r *Rows) Entity(i int) ecs.Entity { return r.run.Entity(i) }

type checkpoint struct {
	fresh   bool // taken since the last step
	clock   frame.Clock
	stats   Stats
	filter  ecs.Mask
	walker  column.Walker
	runs    []column.Run
	rows    []int // rows of each run
	columns []keptColumn
}

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

// restore restores the copied state and drops the checkpoint. If the number of rows in a run has changed, it
// changes nothing and returns false.
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

// keptRows holds copies of component T in one slice per run, which is empty for a run without T.
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

const copiedAtOnce = 1 << 17

func copyAll[T any](to, from []T) {
	var work sync.WaitGroup
	for lo := copiedAtOnce; lo < len(from); lo += copiedAtOnce {
		hi := min(lo+copiedAtOnce, len(from))
		work.Go(func() { copy(to[lo:hi], from[lo:hi]) })
	}
	copy(to[:min(copiedAtOnce, len(to))], from)
	work.Wait()
}
