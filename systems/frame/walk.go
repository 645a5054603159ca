package frame

import (
	"slices"

	"github.com/mlange-42/arche/ecs"
)

// Walk takes rows through systems on the caller's goroutine, all rows of an archetype
// as one batch. It is how a Sensor or an Observer goes over rows; the systems in it
// are its own, and stand in no frame. It allocates nothing once it has seen all
// archetypes.
type Walk struct{ pass pass }

// Attach asks the systems for their needs and registers them in the world, with the
// bindings of the frame. Call it in Attach of the system that walks.
func (x *Walk) Attach(f *Frame, w *ecs.World, systems ...System) {
	x.pass = pass{workers: 1}
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
		p.set(&p.batch, i, 0, p.runs[i].Rows)
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
