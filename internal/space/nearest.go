package space

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Nearest returns the obstacle whose surface is nearest to p, if it is within
// limit. Inside an obstacle the distance is negative, so the deepest one is the
// nearest there. Of obstacles at the same distance it is the one with the
// lowest ID.
func (x *Index) Nearest(p r2.Vec, limit float64) (hit Hit, ok bool) {
	if !within(p) || !(math.Abs(limit) <= math.MaxFloat64) || len(x.pieces) == 0 {
		return hit, false
	}
	best, found := limit, uint32(none)
	for radius := min(x.reach, limit); ; radius = min(2*radius, limit) {
		all := x.near(p, radius, func(list []uint32) {
			for _, k := range list {
				b := &x.bounds[k]
				// No surface of a piece is nearer than the circle around it.
				far := best + b.radius + underflow
				if far > 0 && vec.Norm2(vec.Sub(r2.Vec{X: b.x, Y: b.y}, p)) > float64(far*far)*(1+rounding) {
					continue
				}
				d := x.distance(&x.pieces[k], p)
				if d < best || d == best && k < found {
					best, found = d, k
				}
			}
		})
		if all || best <= radius || !(radius < limit) {
			break
		}
	}
	if found == none {
		return hit, false
	}
	x.hit(&hit, contact{0, found}, &Way{From: p})
	hit.Distance = best
	return hit, true
}

// surface is an obstacle and the distance of its surface.
type surface struct {
	rank     uint32
	distance float64
}

// Within calls visit for every obstacle whose surface is at most radius from
// p, each once, by increasing ID, until it returns false. The distance is that
// of Nearest.
func (x *Index) Within(p r2.Vec, radius float64, visit func(i int, distance float64) bool) {
	if !within(p) || !(math.Abs(radius) <= math.MaxFloat64) {
		return
	}
	// What is found comes in no order, and more than once. Some obstacles are
	// sorted out at a time, those with the lowest ranks.
	var batch [32]surface
	next := uint32(0)
	for {
		n := 0
		x.near(p, radius, func(list []uint32) {
			for _, k := range list {
				pc := &x.pieces[k]
				if pc.rank < next {
					continue
				}
				if d := x.distance(pc, p); d <= radius {
					n = insert(&batch, n, surface{pc.rank, d})
				}
			}
		})
		for i := range n {
			if !visit(x.index(batch[i].rank), batch[i].distance) {
				return
			}
		}
		if n < len(batch) {
			return
		}
		next = batch[n-1].rank + 1
	}
}

// insert puts an obstacle into its place among the n in the batch, which are
// sorted by rank, and returns how many there are now. If it is there already
// the smaller distance stays; if the batch is full the last one falls out.
func insert(batch *[32]surface, n int, o surface) int {
	i := n
	for i > 0 && batch[i-1].rank >= o.rank {
		i--
	}
	if i < n && batch[i].rank == o.rank {
		batch[i].distance = min(batch[i].distance, o.distance)
		return n
	}
	if i == len(batch) {
		return n
	}
	n = min(n+1, len(batch))
	copy(batch[i+1:n], batch[i:])
	batch[i] = o
	return n
}

// Inside returns the obstacle that p lies in, beneath its surface; the one with
// the lowest ID if there are several.
func (x *Index) Inside(p r2.Vec) (int, bool) {
	if !within(p) {
		return 0, false
	}
	found := uint32(none)
	x.near(p, 0, func(list []uint32) {
		for _, k := range list {
			if k < found && x.distance(&x.pieces[k], p) < 0 {
				found = k
			}
		}
	})
	if found == none {
		return 0, false
	}
	return x.index(x.pieces[found].rank), true
}
