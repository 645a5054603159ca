package space

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Nobody is no agent's place: who asks from a point that is no agent's.
const Nobody = math.MaxUint32

// stretch is a part of the snapshot.
type stretch struct{ lo, hi uint32 }

// patch is a rectangle of cells.
type patch struct{ left, right, bottom, top int64 }

// patch returns the cells that hold all agents within radius of p. It tells
// whether to look at them is any good: if they are more than a fraction of all
// slots, they would meet one another, and it is quicker to look at all agents.
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

// around returns a radius, and a little more for rounding.
func around(radius float64) float64 { return float64(radius*(1+rounding)) + underflow }

// row returns the stretches of the cells of one row of a patch.
func (x *Crowd) row(f *patch, row int64) (a, b stretch) {
	slots := uint64(len(x.start) - 1)
	from := x.slot(f.left, row)
	to := from + uint64(f.right-f.left) + 1
	if to <= slots {
		return stretch{x.start[from], x.start[to]}, stretch{}
	}
	return stretch{x.start[from], x.start[slots]}, stretch{0, x.start[to-slots]}
}

// near calls visit with stretches that together hold all agents within radius of p
// once, and others.
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

// asks reports whether a question has an answer.
func (x *Crowd) asks(p r2.Vec, radius float64) bool {
	return within(p) && radius >= 0 && x.Len() > 0
}

// Within calls visit for every agent whose center is at most radius meters from
// p, by their places row by row of cells, until it returns false. It leaves out
// the agent in place self.
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

// squared returns the square of a length, which is finite.
func squared(r float64) float64 { return min(float64(r*r), math.MaxFloat64) }

// Touching calls visit for every agent whose body is at most radius meters from
// p, as Within does for centers: but the bodies that are much larger than a cell
// come last, by place.
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

// isLarge reports whether a body is in the index of large ones.
func (x *Crowd) isLarge(place uint32) bool { return x.agents.Radius[place] > x.bulk }

// NeighborHit is an agent at a distance.
type NeighborHit struct {
	Index    uint32
	Distance float64 // m, between centers
}

// Nearest puts the nearest agents within radius meters of p into to, at most as
// many as that has room for, and returns how many there are. The nearest comes
// first; of those as near the one with the lowest ID. Only those on one of the
// layers count.
func (x *Crowd) Nearest(p r2.Vec, radius float64, self, layers uint32, to []NeighborHit) int {
	if !x.asks(p, radius) || len(to) == 0 {
		return 0
	}
	return roots(to[:x.nearest(p, min(x.size, radius), radius, self, layers, to)])
}

// Select puts those of the places that are the nearest to the agent in a place
// into to, as Nearest does.
func (x *Crowd) Select(place uint32, near []uint32, to []NeighborHit) int {
	return roots(to[:x.Order(place, near, to)])
}

// Order is Select with the squares of distances.
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

// roots makes distances of their squares, and returns how many they are.
func roots(found []NeighborHit) int {
	for i := range found {
		found[i].Distance = math.Sqrt(found[i].Distance)
	}
	return len(found)
}

// rank puts an agent into its place among the n nearest so far, by the square of
// its distance, and returns how many there are now.
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

// Bulk returns the greatest radius of all bodies but the large ones, in meters.
func (x *Crowd) Bulk() float64 { return x.bulk }

// Large calls visit for every body that is larger than Bulk and at most radius
// meters from p, by place, until it returns false.
func (x *Crowd) Large(p r2.Vec, radius float64, visit func(place uint32) bool) {
	if len(x.shapes) > 0 {
		x.large.Within(p, radius, func(k int, _ float64) bool { return visit(x.shapes[k].ID) })
	}
}
