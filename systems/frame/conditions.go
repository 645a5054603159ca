package frame

import (
	"time"
)

// TwoPhase is a System that needs all agents at once, after they have passed through the systems before it.
// If Pending returns true, a step calls Run of the Collect system for every batch, then Resolve once, and
// then Run of the TwoPhase for every batch. Otherwise the step calls both Run methods for each batch in turn,
// without Resolve.
type TwoPhase interface {
	System
	Collect() System // returns the system that records what Resolve needs
	Pending() bool   // reports whether this step needs Resolve; called before Run of Collect
	Resolve()        // does the work on the caller's goroutine: see Frame.Share
}

type interlude struct {
	system TwoPhase
	place  int // in the frame's list
	member int // index of the first member after this point
}

// inParts calls the function walk for each part of the pass between pending interludes, and resolves the
// interludes. In a pause, it calls the function once. It returns the sum of the results.
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

func (p *pass) halt() {
	for _, pl := range p.plans {
		if pl != nil {
			pl.part = pl.still
		}
	}
}

// only activates p.members[from:end] and deactivates the others.
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

// Condition tests the rows of a batch for a system, which includes the condition's columns in its Needs.
type Condition interface {
	Needs(*Needs)                             // declares columns as optional; the condition is false for rows without them
	Mark(b *Batch, marks []uint8, mark uint8) // sets marks[i] to mark for each row i that meets the condition
}

// While1 returns a constructor, for catalog.Entry.While, of a Condition that is true for rows that have
// component A and for which the given function returns true.
func While1[A any](holds func(*A) bool) func() any {
	return While2(func(a, _ *A) bool { return holds(a) })
}

// While2 is like While1, for two components.
func While2[A, B any](holds func(*A, *B) bool) func() any {
	return While3(func(a *A, b, _ *B) bool { return holds(a, b) })
}

// While3 is like While1, for three components.
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
