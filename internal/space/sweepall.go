package space

import (
	"encoding/binary"
	"fmt"

	"github.com/8f878440/crowd/internal/kernel"
)

const (
	block = kernel.SiftWays // ways per block
	mask  = block - 1
	pad   = kernel.SiftPad // number of entries past the end that may be read, and of pieces that may be written there
	queue = kernel.SiftQueue
)

// Sweeps is scratch memory for SweepAll, for one goroutine at a time. The zero value is ready to use.
type Sweeps struct {
	sifter kernel.Sifter
	first  [block]contact
	which  [block]uint8 // indexes of ways
	bound  [queue]bound
	at     [queue]float64 // m, distances of contacts
	gather gathered
}

type gathered struct {
	entry [queue + pad]entry
	way   [queue + pad]uint8
}

// SweepAll sweeps many ways, and returns n, the number of hits. It sets the first n elements of hits, in any
// order, including Hit.Way. It panics if the lengths of ways and hits differ.
//
// It is much faster than calling Sweep in a loop, which waits for memory and mispredicts branches. SweepAll
// does all lookups first, then all rough tests without branches, and then the few exact tests that are left.
func (x *Index) SweepAll(ways []Way, hits []Hit, s *Sweeps) (n int) {
	if len(ways) != len(hits) {
		panic(fmt.Sprintf("crowd: SweepAll: %d ways, but room for %d hits", len(ways), len(hits)))
	}
	for first := 0; first < len(ways); first += block {
		found := x.sweepBlock(ways[first:min(first+block, len(ways))], hits[n:], s)
		for i := n; i < n+found; i++ {
			hits[i].Way += first
		}
		n += found
	}
	return n
}

func (x *Index) sweepBlock(ways []Way, hits []Hit, s *Sweeps) (n int) {
	if len(x.levels) == 0 {
		return 0
	}
	single, lists := true, 0
	for i := range x.levels {
		var all bool
		all, lists = x.sweepLevel(&x.levels[i], ways, s)
		single = single && all
	}
	for i := 0; !single && i < len(ways); i++ {
		if w := &ways[i]; !x.single(w, middle(w)) {
			s.first[i&mask] = x.far(w)
		}
	}
	if single && len(x.levels) == 1 {
		for _, i := range s.sifter.Busy[:lists] {
			if s.which[n&mask] = i; s.first[i&mask].piece != none {
				n++
			}
		}
	} else {
		for i := range ways {
			if s.which[n&mask] = uint8(i); s.first[i&mask].piece != none {
				n++
			}
		}
	}
	x.hitAll(s.which[:n], ways, hits, s)
	return n
}

func (x *Index) hitAll(which []uint8, ways []Way, hits []Hit, s *Sweeps) {
	for k := 0; k < len(which); {
		if x.round {
			done := kernel.Meet(which[k:], &s.first[0].distance, &x.bounds[0].x, ways, &hits[k].Contact.X)
			for end := k + done; k < end; k++ {
				h, first := &hits[k], &s.first[which[k]&mask]
				h.Index, h.Distance, h.Way = int(x.bounds[first.piece].shape), first.distance, int(which[k])
			}
		}
		for end := kernel.Until(k, len(which)); k < end; k++ {
			x.hit(&hits[k], s.first[which[k]&mask], &ways[which[k]])
			hits[k].Way = int(which[k])
		}
	}
}

// sweepLevel finds first contacts in one grid. It reports whether one lookup is enough for all ways, and
// returns the number of ways that have a list.
func (x *Index) sweepLevel(lv *level, ways []Way, s *Sweeps) (bool, int) {
	f := &s.sifter
	single, lists, done, found := x.find(s, lv, ways)
	if single && len(x.levels) == 1 { // ways without a list hit nothing
		for _, i := range f.Busy[:lists] {
			s.first[i&mask] = contact{ways[i].Length, none}
		}
	} else if lv == &x.levels[0] {
		for i := range ways {
			s.first[i&mask] = contact{ways[i].Length, none}
		}
	}
	for {
		x.tryAll(ways, s, found)
		if done == lists {
			return single, lists
		}
		before := done
		if done, found = s.sift(done, lists, 0); done == before { // the list is too long
			i := f.Busy[done]
			x.among(x.lists[uint32(f.Span[i&mask]):f.Span[i&mask]>>32], &ways[i], &s.first[i&mask])
			done++
		}
	}
}

// find looks up all ways in one grid, and finds as many pieces that they may touch as there is room for. It
// reports whether one lookup is enough for all ways. It returns the numbers of ways that have a list, of
// lists that are done, and of pieces.
func (x *Index) find(s *Sweeps, lv *level, ways []Way) (single bool, lists, done, found int) {
	f := &s.sifter
	f.Reach, f.Extent, f.Scale, f.Units = x.reach, x.extent, lv.scale, float64(lv.scale*unitsPerCell)
	f.Salt, f.Shift, f.Start, f.Lists = lv.salt, uint64(x.shift), x.start, x.lists
	ready, single, lists, done, found := kernel.Sift(ways, f)
	all := done == lists
	rest, lists := x.look(f, lv, ways, ready, lists)
	single = single && rest
	if all {
		done, found = s.sift(done, lists, found)
	}
	return single, lists, done, found
}

// sift finds the pieces that ways may touch, as long as there is room. done and found are the numbers of
// lists and of pieces so far; sift returns the new numbers.
func (s *Sweeps) sift(done, lists, found int) (int, int) {
	f, g := &s.sifter, &s.gather
	for done < lists {
		before := done
		var n int
		if done, n = g.lists(f, done, lists, queue-found); done == before {
			break
		}
		found = rough(f, g.entry[:n], g.way[:n], found)
	}
	return done, found
}

// lists gathers up to the given number of entries, beginning with the first list that is not done. It returns
// the new number of lists done and the number of entries.
func (g *gathered) lists(f *kernel.Sifter, done, lists, most int) (_, n int) {
	for ; done < lists; done++ {
		i := f.Busy[done]
		from, to := int(uint32(f.Span[i&mask])), int(f.Span[i&mask]>>32)
		if n+to-from > most {
			break
		}
		// Copying a constant number of elements compiles to one move and needs no branch.
		*(*[pad]entry)(g.entry[n : n+pad : n+pad]) = [pad]entry(f.Lists[from : from+pad : from+pad])
		binary.LittleEndian.PutUint32(g.way[n:n+pad:n+pad], uint32(i)*0x01010101)
		for k := pad; k < to-from; k++ {
			g.entry[n+k], g.way[n+k] = f.Lists[from+k], i
		}
		n += to - from
	}
	return done, n
}

func (x *Index) tryAll(ways []Way, s *Sweeps, found int) {
	f, done := &s.sifter, 0
	if x.round && found > 0 {
		done = kernel.Touch(f.Piece[:found], f.Way[:found], &x.bounds[0].x, ways, &s.at)
	}
	for k, t := range s.at[:done] {
		first, piece := &s.first[f.Way[k]&mask], f.Piece[k]
		if t < first.distance || t == first.distance && piece < first.piece {
			*first = contact{t, piece}
		}
	}
	for k := done; k < found; k++ {
		b, to := &x.bounds[f.Piece[k]], &s.bound[k&(queue-1)]
		to.x, to.y, to.radius, to.kind = b.x, b.y, b.radius, b.kind
	}
	for k := done; k < found; k++ {
		i := f.Way[k]
		x.try(f.Piece[k], &s.bound[k&(queue-1)], &ways[i], &s.first[i&mask])
	}
}
