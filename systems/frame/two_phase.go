package frame

import "time"

// TwoPhase is a System whose work needs all agents at once, when they have gone
// through the systems before it and none has gone on. A step calls Collect's Run for
// every batch, Resolve once, and then Run for every batch.
//
// It does not cut the frame's passes in two: a step in which nobody needs it costs
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
