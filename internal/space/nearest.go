package space

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Nearest returns the obstacle whose surface is nearest to p, and false if none is within limit meters.
// Inside an obstacle, the distance is negative, so the nearest obstacle is the one whose surface p is deepest
// below.
func (x *Index) Nearest(p r2.Vec, limit float64) (hit Hit, ok bool) {
	if !within(p) || !(math.Abs(limit) <= math.MaxFloat64) || len(x.pieces) == 0 {
		return hit, false
	}
	best, found := limit, uint32(none)
	for radius := min(x.reach, limit); ; radius = min(2*radius, limit) {
		all := x.near(p, radius, func(list []entry) {
			for i := range list {
				k := list[i].Piece
				if !x.bounds[k].near(p, best) {
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

type surface struct {
	rank     uint32
	distance float64
}

// Within calls visit once for each obstacle whose surface is at most radius meters from p, in order of ID,
// until visit returns false. Distances are defined as in Nearest.
func (x *Index) Within(p r2.Vec, radius float64, visit func(i int, distance float64) bool) {
	if !within(p) || !(math.Abs(radius) <= math.MaxFloat64) {
		return
	}
	if list, ok := x.one(p, radius); ok {
		x.inOrder(list, p, radius, 0, visit)
		return
	}
	// Pieces come in any order, with duplicates. Each pass collects the next obstacles by rank.
	var batch [32]surface
	next := uint32(0)
	for {
		n, looked := 0, 0
		x.near(p, radius, func(list []entry) {
			looked += len(list)
			for i := range list {
				pc := &x.pieces[list[i].Piece]
				if pc.rank < next {
					continue
				}
				if d := x.distanceWithin(list[i].Piece, p, radius); d <= radius {
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
		if len(x.whole) <= 8*looked { // pieces overlap a lot
			x.inOrder(x.whole, p, radius, next, visit)
			return
		}
	}
}

// About is like Within, but may also visit obstacles slightly farther away. It is for callers that compute
// distances themselves.
func (x *Index) About(p r2.Vec, radius float64, visit func(i int)) {
	if !within(p) || !(math.Abs(radius) <= math.MaxFloat64) {
		return
	}
	list, ok := x.one(p, radius)
	if !ok {
		looked := 0
		x.near(p, radius, func(list []entry) { looked += len(list) })
		list, ok = x.whole, len(x.whole) <= 8*looked // pieces overlap a lot
	}
	if !ok {
		x.Within(p, radius, func(i int, _ float64) bool {
			visit(i)
			return true
		})
		return
	}
	last := uint32(none)
	for i := range list {
		k := list[i].Piece
		b := &x.bounds[k]
		if b.shape != last && b.near(p, radius) && (b.kind == circle || x.distance(&x.pieces[k], p) <= radius) {
			last = b.shape
			visit(int(last))
		}
	}
}

// one returns a list with all pieces within radius of p: that of a cell, or that of all pieces if looking up
// many cells would cost more. ok is false if neither applies.
func (x *Index) one(p r2.Vec, radius float64) (list []entry, ok bool) {
	if len(x.levels) == 1 && radius <= x.reach {
		lv := &x.levels[0]
		return x.list(x.slot(lv, lv.cell(p.X), lv.cell(p.Y))), true
	}
	return x.whole, !(x.cost(radius) <= float64(len(x.whole)))
}

// inOrder is like Within for a list that contains all pieces within radius, but visits only obstacles from
// the given rank on. Every list is in the order of obstacles.
func (x *Index) inOrder(list []entry, p r2.Vec, radius float64, from uint32, visit func(i int, distance float64) bool) {
	last := surface{none, 0} // not visited yet, because its other pieces may be nearer
	for i := range list {
		k := list[i].Piece
		d := x.distanceWithin(k, p, radius)
		rank := x.pieces[k].rank
		switch {
		case !(d <= radius) || rank < from:
			continue
		case rank == last.rank:
			last.distance = min(last.distance, d)
			continue
		case last.rank != none && !visit(x.index(last.rank), last.distance):
			return
		}
		last = surface{rank, d}
	}
	if last.rank != none {
		visit(x.index(last.rank), last.distance)
	}
}

// distanceWithin returns the distance from p to piece k. It may return +Inf if the distance exceeds radius.
func (x *Index) distanceWithin(k uint32, p r2.Vec, radius float64) float64 {
	b := &x.bounds[k]
	if !b.near(p, radius) {
		return math.Inf(1)
	}
	return x.distance(&x.pieces[k], p)
}

// near reports whether the surface of the piece may be within radius of p; false is certain. A negative
// radius is valid, because no part of the surface is deeper than the center of the bounding circle.
func (b *bound) near(p r2.Vec, radius float64) bool {
	far := radius + b.radius + underflow
	toX, toY := b.x-p.X, b.y-p.Y
	return far >= 0 && !(float64(toX*toX)+float64(toY*toY) > float64(far*far)*(1+rounding))
}

// insert adds an obstacle to the batch of n obstacles, sorted by rank, and returns the new n. Of two
// duplicates it keeps the nearer one. If the batch is full, it drops the last obstacle.
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

// Inside returns the index of the obstacle with the lowest ID that contains p below its surface, and false if
// there is none.
func (x *Index) Inside(p r2.Vec) (int, bool) {
	if !within(p) {
		return 0, false
	}
	found := uint32(none)
	x.near(p, 0, func(list []entry) {
		for i := range list {
			k := list[i].Piece
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

// Probes returns the index of a circle that contains one of the points, and false if there is none. A circle
// contains its rim. Of several circles, Probes returns the one whose center is nearest to p.
//
// Source: "Understanding Steering Behaviors: Collision Avoidance", which probes a point ahead and
// one halfway there.
func (x *Index) Probes(p r2.Vec, points ...r2.Vec) (int, bool) {
	if !within(p) {
		return 0, false
	}
	best, found := 0., uint32(none)
	for _, q := range points {
		if !within(q) {
			continue
		}
		x.near(q, 0, func(list []entry) {
			for i := range list {
				k := list[i].Piece
				pc := &x.pieces[k]
				if !x.isCircle(pc) || vec.Norm2(vec.Sub(q, pc.a)) > float64(pc.radius*pc.radius) {
					continue
				}
				d := vec.Norm2(vec.Sub(p, pc.a))
				if found == none || d < best || d == best && k < found {
					best, found = d, k
				}
			}
		})
	}
	if found == none {
		return 0, false
	}
	return x.index(x.pieces[found].rank), true
}

// CenterNearer reports whether another circle has a center nearer to p than that of circle i, or an equally
// near center and a lower ID.
//
// Source: the cocos2d-x variant of "Understanding Steering Behaviors: Collision Avoidance".
func (x *Index) CenterNearer(p r2.Vec, i int) bool {
	if !within(p) {
		return false
	}
	s := &x.shapes[i]
	d := vec.Norm2(vec.Sub(p, s.A))
	nearer := false
	x.near(p, vec.Norm(vec.Sub(p, s.A)), func(list []entry) {
		for i := range list {
			k := list[i].Piece
			if pc := &x.pieces[k]; !nearer && x.isCircle(pc) {
				e := vec.Norm2(vec.Sub(p, pc.a))
				nearer = e < d || e == d && x.shape(pc.rank).ID < s.ID
			}
		}
	})
	return nearer
}

func (x *Index) isCircle(pc *piece) bool {
	return pc.kind == circle && x.shape(pc.rank).Ring == nil
}
