package view

import (
	"cmp"
	"slices"

	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	neighborsUpTo = 2000 // how many agents that look there may be in the windows for all to be shown whom they see
	nearestOf     = 10   // how many of the agents that an agent sees are shown: few behaviors react to more
)

// pair is two agents, by their places, the lower one first.
type pair struct{ a, b uint32 }

// capturePairs takes the pairs of which one is in some boxes and has the other among
// the nearest that are near enough to be seen, unless too many agents look.
func (s *snapshot) capturePairs(n *sense.Neighbors, boxes []r2.Box) {
	s.pairs, s.crowded = s.pairs[:0], false
	asking := 0
	var near [nearestOf]sense.NeighborHit
	for place := range uint32(n.Len()) {
		me, reach := n.At(place), n.Reach(place)
		if !(reach > 0) || !s.knows(me) || !inAny(boxes, me.Position) {
			continue
		}
		if asking++; asking > neighborsUpTo {
			s.pairs, s.crowded = s.pairs[:0], true
			return
		}
		for _, f := range near[:n.Nearest(me.Position, reach, me.Entity, me.Sees, near[:])] {
			if o := n.At(f.Index); s.knows(o) {
				a, b := uint32(placeOf(me.Entity)), uint32(placeOf(o.Entity))
				s.pairs = append(s.pairs, pair{min(a, b), max(a, b)})
			}
		}
	}
	slices.SortFunc(s.pairs, func(p, q pair) int { return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b)) })
	s.pairs = slices.Compact(s.pairs)
}

// knows reports whether there is a place for another one.
func (s *snapshot) knows(o sense.Neighbor) bool { return placeOf(o.Entity) < len(s.ids) }

func inAny(boxes []r2.Box, p r2.Vec) bool {
	for _, b := range boxes {
		if p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y {
			return true
		}
	}
	return false
}

// sees is whom an agent sees.
type sees struct {
	who   uint64 // id
	place int
	of    []sighting
}

// sighting is another one, and which of the agent's behaviors see it, a bit each
// in the order of Explanation.Looks.
type sighting struct {
	id    uint64
	place int
	by    uint32
}

// mostLooks is how many behaviors are told apart: a float32 holds their bits.
const mostLooks = 24

// seesOf returns what an explanation says about that, nil if there is none.
func seesOf(x *world.Explanation) *sees {
	if x == nil {
		return nil
	}
	s, at := &sees{who: x.ID, place: placeOf(x.Entity)}, map[uint64]int{}
	for k := range x.Looks[:min(len(x.Looks), mostLooks)] {
		for i := range x.Looks[k].Seen {
			other := &x.Looks[k].Seen[i]
			n, known := at[other.ID]
			if !known {
				n = len(s.of)
				at[other.ID], s.of = n, append(s.of, sighting{id: other.ID, place: placeOf(other.Entity)})
			}
			s.of[n].by |= 1 << k
		}
	}
	return s
}

// neighbors writes the layer of that name: first whom the selected agent sees, then
// the pairs of agents in the window.
func (f *frames) neighbors(s *snapshot, box r2.Box, selected uint64, sees *sees, full func() bool) {
	line := func(from, to r2.Vec, by uint32) (ok bool) {
		if by == 0 && !inAny([]r2.Box{box}, from) && !inAny([]r2.Box{box}, to) {
			return true
		}
		if full() {
			return false
		}
		f.point(from, box.Min)
		f.point(to, box.Min)
		f.f32(float64(by))
		return true
	}
	if sees != nil && sees.who == selected {
		from, alive := s.at(selected, sees.place)
		for _, o := range sees.of {
			if to, both := s.at(o.id, o.place); alive && both && !line(from, to, o.by) {
				return
			}
		}
	}
	if s.crowded {
		f.out[1] |= flagCut
	}
	for _, p := range s.pairs {
		if s.ids[p.a] != 0 && s.ids[p.b] != 0 && !line(s.pos[p.a], s.pos[p.b], 0) {
			return
		}
	}
}
