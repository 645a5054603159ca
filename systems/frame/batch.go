package frame

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// Batch is a stretch of rows, all with the same components, that go through
// the systems together.
type Batch struct {
	Clock      // of this step
	Worker int // which worker runs the batch, from 0; results must not depend on it

	columns []column.Column
	run     *column.Run
	lo, hi  int
	skipped uint64
}

// Len returns the number of rows.
func (b *Batch) Len() int { return b.hi - b.lo }

// Entity returns the entity of row i. It costs some ten nanoseconds. In a batch
// over plain slices there is none, and it returns the zero entity.
func (b *Batch) Entity(i int) ecs.Entity {
	if b.run == nil {
		return ecs.Entity{}
	}
	return b.run.Entity(b.lo + i)
}

// Mask returns which components the rows have. In a batch over plain slices it is empty.
func (b *Batch) Mask() ecs.Mask {
	if b.run == nil {
		return ecs.Mask{}
	}
	return b.run.Kind.Mask
}

// Entities sets to to the entities of the rows from lo on, which is much cheaper
// than Entity for each. In a batch over plain slices they are zero.
func (b *Batch) Entities(lo int, to []ecs.Entity) {
	if b.run == nil {
		clear(to)
		return
	}
	b.run.Entities(b.lo+lo, to)
}

// EntityRows tells the entities of rows.
type EntityRows interface {
	Entities(lo int, to []ecs.Entity) // sets to to the entities of the rows from lo on
}

// Source returns the entities of all rows of the archetype that the batch is a part
// of, nil in a batch over plain slices. It is good as long as columns are.
func (b *Batch) Source() EntityRows {
	if b.run == nil {
		return nil
	}
	return b.run
}

// Offset returns how many rows of Source come before those of the batch.
func (b *Batch) Offset() int { return b.lo }

// Skip counts a row that the system left as it was, because a number in it is
// not finite. Systems that move agents call it.
func (b *Batch) Skip() { b.skipped++ }

// Skipped returns how many rows were skipped. Stats adds that up for a frame.
func (b *Batch) Skipped() uint64 { return b.skipped }

// Slice is a plain slice that stands for a column, see BatchOf.
type Slice struct {
	typ    reflect.Type
	column column.Column
	rows   int
}

// Over makes a slice stand for the column of component T.
func Over[T any](rows []T) Slice {
	return Slice{reflect.TypeFor[T](), column.Over(rows), len(rows)}
}

// BatchOf makes a batch over plain slices, so that a system runs without a
// world: s.Run(BatchOf(clock, s, Over(positions), Over(velocities))). It must not
// be in a frame at the same time. It panics when a column that the
// system needs is not among the slices, when their lengths differ, and for a system
// that looks at neighbors or at a table of the world (see Needs.InFrame): slices have
// none, and are copied into a world and out of it, as docs/embedding.md shows.
func BatchOf(clock Clock, s System, slices ...Slice) *Batch {
	p := &pass{workers: 1}
	p.add(s, 0)
	p.members[0].met = true
	p.allot(1)
	if m := p.members[0]; m.inFrame != "" {
		panic(fmt.Sprintf("crowd: %s needs %s, which plain slices lack: copy them into an ecs.World, and put both into a frame", m.name, m.inFrame))
	}
	b := &Batch{Clock: clock, columns: make([]column.Column, len(p.slots))}
	given := map[reflect.Type]Slice{}
	for _, sl := range slices {
		given[sl.typ] = sl
		if b.hi = sl.rows; b.hi != slices[0].rows {
			panic(fmt.Sprintf("crowd: %v has %d rows, %v has %d", sl.typ, sl.rows, slices[0].typ, slices[0].rows))
		}
	}
	for _, t := range p.members[0].with {
		if _, ok := given[t]; !ok {
			panic(fmt.Sprintf("crowd: %s needs %v", p.members[0].name, t))
		}
	}
	for i := range p.slots {
		b.columns[i] = given[p.slots[i].typ].column
	}
	for _, h := range p.handles {
		h.pass = nil // the slots are the same in the next batch
	}
	return b
}

// Walk takes rows through systems on the caller's goroutine, all rows of an archetype
// as one batch. It is how a Sensor or an Observer goes over rows; the systems in it
// are its own, and stand in no frame. It allocates nothing once it has seen all
// archetypes.
type Walk struct{ pass pass }

// Attach asks the systems for their needs and registers them in the world, with the
// bindings of the frame. Call it in Attach of the system that walks.
func (x *Walk) Attach(f *Frame, w *ecs.World, systems ...System) {
	x.pass = pass{frame: f, workers: 1}
	for _, s := range systems {
		x.pass.add(s, 0)
	}
	x.pass.attach(w, f.bound)
}

// Detach gives back what Attach took.
func (x *Walk) Detach(w *ecs.World) { x.pass.detach(w) }

// Run takes all rows through the systems.
func (x *Walk) Run(w *ecs.World) { x.RunThen(w, nil) }

// RunThen is Run, and calls then, if it is not nil, while the world is still locked
// and columns are where they were. In a pause a walk that writes columns does nothing.
func (x *Walk) RunThen(w *ecs.World, then func()) {
	p := &x.pass
	if p.batch.Clock = *ClockOf(w); p.batch.Dt == 0 && p.writes() {
		return
	}
	p.query = w.Query(&p.filter)
	defer p.query.Close() // unlocks the world, on a panic too
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

// writes reports whether some system of the pass writes a column.
func (p *pass) writes() bool {
	return slices.ContainsFunc(p.slots, func(s slot) bool { return s.written })
}

// Count returns the number of rows.
func (x *Walk) Count(w *ecs.World) int {
	q := w.Query(&x.pass.filter)
	defer q.Close()
	return q.Count()
}
