package space

import (
	"fmt"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Way is the way of a disc.
type Way struct {
	From   r2.Vec  // m, where its centre starts
	Dir    r2.Vec  // unit vector; zero: it stays
	Length float64 // m, how far its centre moves
	Body   float64 // m, radius of the disc
}

const (
	block = 64  // ways at a time
	queue = 256 // pieces at a time
)

// SweepAll does Sweep for many ways, and sets hits, which must be as many. The
// Index of a hit is -1 where there is none.
//
// It is much faster than one Sweep after another. A sweep waits for memory, and
// guesses wrongly whether it will find something; so here all look-ups come
// first, then all rough tests, which need no guesses, and then the exact tests
// of the few pieces that are left, most of which are touched indeed.
func (x *Index) SweepAll(ways []Way, hits []Hit) {
	if len(ways) != len(hits) {
		panic(fmt.Sprintf("crowd: SweepAll: %d ways, but room for %d hits", len(ways), len(hits)))
	}
	for len(ways) > block {
		x.sweepBlock(ways[:block], hits[:block])
		ways, hits = ways[block:], hits[block:]
	}
	x.sweepBlock(ways, hits)
}

func (x *Index) sweepBlock(ways []Way, hits []Hit) {
	var first [block]contact
	single := uint64(0) // bit i: way i needs one look-up a grid
	for i := range ways {
		w := &ways[i]
		first[i] = contact{w.Length, none}
		way, half := path{w.From, w.Dir}, float64(w.Length/2)
		if x.single(vec.AddScaled(w.From, half, w.Dir), half, w.Body) {
			single |= 1 << i
		} else {
			first[i] = x.far(way, half, w.Body, first[i])
		}
	}
	for i := range x.levels {
		x.sweepLevel(&x.levels[i], ways, single, &first)
	}
	for i := range ways {
		hits[i] = Hit{Index: -1}
		if first[i].piece != none {
			x.hit(&hits[i], first[i], path{ways[i].From, ways[i].Dir}, ways[i].Body)
		}
	}
}

// sweepLevel looks for first contacts in one grid, where one look-up will do.
func (x *Index) sweepLevel(lv *level, ways []Way, single uint64, first *[block]contact) {
	var lists [block]struct{ from, to uint32 }
	for i := range ways {
		if single>>i&1 != 0 {
			w := &ways[i]
			slot := x.innerSlot(lv, vec.AddScaled(w.From, float64(w.Length/2), w.Dir))
			lists[i].from, lists[i].to = x.start[slot], x.start[slot+1]
		}
	}
	var found [queue]met
	n := 0
	for i := range ways {
		w := &ways[i]
		way, half := path{w.From, w.Dir}, float64(w.Length/2)
		list := x.lists[lists[i].from:lists[i].to]
		if len(list) > queue-n {
			x.tryAll(found[:n], ways, first)
			n = 0
			if len(list) > queue {
				first[i] = x.among(list, way, half, w.Body, first[i])
				continue
			}
		}
		n += gather(found[n:], list, uint32(i), way, half, w.Body)
	}
	x.tryAll(found[:n], ways, first)
}

func (x *Index) tryAll(found []met, ways []Way, first *[block]contact) {
	for _, f := range found {
		w := &ways[f.way]
		first[f.way] = x.try(f.piece, path{w.From, w.Dir}, w.Body, first[f.way])
	}
}
