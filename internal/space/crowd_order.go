package space

import (
	"math"
	"sort"

	"github.com/mlange-42/arche/ecs"
)

// sort puts the agents of each slot into the order of their identities, where
// rows have not come in that order. Each worker has a part of the slots.
func (x *Crowd) sort(worker int) {
	slots, workers := len(x.start)-1, len(x.builders)
	for s := slots * worker / workers; s < slots*(worker+1)/workers; s++ {
		lo, hi := int(x.start[s]), int(x.start[s+1])
		for i := lo + 1; i < hi; i++ {
			if x.before(i, i-1) {
				x.sortSlot(lo, hi, &x.builders[worker].inSlot)
				break
			}
		}
	}
}

// bySwaps is how many agents a slot may have to be sorted by simple swaps.
const bySwaps = 24

func (x *Crowd) sortSlot(lo, hi int, order *slotOrder) {
	if hi-lo > bySwaps {
		*order = slotOrder{x, lo, hi - lo}
		sort.Sort(order)
	} else {
		for i := lo + 1; i < hi; i++ {
			for k := i; k > lo && x.before(k, k-1); k-- {
				x.agents.swap(k, k-1)
			}
		}
	}
	for i := lo; i < hi; i++ {
		if x.agents.Image != nil && x.agents.Image[i] {
			continue
		}
		x.know(x.agents.entities[i], uint32(i))
	}
}

// before reports whether the agent in place i has the lower ID, or the same and
// the lower entity, or is the same and farther to the left, or below.
func (x *Crowd) before(i, j int) bool {
	if a, b := x.agents.ID[i], x.agents.ID[j]; a != b {
		return a < b
	}
	a, b := x.agents.entities[i], x.agents.entities[j]
	if a.ID() != b.ID() {
		return a.ID() < b.ID()
	}
	if a.Generation() != b.Generation() || x.agents.Image == nil {
		return a.Generation() < b.Generation()
	}
	// It is the same agent, here and across an edge.
	p, q := x.agents.Position(uint32(i)), x.agents.Position(uint32(j))
	return p.X < q.X || p.X == q.X && p.Y < q.Y
}

// slotOrder sorts the agents of one slot.
type slotOrder struct {
	crowd *Crowd
	lo, n int
}

func (o *slotOrder) Len() int           { return o.n }
func (o *slotOrder) Less(i, j int) bool { return o.crowd.before(o.lo+i, o.lo+j) }
func (o *slotOrder) Swap(i, j int)      { o.crowd.agents.swap(o.lo+i, o.lo+j) }

// Index returns the index of an entity, if it is in the snapshot.
func (x *Crowd) Index(e ecs.Entity) (uint32, bool) {
	if id := int(e.ID()); id < len(x.places) {
		if at := x.places[id]; uint32(at) != 0 && uint32(at>>32) == e.Generation() {
			return uint32(at) - 1, true
		}
	}
	return 0, false
}

// Len returns the number of agents in the snapshot.
func (x *Crowd) Len() int { return x.agents.Len() }

// Skipped returns how many rows were left out of it.
func (x *Crowd) Skipped() int { return x.skipped }

// Cell returns the width of a cell in meters.
func (x *Crowd) Cell() float64 { return x.size }

// Agents returns the agents by place. They must not be written to.
func (x *Crowd) Agents() *Agents { return &x.agents }

// cell returns the number of the column or row in which a coordinate lies. It
// never decreases when the coordinate grows.
func (x *Crowd) cell(v float64) int64 {
	if at := float64(v * x.scale); at > -edge && at < edge {
		return int64(at + edge)
	}
	return int64(max(-edge, min(edge, float64(v*x.scale))) + edge)
}

// slot returns the slot of a cell; see Index.slot.
func (x *Crowd) slot(column, row int64) uint64 {
	return (uint64(column)<<(x.shift&63) + uint64(row)*x.stride) >> (x.shift & 63)
}

// gatherLarge makes an index of the bodies that are much larger than a cell and
// few. A query for bodies need not look as far as the largest then.
func (x *Crowd) gatherLarge() {
	x.largest = 0
	for i := range x.builders {
		x.largest = max(x.largest, x.builders[i].largest)
	}
	few, more, octave := uint32(x.Len()/64+8), uint32(0), int(math.Float64bits(x.largest)>>52)+1
	for octave > 0 && more <= few {
		octave--
		for i := range x.builders {
			more += x.builders[i].sizes[octave]
		}
	}
	limit := max(x.size, math.Float64frombits(uint64(octave+1)<<52)) // no less than any in the octave
	x.bulk, x.shapes = x.largest, x.shapes[:0]
	if x.largest > limit {
		x.bulk = 0
		for i, radius := range x.agents.Radius {
			if radius > limit {
				p := x.agents.Position(uint32(i))
				x.shapes = append(x.shapes, Shape{ID: uint32(i), A: p, B: p, Radius: radius})
			} else {
				x.bulk = max(x.bulk, radius)
			}
		}
	}
	if len(x.shapes) > 0 || x.large.Len() > 0 {
		x.large.Build(x.shapes, 0, 0)
	}
}
