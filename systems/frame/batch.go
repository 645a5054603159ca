package frame

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// Batch is a range of rows of one archetype, which pass through the systems together.
type Batch struct {
	Clock      // clock of this step
	Worker int // index of the worker that runs the batch; results must not depend on it

	columns []column.Column
	run     *column.Run
	lo, hi  int
	skipped uint64
}

// Len returns the number of rows.
func (b *Batch) Len() int { return b.hi - b.lo }

// Entity returns the entity of row i, or the zero entity in a batch over plain slices. It takes about ten
// nanoseconds.
func (b *Batch) Entity(i int) ecs.Entity {
	if b.run == nil {
		return ecs.Entity{}
	}
	return b.run.Entity(b.lo + i)
}

// Mask returns the components of the rows, or none in a batch over plain slices.
func (b *Batch) Mask() ecs.Mask {
	if b.run == nil {
		return ecs.Mask{}
	}
	return b.run.Kind.Mask
}

// Entities fills a slice with the entities of the rows, beginning with row lo, much faster than calls to
// Entity. In a batch over plain slices, the entities are zero.
func (b *Batch) Entities(lo int, to []ecs.Entity) {
	if b.run == nil {
		clear(to)
		return
	}
	b.run.Entities(b.lo+lo, to)
}

// EntityRows provides the entities of rows.
type EntityRows interface {
	Entities(lo int, to []ecs.Entity) // fills a slice with the entities of the rows, beginning with row lo
}

// Source returns the entities of all rows of the batch's archetype, or nil in a batch over plain slices. The
// result is valid during Run or, in a Walk, until RunThen returns.
func (b *Batch) Source() EntityRows {
	if b.run == nil {
		return nil
	}
	return b.run
}

// Offset returns the index in Source of the batch's first row.
func (b *Batch) Offset() int { return b.lo }

// Skip counts a row that the system left unchanged because an input or a result is invalid, such as NaN.
func (b *Batch) Skip() { b.skipped++ }

// Skipped returns the number of rows counted by Skip on this worker in this pass. Stats has the total.
func (b *Batch) Skipped() uint64 { return b.skipped }

// Slice is a plain slice used as a column: see BatchOf.
type Slice struct {
	typ    reflect.Type
	column column.Column
	rows   int
}

// Over returns a slice as the column of component T.
func Over[T any](rows []T) Slice {
	return Slice{reflect.TypeFor[T](), column.Over(rows), len(rows)}
}

// BatchOf returns a batch over plain slices, to run a system without a world: s.Run(BatchOf(clock, s,
// Over(positions), Over(velocities))). The system must not be in a frame. BatchOf panics if a required column
// is missing, if the lengths differ, or if the system works only in a frame (see Needs.InFrame). For such a
// system, copy the slices into a world, as docs/embedding.md shows.
func BatchOf(clock Clock, s System, slices ...Slice) *Batch {
	p := &pass{workers: 1}
	p.add(s, 0)
	p.members[0].met = true
	p.allot(1)
	if m := p.members[0]; m.inFrame != "" {
		panic(fmt.Sprintf("crowd: %s needs %s, which plain slices lack: copy the slices into an ecs.World, and run the systems in a frame", m.name, m.inFrame))
	}
	b := &Batch{Clock: clock, columns: make([]column.Column, len(p.slots))}
	given := map[reflect.Type]Slice{}
	for _, sl := range slices {
		given[sl.typ] = sl
		if b.hi = sl.rows; b.hi != slices[0].rows {
			panic(fmt.Sprintf("crowd: column %v has %d rows, want %d, as in %v", sl.typ, sl.rows, slices[0].rows, slices[0].typ))
		}
	}
	for _, t := range p.members[0].with {
		if _, ok := given[t]; !ok {
			panic(fmt.Sprintf("crowd: %s has no column %v, want one", p.members[0].name, t))
		}
	}
	for i := range p.slots {
		b.columns[i] = given[p.slots[i].typ].column
	}
	for _, h := range p.handles {
		h.pass = nil // the next batch has the same slots
	}
	return b
}

// Walk runs systems over all rows on the caller's goroutine, with one batch per archetype. It is for Sensors
// and Observers. The systems of a Walk must not be in a frame. A Walk does not allocate once it has seen all
// archetypes.
type Walk struct{ pass pass }

// Attach registers the systems' needs in the world, with the bindings of the frame. Call it in the
// Attach method of the system that owns the walk.
func (x *Walk) Attach(f *Frame, w *ecs.World, systems ...System) {
	x.pass = pass{frame: f, workers: 1}
	for _, s := range systems {
		x.pass.add(s, 0)
	}
	x.pass.attach(w, f.bound)
}

// Detach releases what Attach registered.
func (x *Walk) Detach(w *ecs.World) { x.pass.detach(w) }

// Run is like RunThen without a function.
func (x *Walk) Run(w *ecs.World) { x.RunThen(w, nil) }

// RunThen runs the systems over all rows. Afterward, while the world is still locked and the columns are
// valid, it calls the given function, if not nil. In a pause, a walk that writes columns does nothing. In a
// Trace, such a walk processes only the traced row.
func (x *Walk) RunThen(w *ecs.World, then func()) {
	p := &x.pass
	if p.batch.Clock = *ClockOf(w); p.batch.Dt == 0 && p.writes() {
		return
	}
	p.query = w.Query(&p.filter)
	defer p.query.Close() // even on a panic
	p.load(w, 1<<30)
	p.allot(1)
	for i := range p.runs {
		lo, hi := p.span(i, w)
		if lo == hi {
			continue
		}
		p.set(&p.batch, i, lo, hi)
		for _, k := range p.loaded[i].members {
			p.members[k].system.Run(&p.batch)
		}
	}
	if then != nil {
		then()
	}
	p.store()
}

func (p *pass) writes() bool {
	return slices.ContainsFunc(p.slots, func(s slot) bool { return s.written })
}

// Count returns the number of rows that Run visits outside a pause or a Trace.
func (x *Walk) Count(w *ecs.World) int {
	q := w.Query(&x.pass.filter)
	defer q.Close()
	return q.Count()
}
