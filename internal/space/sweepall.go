package space

import (
	"fmt"

	"github.com/8f878440/crowd/internal/kernel"
)

const (
	block = kernel.SiftWays // ways at a time
	mask  = block - 1
	few   = kernel.SiftFew // entries more than there are may be read, and pieces written
)

// Sweeps is memory for SweepAll, which would otherwise be cleared each time. One
// goroutine may use it at a time. The zero value is ready.
type Sweeps struct {
	sifter kernel.Sifter
	first  [block]contact
	which  [block]uint8 // ways
	bound  [kernel.SiftQueue]bound
}

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
	for i := range ways {
		s.first[i&mask] = contact{ways[i].Length, none}
	}
	single := true
	for i := range x.levels {
		single = x.sweepLevel(&x.levels[i], ways, s) && single
	}
	for i := 0; !single && i < len(ways); i++ {
		if w := &ways[i]; !x.single(w, middle(w)) {
			s.first[i&mask] = x.far(w)
		}
	}
	for i := range ways {
		if s.which[n&mask] = uint8(i); s.first[i&mask].piece != none {
			n++
		}
	}
	for k, i := range s.which[:n] {
		x.hit(&hits[k], s.first[i&mask], &ways[i])
		hits[k].Way = int(i)
	}
	return n
}

// sweepLevel looks for first contacts in one grid, as if one look-up would do. It tells
// whether it does for all ways.
func (x *Index) sweepLevel(lv *level, ways []Way, s *Sweeps) bool {
	f := &s.sifter
	single, lists, done, found := x.find(f, lv, ways)
	for {
		x.tryAll(ways, s, found)
		if done == lists {
			return single
		}
		before := done
		if done, found = sift(f, done, lists, 0); done == before { // a list that is too long
			i := f.Busy[done]
			x.among(x.lists[uint32(f.Span[i&mask]):f.Span[i&mask]>>32], &ways[i], &s.first[i&mask])
			done++
		}
	}
}

// find looks all ways up in one grid, and finds the pieces that may be touched, as many as
// there is room for. It tells whether one look-up is enough for all of them, how many have
// a list, of how many of these the pieces are found, and how many pieces that are.
func (x *Index) find(f *kernel.Sifter, lv *level, ways []Way) (single bool, lists, done, found int) {
	f.Origin, f.Spare, f.Reach, f.Extent = x.origin, x.spare, x.reach, x.extent
	f.Scale, f.Salt, f.Shift, f.Start, f.Lists = lv.scale, lv.salt, uint64(x.shift), x.start, x.lists
	ready, single, lists, done, found := kernel.Sift(ways, f)
	all := done == lists
	for i := ready; i < len(ways); i++ {
		w := &ways[i]
		single = single && x.single(w, middle(w))
		lists += x.look(f, lv, w, i, lists)
	}
	if all {
		done, found = sift(f, done, lists, found)
	}
	return single, lists, done, found
}

// look looks a way up, and returns 1 if it has a list, which is the next one.
func (x *Index) look(f *kernel.Sifter, lv *level, w *Way, i, next int) int {
	slot := x.innerSlot(lv, middle(w))
	from, to := x.start[slot], x.start[slot+1]
	var r roughWay
	x.rough(&r, w)
	f.X[i&mask], f.Y[i&mask], f.DirX[i&mask], f.DirY[i&mask], f.Near[i&mask], f.Far[i&mask] = r.x, r.y, r.dirX, r.dirY, r.near, r.far
	f.Span[i&mask], f.Busy[next&mask] = uint64(to)<<32|uint64(from), uint8(i)
	return int((from - to) >> 31)
}

// sift finds the pieces that may be touched on the ways of the lists from done on, of as
// many lists as there is room for beside those found before. It returns up to which list,
// and how many pieces.
func sift(f *kernel.Sifter, done, lists, found int) (int, int) {
	for ; done < lists; done++ {
		i := f.Busy[done]
		list := f.Lists[uint32(f.Span[i&mask]) : f.Span[i&mask]>>32]
		if found+len(list) > kernel.SiftQueue {
			break
		}
		w := roughWay{f.X[i&mask], f.Y[i&mask], f.DirX[i&mask], f.DirY[i&mask], f.Near[i&mask], f.Far[i&mask]}
		for k := range list {
			apart := beside(&list[k], &w) | beyond(&list[k], &w)
			f.Piece[found], f.Way[found] = list[k].Piece, i
			found += 1 - int(apart>>31)
		}
	}
	return done, found
}

// tryAll tests exactly what was found.
func (x *Index) tryAll(ways []Way, s *Sweeps, found int) {
	f := &s.sifter
	for k, piece := range f.Piece[:found] {
		s.bound[k&(kernel.SiftQueue-1)] = x.bounds[piece]
	}
	for k, piece := range f.Piece[:found] {
		i := f.Way[k]
		x.try(piece, &s.bound[k&(kernel.SiftQueue-1)], &ways[i], &s.first[i&mask])
	}
}
