package space

import (
	"encoding/binary"
	"fmt"

	"gonum.org/v1/gonum/spatial/r2"
)

const (
	block = 64 // ways at a time
	mask  = block - 1
	queue = 512 // pieces at a time
	few   = 4   // pieces in most lists, or less
)

// Sweeps is memory for SweepAll, which would otherwise be cleared each time. One
// goroutine may use it at a time. The zero value is ready.
type Sweeps struct {
	middle [block]r2.Vec // of the way
	first  [block]contact
	list   [block]span
	maybe  maybe
	which  [block]uint8 // ways
}

// maybe holds pieces that may be touched, and on which ways.
type maybe struct {
	piece [queue + few]uint32
	way   [queue + few]uint8
}

// span is where a list lies.
type span struct{ from, to uint32 }

// SweepAll does Sweep for many ways. It sets the first of hits, which must be as
// many as the ways, to what is hit on the ways that hit something, in any order,
// and returns how many these are. Way tells which way a hit is on.
//
// It is much faster than one Sweep after another. A sweep waits for memory, and
// guesses wrongly how long a list is and whether it will find something; so
// here all look-ups come first, then all rough tests, none of which needs a
// guess, and then the exact tests of the few pieces that are left, most of
// which are touched indeed.
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
	odd := 0 // ways that one look-up will not do for
	for i := range ways {
		w := &ways[i]
		middle := w.middle()
		s.middle[i&mask], s.first[i&mask] = middle, contact{w.Length, none}
		if s.which[odd&mask] = uint8(i); !x.single(w, middle) {
			odd++
		}
	}
	for i := range x.levels {
		x.sweepLevel(&x.levels[i], ways, s)
	}
	for _, i := range s.which[:odd] {
		s.first[i] = x.far(&ways[i])
	}
	for i := range ways {
		if s.which[n&mask] = uint8(i); s.first[i&mask].piece != none {
			n++
		}
	}
	for k, i := range s.which[:n] {
		x.hit(&hits[k], s.first[i], &ways[i])
		hits[k].Way = int(i)
	}
	return n
}

// sweepLevel looks for first contacts in one grid, as if one look-up would do.
func (x *Index) sweepLevel(lv *level, ways []Way, s *Sweeps) {
	total := uint32(0)
	for i := range ways {
		slot := x.innerSlot(lv, s.middle[i&mask])
		l := span{x.start[slot], x.start[slot+1]}
		s.list[i&mask] = l
		total += l.to - l.from
	}
	if total > queue {
		for i := range ways {
			x.among(x.lists[s.list[i].from:s.list[i].to], &ways[i], &s.first[i])
		}
		return
	}
	maybe, n := &s.maybe, s.gather(x.lists, len(ways))
	for k, piece := range maybe.piece[:x.sift(maybe.piece[:n], maybe.way[:n], ways, x.reach)] {
		i := maybe.way[k]
		x.try(piece, &ways[i], &s.first[i&mask])
	}
}

// gather puts the lists of the first ways one after another, and returns the number
// of pieces.
func (s *Sweeps) gather(lists []uint32, ways int) (n int) {
	maybe := &s.maybe
	for i, l := range s.list[:ways] {
		from, to := int(l.from), int(l.to)
		// So many places are written whether they count or not, for want of a guess.
		// Slices whose length is a constant become one move of all of them.
		*(*[few]uint32)(maybe.piece[n : n+few : n+few]) = [few]uint32(lists[from : from+few : from+few])
		binary.LittleEndian.PutUint32(maybe.way[n:n+few:n+few], uint32(i)*0x01010101)
		for k := few; k < to-from; k++ {
			maybe.piece[n+k], maybe.way[n+k] = lists[from+k], uint8(i)
		}
		n += to - from
	}
	return n
}
