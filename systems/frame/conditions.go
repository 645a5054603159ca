package frame

import (
	"time"
)

// TwoPhase is a System whose work needs all agents at once, when they have gone
// through the systems before it and none has gone on. A step calls Collect's Run for
// every batch, Resolve once, and then Run for every batch.
//
// It does not cut the frame's passes in two: a step in which it is not needed costs
// nothing, and in another one the pass that it is in is walked in two parts.
type TwoPhase interface {
	System
	Collect() System // takes down what Resolve needs of rows
	Pending() bool   // whether this step needs Resolve
	Resolve()        // the work, on the caller's goroutine: see Frame.Share
}

// interlude is where a pass resolves a TwoPhase.
type interlude struct {
	system TwoPhase
	place  int // in the list of the frame
	member int // of the pass, that comes next
}

// inParts walks the pass: as one, or in the parts between interludes; in a pause with
// the members that write nothing. It returns what the walks return, added up.
func (f *Frame) inParts(p *pass, pause bool, walk func() time.Duration) (took time.Duration) {
	if pause {
		p.halt()
		defer p.only(0, len(p.members))
		return walk()
	}
	from, cut := 0, false
	for i := range p.meets {
		in := &p.meets[i]
		if !in.system.Pending() {
			continue
		}
		p.only(from, in.member)
		from, cut = in.member, true
		took += walk()
		t := f.begin(in.place)
		in.system.Resolve()
		f.stats.Systems[in.place].Alone += f.end(t)
	}
	if cut {
		p.only(from, len(p.members))
		defer p.only(0, len(p.members))
	}
	return took + walk()
}

// halt makes the members that write nothing those that do something now.
func (p *pass) halt() {
	for _, pl := range p.plans {
		if pl != nil {
			pl.part = pl.still
		}
	}
}

// only makes the members from the given ones on, up to but not including end, those
// that do something now.
func (p *pass) only(from, end int) {
	for _, pl := range p.plans {
		if pl == nil {
			continue
		}
		lo, hi := 0, len(pl.members)
		for lo < hi && pl.members[lo] < from {
			lo++
		}
		for hi > lo && pl.members[hi-1] >= end {
			hi--
		}
		pl.part = pl.members[lo:hi]
	}
}

// Condition tells for which rows of a batch something is so. It is a part of a system,
// which declares the columns of the condition in its own Needs.
type Condition interface {
	Needs(*Needs)                             // columns that rows may lack: then it is not so
	Mark(b *Batch, marks []uint8, mark uint8) // sets the marks of those rows
}

// While1 returns what makes a Condition on one component, for catalog.Entry.While.
func While1[A any](holds func(*A) bool) func() any {
	return While2(func(a, _ *A) bool { return holds(a) })
}

// While2 returns what makes a Condition on two components.
func While2[A, B any](holds func(*A, *B) bool) func() any {
	return While3(func(a *A, b, _ *B) bool { return holds(a, b) })
}

// While3 returns what makes a Condition on three components.
func While3[A, B, C any](holds func(*A, *B, *C) bool) func() any {
	return func() any { return &while[A, B, C]{holds: holds} }
}

type while[A, B, C any] struct {
	a     In[A]
	b     In[B]
	c     In[C]
	holds func(*A, *B, *C) bool
}

func (w *while[A, B, C]) Needs(n *Needs) { n.Optional(&w.a, &w.b, &w.c) }

func (w *while[A, B, C]) Mark(b *Batch, marks []uint8, mark uint8) {
	first, second, third := w.a.Of(b), w.b.Of(b), w.c.Of(b)
	for i := range min(len(first), len(second), len(third)) {
		if w.holds(&first[i], &second[i], &third[i]) {
			marks[i] = mark
		}
	}
}
