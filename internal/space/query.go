package space

import (
	"math"
	"math/bits"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// maxPieces is the number of look-ups a level beyond which a sweep goes over
// all shapes instead.
const maxPieces = 256

// first is the earliest contact that a sweep has found so far.
type first struct {
	t     float64
	index uint32
	id    uint32
	ok    bool
}

func (f *first) add(t float64, index, id uint32) {
	if !f.ok || t < f.t || t == f.t && id < f.id {
		*f = first{t, index, id, true}
	}
}

// Sweep returns what a disc of radius body touches first on its way from p,
// along the unit vector dir, for length. Where it touches already, the distance
// is 0. Of equal distances the lowest ID wins. With dir zero it is the test
// where the disc stands.
func (x *Index) Sweep(p, dir r2.Vec, length, body float64) (Hit, bool) {
	if x.levels == 0 || !(length >= 0) || !(body >= 0) || !vec.Finite(p) || !vec.Finite(dir) {
		return Hit{}, false
	}
	if dir == (r2.Vec{}) {
		length = 0
	}
	var f first
	// A contact at distance t is within half+body of the middle of its piece.
	half := x.reach - body
	pieces := 1.
	if length > 0 {
		pieces = max(1, math.Ceil(length/(2*half)))
	}
	if half < 0 || half == 0 && length > 0 || !(pieces <= maxPieces) {
		x.sweepAll(p, dir, length, body, &f)
	} else {
		step := length / pieces
		for i := 0.; i < pieces; i++ {
			x.sweepCells(p, dir, length, body, vec.AddScaled(p, (i+0.5)*step, dir), &f)
			if f.ok && f.t <= (i+1)*step {
				break // what touches earlier is listed in this piece or one before
			}
		}
	}
	if !f.ok {
		return Hit{}, false
	}
	return x.shapes[f.index].hit(int(f.index), p, dir, f.t), true
}

// sweepCells tests the shapes that are listed at a point against the whole way.
func (x *Index) sweepCells(p, dir r2.Vec, length, body float64, at r2.Vec, f *first) {
	for levels := x.levels; levels != 0; levels &= levels - 1 {
		for _, e := range x.at(at, bits.TrailingZeros64(levels)) {
			var t float64
			var ok bool
			if e.radius >= 0 {
				t, ok = sweepCircle(p, dir, length, e.centre, e.radius+body)
			} else {
				t, ok = x.shapes[e.index].sweep(p, dir, length, body)
			}
			if ok {
				f.add(t, e.index, e.id)
			}
		}
	}
}

func (x *Index) sweepAll(p, dir r2.Vec, length, body float64, f *first) {
	for i := range x.shapes {
		s := &x.shapes[i]
		if !s.finite() {
			continue
		}
		if t, ok := s.sweep(p, dir, length, body); ok {
			f.add(t, uint32(i), s.ID)
		}
	}
}

// Nearest returns the shape whose surface is nearest to p, if it is within
// limit. Within a shape the distance is negative, and the contact is the nearest
// point of the surface. Of equal distances the lowest ID wins.
func (x *Index) Nearest(p r2.Vec, limit float64) (Hit, bool) {
	var f first
	x.near(p, limit, func(i, id uint32, d float64) bool {
		f.add(d, i, id)
		return true
	})
	if !f.ok {
		return Hit{}, false
	}
	h := x.shapes[f.index].hit(int(f.index), p, r2.Vec{}, 0)
	h.Distance = f.t
	return h, true
}

// Within calls visit for every shape whose surface is within radius of p, each
// once, in no particular order, until it returns false.
func (x *Index) Within(p r2.Vec, radius float64, visit func(i int, distance float64) bool) {
	x.near(p, radius, func(i, _ uint32, d float64) bool { return visit(int(i), d) })
}

// Inside returns the shape that p lies in, the one with the lowest ID if there
// are several.
func (x *Index) Inside(p r2.Vec) (int, bool) {
	var f first
	x.near(p, 0, func(i, id uint32, d float64) bool {
		if d < 0 {
			f.add(0, i, id)
		}
		return true
	})
	return int(f.index), f.ok
}

// near calls visit for every shape within a distance of p, each once.
func (x *Index) near(p r2.Vec, limit float64, visit func(i, id uint32, d float64) bool) {
	if x.levels == 0 || !(limit >= 0) || !vec.Finite(p) {
		return
	}
	if limit > x.reach {
		for i := range x.shapes {
			s := &x.shapes[i]
			if !s.finite() {
				continue
			}
			if d := s.distance(p); d <= limit && !visit(uint32(i), s.ID, d) {
				return
			}
		}
		return
	}
	for levels := x.levels; levels != 0; levels &= levels - 1 {
		for _, e := range x.at(p, bits.TrailingZeros64(levels)) {
			if d := x.shapes[e.index].distance(p); d <= limit && !visit(e.index, e.id, d) {
				return
			}
		}
	}
}

// Probes returns the circle whose centre is nearest to p among those that hold
// one of the points, the rim included; of equal ones the lowest ID (A30, A31).
func (x *Index) Probes(p r2.Vec, points ...r2.Vec) (int, bool) {
	var f first
	for _, q := range points {
		x.near(q, 0, func(i, id uint32, _ float64) bool {
			f.add(vec.Norm2(vec.Sub(x.shapes[i].A, p)), i, id)
			return true
		})
	}
	return int(f.index), f.ok
}

// CentreNearer tells whether a circle other than shape i has its centre nearer to
// p, or as near and a lower ID (A32).
func (x *Index) CentreNearer(p r2.Vec, i int) bool {
	of := x.shapes[i]
	d := vec.Norm2(vec.Sub(of.A, p))
	nearer := false
	x.near(p, math.Sqrt(d), func(k, id uint32, _ float64) bool {
		e := vec.Norm2(vec.Sub(x.shapes[k].A, p))
		nearer = e < d || e == d && id < of.ID
		return !nearer
	})
	return nearer
}
