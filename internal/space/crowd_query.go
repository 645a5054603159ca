package space

import (
	"math"
	"math/bits"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// None is the place of no agent.
const None = math.MaxUint32

type stretch struct{ lo, hi uint32 }

type patch struct{ left, right, bottom, top int64 }

// patch returns the cells that contain all agents within radius of p, and whether scanning them is faster
// than scanning all agents. It is slower if there are many cells, because they would share slots.
func (x *Crowd) patch(p r2.Vec, radius float64) (f patch, good bool) {
	r := around(radius)
	if !(float64(2*r*x.scale) < float64(len(x.start))) {
		return f, false
	}
	f = patch{
		max(x.cell(p.X-r), x.cells.left), min(x.cell(p.X+r), x.cells.right),
		max(x.cell(p.Y-r), x.cells.bottom), min(x.cell(p.Y+r), x.cells.top),
	}
	w, h := f.right-f.left+1, f.top-f.bottom+1
	if w <= 0 || h <= 0 {
		return patch{top: -1}, true
	}
	return f, (w+1)*h <= int64(len(x.start)/4)
}

func around(radius float64) float64 { return float64(radius*(1+rounding)) + underflow }

// row returns the places of the agents in one row of a patch. These are two stretches if the slots wrap
// around the end of the table.
func (x *Crowd) row(f *patch, row int64) (a, b stretch) {
	slots := uint64(len(x.start) - 1)
	from := x.slot(f.left, row)
	to := from + uint64(f.right-f.left) + 1
	if to <= slots {
		return stretch{x.start[from], x.start[to]}, stretch{}
	}
	return stretch{x.start[from], x.start[slots]}, stretch{0, x.start[to-slots]}
}

// near calls visit with stretches that together contain each agent within radius of p exactly once, and
// perhaps other agents, until visit returns false.
func (x *Crowd) near(p r2.Vec, radius float64, visit func(s stretch) bool) {
	f, good := x.patch(p, radius)
	if !good {
		visit(stretch{0, uint32(x.Len())})
		return
	}
	for row := f.bottom; row <= f.top; row++ {
		a, b := x.row(&f, row)
		if a.lo < a.hi && !visit(a) || b.lo < b.hi && !visit(b) {
			return
		}
	}
}

func (x *Crowd) asks(p r2.Vec, radius float64) bool {
	return within(p) && radius >= 0 && x.Len() > 0
}

// Within calls visit for each agent whose center is at most radius meters from p, in a fixed order, until
// visit returns false. It skips the agent at place self.
func (x *Crowd) Within(p r2.Vec, radius float64, self uint32, visit func(place uint32) bool) {
	if !x.asks(p, radius) {
		return
	}
	limit := squared(radius)
	x.near(p, radius, func(s stretch) bool {
		for i := s.lo; i < s.hi; i++ {
			if vec.Norm2(vec.Sub(x.agents.Position(i), p)) <= limit && i != self && !visit(i) {
				return false
			}
		}
		return true
	})
}

// squared returns the square of a length, clamped to a finite number.
func squared(r float64) float64 { return min(float64(r*r), math.MaxFloat64) }

// Touching calls visit for each agent whose body is at most radius meters from p, until visit returns false:
// first in the order of Within, and then bodies larger than Bulk, in order of place. It skips the agent at
// place self.
func (x *Crowd) Touching(p r2.Vec, radius float64, self uint32, visit func(place uint32) bool) {
	if !x.asks(p, radius) {
		return
	}
	done := false
	touches := func(i uint32) bool {
		return vec.Norm2(vec.Sub(x.agents.Position(i), p)) <= squared(radius+x.agents.Radius[i]) && i != self
	}
	x.near(p, radius+x.bulk, func(s stretch) bool {
		for i := s.lo; i < s.hi && !done; i++ {
			done = touches(i) && !x.isLarge(i) && !visit(i)
		}
		return !done
	})
	if done || len(x.shapes) == 0 {
		return
	}
	r := min(float64((radius+float64(rounding*x.largest))*(1+rounding))+underflow, math.MaxFloat64)
	x.large.Within(p, r, func(k int, _ float64) bool {
		i := x.shapes[k].ID
		return !touches(i) || visit(i)
	})
}

func (x *Crowd) isLarge(place uint32) bool { return x.agents.Radius[place] > x.bulk }

// NeighborHit is an agent found by a query, and its distance.
type NeighborHit struct {
	Index    uint32  // place
	Distance float64 // m, between centers
}

// Nearest fills a slice with the nearest agents within radius meters of p, as many as fit, and returns their
// number. The nearest come first, and among equally near agents the one with the lowest ID. Nearest skips the
// agent at place self, and agents on none of the layers.
func (x *Crowd) Nearest(p r2.Vec, radius float64, self, layers uint32, to []NeighborHit) int {
	if !x.asks(p, radius) || len(to) == 0 {
		return 0
	}
	n := x.nearest(p, min(x.size, radius), radius, self, layers, to)
	for i := range to[:n] {
		to[i].Distance = math.Sqrt(to[i].Distance)
	}
	return n
}

// Order is like Nearest, but chooses, from the agents at the places in near, those nearest to the agent at
// the given place. Their distances are squared, in m².
func (x *Crowd) Order(place uint32, near []uint32, to []NeighborHit) (n int) {
	p := x.agents.Position(place)
	if len(near) > byCounting {
		for _, i := range near {
			n = x.rank(to, n, NeighborHit{i, vec.Norm2(vec.Sub(x.agents.Position(i), p))})
		}
		return n
	}
	var squares [byCounting]float64
	for k, i := range near {
		squares[k] = vec.Norm2(vec.Sub(x.agents.Position(i), p))
	}
	return x.order(near, squares[:], to)
}

// rank inserts an agent among the n nearest so far, by squared distance, and returns the new n.
func (x *Crowd) rank(to []NeighborHit, n int, f NeighborHit) int {
	k := n
	for k > 0 && (to[k-1].Distance > f.Distance || to[k-1].Distance == f.Distance && x.before(int(f.Index), int(to[k-1].Index))) {
		k--
	}
	if k == len(to) {
		return n
	}
	n = min(n+1, len(to))
	copy(to[k+1:n], to[k:])
	to[k] = f
	return n
}

// Bulk returns the largest radius of all bodies except large ones, in meters.
func (x *Crowd) Bulk() float64 { return x.bulk }

// Large calls visit for each body larger than Bulk whose surface is at most radius meters from p, in order of
// place, until visit returns false.
func (x *Crowd) Large(p r2.Vec, radius float64, visit func(place uint32) bool) {
	if len(x.shapes) > 0 {
		x.large.Within(p, radius, func(k int, _ float64) bool { return visit(x.shapes[k].ID) })
	}
}

// MostAround is the largest number of candidates for Around. For more, Nearby is faster.
const MostAround = 64

// Around returns ranges of places. Together, they contain the agent at the given place and each agent within
// radius meters of it exactly once, and perhaps other agents. The ranges serve n ≤ most consecutive agents.
// parts is nil if there are too many candidates, if radius is negative or not below the cell size, or if
// agents have layers. parts is valid until the next call.
func (x *Crowd) Around(g *Gatherer, place uint32, most int, radius float64) (parts []kernel.Part, n int) {
	if x.agents.On != nil || !(radius >= 0 && radius <= float64(x.size*(1-margin))) {
		return nil, most
	}
	xs, ys := x.agents.X[place:][:most], x.agents.Y[place:][:most]
	column, row := x.cell(xs[0]), x.cell(ys[0])
	n = min(most, int(x.start[x.slot(column, row)+1]-place)) // cells may share a slot
	if x.cells.right == 2*edge {
		for most, n = n, 1; n < most && x.cell(xs[n]) == column && x.cell(ys[n]) == row; n++ {
		}
	}
	total, slots := uint32(0), uint64(len(x.start)-1)
	parts = g.around[:0]
	for i := row - 1; i <= row+1; i++ {
		from := x.slot(column-1, i)
		to := from + 3
		if lo, hi := x.start[from], x.start[min(to, slots)]; lo < hi {
			parts = append(parts, kernel.Part{Lo: lo, Hi: hi})
			total += hi - lo
		}
		if to > slots && x.start[to-slots] > 0 {
			parts = append(parts, kernel.Part{Hi: x.start[to-slots]})
			total += x.start[to-slots]
		}
	}
	if total > MostAround {
		return nil, n
	}
	return parts, n
}

const (
	crowded = 14 // other agents per cell above which narrower cells pay off
	roomy   = 7  // other agents per cell to aim for
)

// fitting returns the cell size, in meters, that fits the density where most agents are, or the present cell
// size if that is good enough.
//
// It estimates the median, over all agents, of the number of other agents in the same slot, so that a single
// jam does not make cells narrow everywhere.
func (x *Crowd) fitting() float64 {
	var agents, slots [33]int // by octave of the number of agents that share a slot
	all := 0
	for s := range len(x.start) - 1 {
		n := uint32(0)
		for i := range x.builders {
			n += x.builders[i].next[s]
		}
		octave := bits.Len32(n)
		agents[octave] += int(n)
		slots[octave]++
		all += int(n)
	}
	octave, below := 0, 0
	for 2*below < all {
		octave++
		below += agents[octave]
	}
	if octave == 0 {
		return x.size
	}
	others := float64(agents[octave])/float64(slots[octave]) - 1
	if others <= crowded {
		return x.size
	}
	return float64(x.size * math.Sqrt(roomy/others))
}

// Ray returns the place of the first agent that a ray hits within length meters, and its distance, or false
// if there is none. The ray starts at p and follows the unit vector dir. A body that contains p is at
// distance 0. Among equally far agents, the one with the lowest ID wins. Ray skips the agent at place self,
// its images, and agents on none of the layers.
func (x *Crowd) Ray(p, dir r2.Vec, length float64, self, layers uint32) (place uint32, distance float64, ok bool) {
	if !x.asks(p, length) || !vec.Finite(dir) {
		return 0, 0, false
	}
	place, distance = None, min(length, farthest)
	var own ecs.Entity
	if self != None {
		own = x.agents.entities[self] // self may have an image across an edge
	}
	try := func(i uint32) {
		t, hits := sweepCircle(x.agents.Position(i), p, dir, distance, x.agents.Radius[i])
		if hits && (t < distance || place == None || x.before(int(i), int(place))) &&
			i != self && x.agents.Seen(i, layers) && (own.IsZero() || x.agents.entities[i] != own) {
			place, distance = i, t
		}
	}
	visit := func(s stretch) bool {
		for i := s.lo; i < s.hi; i++ {
			try(i)
		}
		return true
	}
	const looks = 9 // cells around each stretch of the ray
	step := max(x.size, x.bulk)
	reach := step + x.bulk + float64(step/8)
	if _, good := x.patch(p, reach); !good || !(distance/(2*step)*looks < float64(x.Len())) {
		visit(stretch{0, uint32(x.Len())})
		return place, distance, place != None
	}
	x.Large(vec.AddScaled(p, distance/2, dir), float64(distance/2*(1+rounding))+underflow, func(i uint32) bool {
		try(i)
		return true
	})
	for t := 0.; t <= distance; t += 2 * step {
		x.near(vec.AddScaled(p, t+step, dir), reach, visit)
	}
	return place, distance, place != None
}

// spare is the number of agents that the first search of Nearby aims to find for each requested agent.
const spare = 1.5

// Nearby fills a slice with the nearest agents that the agent at the given place sees within radius meters,
// and returns their number. The result is that of Order for the places from Gather.
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

// near returns the places of the candidates from lo to hi whose squared distance from p is at most limit,
// except self. It records the squared distances.
func (g *Gatherer) near(p r2.Vec, self uint32, lo, hi int, limit float64) []uint32 {
	g.x[self] = math.MaxFloat64 // makes its squared distance infinite
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

// seen keeps the places of agents on layers that the agent at the given place sees, and their squared
// distances.
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

// nearest is like Nearest, with squared distances. Its first search has radius r.
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
						reach = to[n-1].Distance // in a jam, most agents are farther away
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

// byCounting is the largest number of places that are sorted by counting. Counting takes quadratic time but
// mispredicts no branches.
const byCounting = 24

// order fills a slice with the nearest of the agents at the places in near, nearest first, and returns their
// number.
func (x *Crowd) order(near []uint32, squares []float64, to []NeighborHit) int {
	squares = squares[:len(near)]
	if len(near) > byCounting {
		return x.rankAll(near, squares, to)
	}
	var before [byCounting]int // by index: number of agents that are nearer
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

func (x *Crowd) rankAll(near []uint32, squares []float64, to []NeighborHit) (n int) {
	if len(to) == 0 {
		return 0
	}
	// Comparing IDs with that of the last agent kept rejects most agents if all are at the same position.
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
