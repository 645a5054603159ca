package frame

import "github.com/mlange-42/arche/ecs"

// Trace shows the effect of each system on the row of a living entity. It runs each Sensor, and then calls
// the function visit for each system, with the system's index in the list and a function. That function runs
// the system on the row, and reports whether the system skipped the row. It is nil for a system that does not
// work on the row. A Walk that writes columns processes only this row. Observers and Exclusives do not run.
// The caller must restore what the systems have written. Trace panics if w is not the world of Initialize.
func (f *Frame) Trace(w *ecs.World, e ecs.Entity, visit func(place int, run func() (skipped bool))) {
	f.checkWorld("Trace", w)
	f.traced = e
	defer func() { f.traced = ecs.Entity{} }()
	for _, s := range f.sensers {
		s.system.Sense(w)
	}
	for i := range f.systems {
		visit(i, f.runOf(w, i))
	}
}

// Traced returns the entity of the running Trace, or the zero entity outside a Trace.
func (f *Frame) Traced() ecs.Entity { return f.traced }

func (f *Frame) runOf(w *ecs.World, place int) func() bool {
	mask := w.Mask(f.traced)
	for p := range f.passes {
		for k, m := range p.members {
			if m.place == place && !m.partial && m.rows.Matches(&mask) {
				return func() bool { return p.trace(w, k) }
			}
		}
	}
	return nil
}

// trace runs a member on the traced row, and reports whether the row was skipped. For a TwoPhase, it first
// runs Collect and, if pending, Resolve.
func (p *pass) trace(w *ecs.World, k int) (skipped bool) {
	p.query = w.Query(&p.filter)
	defer p.query.Close() // even on a panic
	p.load(w, 1<<30)
	p.allot(1)
	b := &p.batch
	b.Clock, b.skipped = *ClockOf(w), 0
	for i := range p.runs {
		row := p.rowIn(i, w, p.frame.traced)
		if row < 0 {
			continue
		}
		p.set(b, i, row, row+1)
		for _, in := range p.meets {
			if in.member != k {
				continue
			}
			pending := in.system.Pending()
			if p.members[k-1].system.Run(b); pending {
				in.system.Resolve()
			}
		}
		p.members[k].system.Run(b)
	}
	p.store()
	return b.skipped > 0
}

func (p *pass) rowIn(run int, w *ecs.World, e ecs.Entity) int {
	r := &p.runs[run]
	if r.Kind.Mask != w.Mask(e) {
		return -1
	}
	for _, s := range p.loaded[run].slots {
		return r.Row(w, e, p.slots[s].source.ID)
	}
	return -1
}

func (p *pass) span(run int, w *ecs.World) (lo, hi int) {
	if e := p.frame.traced; !e.IsZero() && p.writes() {
		row := p.rowIn(run, w, e)
		return max(row, 0), row + 1
	}
	return 0, p.runs[run].Rows
}
