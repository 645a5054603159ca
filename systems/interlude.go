package systems

import "time"

// deliberator is a System that does its work in between, when all agents have
// gone through the systems before it and none has gone on, and by other rows than
// a batch has.
//
// It does not cut the frame's passes in two: a step in which nobody needs it costs
// nothing, and in another one the pass that it is in is walked in two parts.
type deliberator interface {
	System
	first() System     // what takes the rows before that, at the end of the systems before
	deliberates() bool // whether this step needs it
	deliberate()       // its work; what it found it takes in Run
}

// interlude is a deliberator in a pass.
type interlude struct {
	system deliberator
	place  int // in the list of the frame
	member int // of the pass, that comes next
}

// inParts walks the pass: as one, or in the parts between interludes. It returns
// what the walks return, added up.
func (f *Frame) inParts(p *pass, walk func() time.Duration) (took time.Duration) {
	from, cut := 0, false
	for i := range p.meets {
		in := &p.meets[i]
		if !in.system.deliberates() {
			continue
		}
		p.only(from, in.member)
		from, cut = in.member, true
		took += walk()
		t := f.begin(in.place)
		in.system.deliberate()
		f.stats.Systems[in.place].Alone += f.end(t)
	}
	if cut {
		p.only(from, len(p.members))
		defer p.only(0, len(p.members))
	}
	return took + walk()
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
