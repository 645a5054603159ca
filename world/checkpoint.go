package world

import (
	"slices"
	"sync"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

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
