package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// rounding is what counts as nothing: the sine of two directions that are one,
// and, times the greatest speed, the violation of a half-plane that is met. The
// points where nearly parallel borders cross would be noise without it.
const rounding = 0x1p-32

// halfPlane holds the velocities v with n·v ≥ c, in m/s; n is a unit vector.
type halfPlane struct {
	n r2.Vec
	c float64
}

// violation returns by how much v misses the half-plane, in m/s; negative if it
// lies within.
func (h *halfPlane) violation(v r2.Vec) float64 { return h.c - vec.Dot(h.n, v) }

// nearest returns the velocity of at most limit meters per second that lies in
// all half-planes and is nearest to goal, which is within the limit. It takes
// one half-plane after another: while the best velocity so far lies in the next
// one, it stays the best; otherwise the best one lies on the border of the next.
// If no velocity lies in all of them, failed is the first half-plane that leaves
// none and v the answer before it; otherwise failed is their number.
//
// Source: de Berg, Cheong, van Kreveld, Overmars, "Computational Geometry", 4.3.
func nearest(planes []halfPlane, limit float64, goal r2.Vec) (v r2.Vec, failed int) {
	v = goal
	slack := float64(limit * rounding)
	for i := range planes {
		if planes[i].violation(v) <= slack {
			continue
		}
		lo, hi := border(planes, i, limit, slack)
		if !(lo <= hi) {
			return v, i
		}
		h := &planes[i]
		left := vec.Left(h.n)
		t := min(max(vec.Dot(left, goal), lo), hi)
		v = vec.AddScaled(vec.Scale(h.c, h.n), t, left)
	}
	return v, len(planes)
}

// farthest is nearest for the velocity that goes farthest in a direction, a unit
// vector.
func farthest(planes []halfPlane, limit float64, direction r2.Vec) (v r2.Vec, failed int) {
	v = vec.Scale(limit, direction)
	slack := float64(limit * rounding)
	for i := range planes {
		if planes[i].violation(v) <= slack {
			continue
		}
		lo, hi := border(planes, i, limit, slack)
		if !(lo <= hi) {
			return v, i
		}
		h := &planes[i]
		left := vec.Left(h.n)
		t := lo
		if vec.Dot(left, direction) > 0 {
			t = hi
		}
		v = vec.AddScaled(vec.Scale(h.c, h.n), t, left)
	}
	return v, len(planes)
}

// border returns which part of the border of half-plane i, in meters per second
// to the left of the foot of its normal, lies within the limit and in all the
// half-planes before it; lo > hi, or NaN, if none does.
func border(planes []halfPlane, i int, limit, slack float64) (lo, hi float64) {
	h := &planes[i]
	n, c := h.n, h.c
	if c > limit+slack {
		return 1, 0
	}
	hi = math.Sqrt(max(float64((limit-c)*(limit+c)), 0))
	lo = -hi
	for j := range planes[:i] {
		p := &planes[j]
		sin := vec.Cross(n, p.n)
		need := p.c - float64(c*vec.Dot(n, p.n))
		switch t := need / sin; {
		case sin > rounding:
			lo = max(lo, t)
		case sin < -rounding:
			hi = min(hi, t)
		case need > slack:
			return 1, 0
		}
	}
	// Borders that meet in one point miss one another by rounding.
	if lo > hi && lo-hi <= slack {
		lo = (lo + hi) / 2
		hi = lo
	}
	return lo, hi
}

// least returns the velocity for which the greatest violation of the half-planes
// from hard on is least, among those that lie in the ones before, and of several
// the one nearest to goal. It starts from v, the answer for those before failed.
//
// The greatest violation is a third unknown. A half-plane that is violated more
// than all before it is the worst one at the answer: so the answer goes as far
// into it as the others allow, each of which is violated less on one side of the
// line where the two are violated equally.
func (s *Solver) least(v r2.Vec, hard, failed int, limit float64, goal r2.Vec) r2.Vec {
	worst, slack := 0., float64(limit*rounding)
	for i := max(failed, hard); i < len(s.planes); i++ {
		h := &s.planes[i]
		if h.violation(v) <= worst+slack {
			continue
		}
		s.equal = append(s.equal[:0], s.planes[:hard]...)
		for j := hard; j < i; j++ {
			p := &s.planes[j]
			n := vec.Sub(p.n, h.n)
			d2 := vec.Norm2(n)
			if d2 <= rounding*rounding { // both are violated more or less together
				continue
			}
			f := 1 / math.Sqrt(d2)
			s.equal = append(s.equal, halfPlane{vec.Scale(f, n), float64(f * (p.c - h.c))})
		}
		// It fails by rounding only, and then what was there before is as good.
		if u, failed := farthest(s.equal, limit, h.n); failed == len(s.equal) {
			v = u
		}
		worst = max(worst, h.violation(v))
	}
	// With two half-planes that face one another, what is between them is as bad
	// along all of their borders.
	s.equal = append(s.equal[:0], s.planes...)
	for i := range s.equal[hard:] {
		s.equal[hard+i].c -= worst
	}
	if u, failed := nearest(s.equal, limit, goal); failed == len(s.equal) {
		v = u
	}
	return v
}
