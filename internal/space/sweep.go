package space

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	none = math.MaxUint32 // no piece
	// What rounding can make of a length, as a part of it, is less than this.
	rounding = 0x1p-44
	// What underflow can take from a length, in metres, is less than this.
	underflow = 0x1p-120
)

// path is the way of a disc's centre.
type path struct{ p, dir r2.Vec }

// contact is what a sweep has found so far.
type contact struct {
	distance float64 // m; the length of the way as long as nothing is found
	piece    uint32
}

// Sweep returns what a disc of radius body touches first when its centre moves
// from p along the unit vector dir for length. An obstacle that it touches at p
// has distance 0. Of obstacles at the same distance the one with the lowest ID
// is the first. If dir is zero the disc stays at p.
//
// The distance and the contact are exact to a few roundings: there are no
// steps, and no width beneath which an obstacle is missed. The normal of an
// obstacle whose centre, or centre line, is at p points against dir.
//
// Source: behaviour A37.
func (x *Index) Sweep(p, dir r2.Vec, length, body float64) (hit Hit, ok bool) {
	way, half, first := path{p, dir}, float64(length/2), contact{length, none}
	if middle := vec.AddScaled(p, half, dir); x.single(middle, half, body) {
		for i := range x.levels {
			first = x.among(x.inner(&x.levels[i], middle), way, half, body, first)
		}
	} else {
		first = x.far(way, half, body, first)
	}
	if first.piece == none {
		return hit, false
	}
	x.hit(&hit, first, way, body)
	return hit, true
}

// single tells whether all that the disc can touch on a way with this middle is
// listed in the cells there.
func (x *Index) single(middle r2.Vec, half, body float64) bool {
	return half >= 0 && body >= 0 && half+body <= x.reach &&
		math.Abs(middle.X) < x.extent && math.Abs(middle.Y) < x.extent
}

// far is a sweep that one look-up a grid is not enough for. It looks at one
// stretch of the way after another, until what it found is not beyond the end
// of a stretch: all that touches earlier has then been seen.
func (x *Index) far(way path, half, body float64, first contact) contact {
	if !within(way.p) || !vec.Finite(way.dir) || !(half >= 0 && half <= math.MaxFloat64) ||
		!(body >= 0 && body <= farthest) {
		return first
	}
	if way.dir == (r2.Vec{}) {
		half = 0
	}
	step := max(x.reach-body, body) // half of a stretch
	if n := math.Ceil(half / step); !(n*(1+x.cost(step+body)) <= float64(len(x.whole))) {
		return x.among(x.whole, way, half, body, first)
	}
	for t := 0.; t <= min(first.distance, 2*half); t += 2 * step {
		x.near(vec.AddScaled(way.p, t+step, way.dir), step+body, func(list []entry) {
			first = x.among(list, way, half, body, first)
		})
	}
	return first
}

// among returns the first contact among the pieces of a list and the one that
// is known already.
func (x *Index) among(list []entry, way path, half, body float64, first contact) contact {
	var found [16]met
	for len(list) > 0 {
		part := list[:min(len(list), len(found))]
		list = list[len(part):]
		n := gather(found[:], part, 0, way, half, body)
		for _, f := range found[:n] {
			first = x.try(f.piece, way, body, first)
		}
	}
	return first
}

// met is a piece that may be touched on one of several ways.
type met struct{ piece, way uint32 }

// gather puts those pieces of a list into found that the disc may touch, and
// returns how many there are: those whose circle, enlarged by body, meets a
// rectangle around the way. Found must have room for the whole list.
//
// Nothing foretells which ones those are, so it takes no branches.
func gather(found []met, list []entry, i uint32, way path, half, body float64) int {
	body += float64(rounding*(half+body)) + underflow
	n := 0
	for k := range list {
		e := &list[k]
		w := r2.Vec{X: e.x - way.p.X, Y: e.y - way.p.Y}
		r := float64(e.radius) + body
		aside, ahead := vec.Cross(w, way.dir), vec.Dot(w, way.dir)-half
		apart := math.Float64bits(r-aside) | math.Float64bits(r+aside) |
			math.Float64bits(r+half-ahead) | math.Float64bits(r+half+ahead)
		found[n] = met{e.piece, i}
		n += 1 - int(apart>>63)
	}
	return n
}

// try returns the earlier one of the contact with a piece and the known one.
func (x *Index) try(piece uint32, way path, body float64, first contact) contact {
	t, ok := x.sweep(&x.pieces[piece], way, first.distance, body)
	if ok && (t < first.distance || piece < first.piece) {
		return contact{t, piece}
	}
	return first
}
