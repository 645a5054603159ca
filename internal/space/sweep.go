package space

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	none = math.MaxUint32 // no piece
	// The square of a unit vector differs from 1 by less than this.
	unit = 0x1p-44
)

// sweep is a disc on its way, and what it touches first.
type sweep struct {
	p, dir       r2.Vec
	length, body float64
	half         float64 // of the length
	slack        float64 // body, and a little for rounding
	distance     float64 // m, of the contact; the length as long as there is none
	piece        uint32
}

// Sweep returns what a disc of radius body touches first when its centre moves
// from p along the unit vector dir for length. An obstacle that it touches at p
// has distance 0. Of obstacles at the same distance the one with the lowest ID
// is the first. If dir is zero the disc stays at p.
//
// The distance and the contact are exact to a few roundings: there are no
// steps, and no width beneath which an obstacle is missed. The normal of an
// obstacle whose centre, or centre line, is at p points against dir.
func (x *Index) Sweep(p, dir r2.Vec, length, body float64) (Hit, bool) {
	if d := vec.Norm2(dir); !(math.Abs(d-1) <= unit) {
		if dir = vec.Unit(dir); dir == (r2.Vec{}) {
			length = min(length, 0)
		}
	}
	half := float64(length / 2)
	s := sweep{
		p: p, dir: dir, length: length, body: body, half: half,
		slack: body + float64(unit*(length+body)) + 0x1p-120, distance: length, piece: none,
	}
	// All that the disc can touch is this far from the middle of the way.
	middle := vec.AddScaled(p, half, dir)
	if length >= 0 && body >= 0 && half+body <= x.reach && within(middle) {
		for i := range x.levels {
			lv := &x.levels[i]
			s.among(x, x.list(x.slot(lv, lv.cell(middle.X), lv.cell(middle.Y))))
		}
	} else {
		s.far(x)
	}
	if s.piece == none {
		return Hit{}, false
	}
	return x.hit(&x.pieces[s.piece], p, dir, s.distance, body), true
}

// far is a sweep that one look-up a grid is not enough for. It looks at the way
// piece by piece, until what it found is not beyond the end of a piece: all
// that touches earlier has then been seen.
func (s *sweep) far(x *Index) {
	if !within(s.p) || !vec.Finite(s.dir) || !(s.length >= 0 && s.length <= math.MaxFloat64) ||
		!(s.body >= 0 && s.body <= farthest) {
		return
	}
	step := max(x.reach-s.body, s.body) // half of such a piece
	if n := math.Ceil(s.half / step); !(n*(1+x.cost(step+s.body)) <= float64(len(x.whole))) {
		s.among(x, x.whole)
		return
	}
	for t := 0.; t <= s.distance; t += 2 * step {
		x.near(vec.AddScaled(s.p, t+step, s.dir), step+s.body, func(list []entry) { s.among(x, list) })
	}
}

// among looks for the first contact among the pieces of a list.
func (s *sweep) among(x *Index, list []entry) {
	for i := range list {
		e := &list[i]
		w := r2.Vec{X: e.x - s.p.X, Y: e.y - s.p.Y}
		r := float64(e.radius) + s.slack
		// The square of the distance from the middle of the piece to the way,
		// four times.
		aside := 2 * vec.Cross(w, s.dir)
		beyond := math.Abs(vec.Dot(w, s.dir)-s.half) - s.half
		beyond += math.Abs(beyond)
		if float64(aside*aside)+float64(beyond*beyond) > 4*float64(r*r) {
			continue
		}
		s.try(x, e.piece)
	}
}

// try takes a piece if it is touched earlier than what was found before.
func (s *sweep) try(x *Index, i uint32) {
	t, ok := x.sweep(&x.pieces[i], s.p, s.dir, s.distance, s.body)
	if ok && (t < s.distance || i < s.piece) {
		s.distance, s.piece = t, i
	}
}
