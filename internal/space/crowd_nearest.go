package space

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// spare is how many agents a first look is to find for each that is wanted.
const spare = 1.5

// Nearby puts the agents that are the nearest to the one in a place, of those that
// it sees within radius meters, into to, as Select does of what Gather finds, but
// with the squares of distances; and returns how many there are.
//
// It looks near the agent first, by the candidates of its cell, and as much farther
// as it must: those found are the nearest as soon as there are enough.
func (x *Crowd) Nearby(g *Gatherer, place uint32, radius float64, to []NeighborHit) int {
	if !(radius >= 0) || len(to) == 0 {
		return 0
	}
	p := x.agents.Position(place)
	r := min(radius, float64(x.size*(1-margin)))
	if x.candidates(g, p) {
		g.takePlaces()
		self, limit := g.own+place-g.first, squared(r)
		first := float64(float64(len(to))*(spare*9/math.Pi)) / float64(len(g.x))
		for square := min(float64(first*squared(x.size)), limit); ; square = limit {
			lo, hi := g.rows(x, p.Y, math.Sqrt(square))
			near := g.near(p, self, lo, hi, square)
			if x.agents.On != nil {
				near = g.seen(x, near, place)
			}
			if len(near) >= len(to) || square == limit && r == radius {
				return x.order(near, g.squares[:len(near)], to)
			}
			if square == limit {
				break
			}
		}
		r = min(2*r, radius)
	}
	return x.nearest(p, r, radius, place, x.agents.Sight(place), to)
}

// near returns the places of the candidates from lo to hi, but one, of which the
// square of the distance from p is no more than limit, and keeps these squares.
func (g *Gatherer) near(p r2.Vec, self uint32, lo, hi int, limit float64) []uint32 {
	g.x[self] = math.MaxFloat64 // its square is infinite
	xs := g.x[lo:hi]
	ys, places, near, squares := g.y[lo:hi][:len(xs)], g.place[lo:hi][:len(xs)], g.found[:len(xs)], g.squares[:len(xs)]
	n := 0
	for i := range xs {
		d2 := vec.Norm2(r2.Vec{X: xs[i] - p.X, Y: ys[i] - p.Y})
		near[n], squares[n] = places[i], d2
		n += 1 - int(math.Float64bits(limit-d2)>>63)
	}
	g.x[self] = p.X
	return near[:n]
}

// seen keeps of places, and their squares, those on layers that an agent sees.
func (g *Gatherer) seen(x *Crowd, near []uint32, place uint32) []uint32 {
	n, sees := 0, x.agents.Sight(place)
	for k, i := range near {
		if x.agents.Seen(i, sees) {
			near[n], g.squares[n] = i, g.squares[k]
			n++
		}
	}
	return near[:n]
}

// nearest is Nearest with the squares of distances, from a radius r on.
func (x *Crowd) nearest(p r2.Vec, r, radius float64, self, layers uint32, to []NeighborHit) int {
	limit := squared(radius)
	for ; ; r = min(2*r, radius) {
		if _, good := x.patch(p, r); !good {
			r = radius
		}
		n, reach := 0, min(squared(r), limit)
		x.near(p, r, func(s stretch) bool {
			for i := s.lo; i < s.hi; i++ {
				d2 := vec.Norm2(vec.Sub(x.agents.Position(i), p))
				if d2 <= reach && i != self && x.agents.Seen(i, layers) {
					if n = x.rank(to, n, NeighborHit{i, d2}); n == len(to) {
						reach = to[n-1].Distance // in a heap, most are farther than the last of them
					}
				}
			}
			return true
		})
		if n == len(to) || r >= radius {
			return n
		}
	}
}

// byCounting is how many places are put into order by counting at most: that
// takes time by the square of their number, and no branch that is guessed wrong.
const byCounting = 24

// order puts the agents in places near, the squares of whose distances are given,
// into to, the nearest first, and returns how many there are.
func (x *Crowd) order(near []uint32, squares []float64, to []NeighborHit) int {
	squares = squares[:len(near)]
	if len(near) > byCounting {
		return x.rankAll(near, squares, to)
	}
	var before [byCounting]int // of each, how many come before it
	alike := false
	for k, d2 := range squares {
		after := 0
		for j, other := range squares[:k] {
			nearer := int(math.Float64bits(d2-other) >> 63)
			after += nearer
			before[j] += nearer
			alike = alike || d2 == other
		}
		before[k] = k - after
	}
	if alike {
		return x.rankAll(near, squares, to)
	}
	for k, i := range near {
		if at := before[k]; at < len(to) {
			to[at] = NeighborHit{i, squares[k]}
		}
	}
	return min(len(near), len(to))
}

// rankAll is order one after another.
func (x *Crowd) rankAll(near []uint32, squares []float64, to []NeighborHit) (n int) {
	if len(to) == 0 {
		return 0
	}
	// In a heap all are as near as the last of the nearest: its ID tells most of them apart.
	reach, last, ids := math.Inf(1), uint64(0), x.agents.ID
	for k, d2 := range squares {
		if d2 > reach || d2 == reach && ids[near[k]] > last {
			continue
		}
		if n = x.rank(to, n, NeighborHit{near[k], d2}); n == len(to) {
			reach, last = to[n-1].Distance, ids[to[n-1].Index]
		}
	}
	return n
}
