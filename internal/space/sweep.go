package space

import (
	"math"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	none = math.MaxUint32 // no piece
	// What rounding can make of a length, as a part of it, is less than this.
	rounding = 0x1p-44
	// What underflow can take from a length, in meters, is less than this.
	underflow = 0x1p-120
)

// Way is the way of a disc: where its center starts, the unit vector along which it moves
// (zero: it stays), how far, and the radius of the disc.
type Way = kernel.Way

// half returns half of the length of a way.
func half(w *Way) float64 { return float64(w.Length / 2) }

// middle returns the middle of a way.
func middle(w *Way) r2.Vec { return vec.AddScaled(w.From, half(w), w.Dir) }

// contact is what a sweep has found so far.
type contact struct {
	distance float64 // m; the length of the way as long as nothing is found
	piece    uint32
}

// Sweep returns what a disc of radius body touches first when its center moves
// from p along the unit vector dir for length. An obstacle that it touches at p
// has distance 0. Of obstacles at the same distance the one with the lowest ID
// is the first. If dir is zero the disc stays at p.
//
// The distance and the contact are exact to a few roundings: there are no
// steps, and no width beneath which an obstacle is missed. The normal of an
// obstacle whose center, or center line, is at p points against dir.
//
// Source: ours.
func (x *Index) Sweep(p, dir r2.Vec, length, body float64) (hit Hit, ok bool) {
	way, first := Way{From: p, Dir: dir, Length: length, Body: body}, contact{length, none}
	if middle := middle(&way); x.single(&way, middle) {
		for i := range x.levels {
			x.among(x.inner(&x.levels[i], middle), &way, &first)
		}
	} else {
		first = x.far(&way)
	}
	if first.piece == none {
		return hit, false
	}
	x.hit(&hit, first, &way)
	return hit, true
}

// single reports whether all that the disc can touch on its way is listed in the
// cells at its middle.
func (x *Index) single(w *Way, middle r2.Vec) bool {
	return w.Length >= 0 && w.Body >= 0 && half(w)+w.Body <= x.reach &&
		math.Abs(middle.X) < x.extent && math.Abs(middle.Y) < x.extent
}

// far is a sweep that one look-up a grid is not enough for. It looks at one
// stretch of the way after another, until what it found is not beyond the end
// of a stretch: all that touches earlier has then been seen.
func (x *Index) far(w *Way) contact {
	half, first := half(w), contact{w.Length, none}
	if !within(w.From) || !vec.Finite(w.Dir) || !(half >= 0 && half <= math.MaxFloat64) ||
		!(w.Body >= 0 && w.Body <= farthest) {
		return first
	}
	if w.Dir == (r2.Vec{}) {
		half = 0
	}
	step := max(x.reach-w.Body, w.Body) // half of a stretch
	if n := math.Ceil(half / step); !(n*(1+x.cost(step+w.Body)) <= float64(len(x.whole))) {
		x.among(x.whole, w, &first)
		return first
	}
	for t := 0.; t <= min(first.distance, 2*half); t += 2 * step {
		x.near(vec.AddScaled(w.From, t+step, w.Dir), step+w.Body, func(list []entry) {
			x.among(list, w, &first)
		})
	}
	return first
}

// among takes the first contact among the pieces of a list if it is earlier
// than the first so far.
func (x *Index) among(list []entry, w *Way, first *contact) {
	const some = 16
	var maybe [some]uint32
	for len(list) > 0 {
		if first.distance == 0 && list[0].Piece > first.piece {
			return // nothing is earlier, and those that follow come later in a tie
		}
		part := list[:min(some, len(list))]
		list = list[len(part):]
		short := *w // what is beyond the first contact so far is not of interest
		short.Length = first.distance
		for _, piece := range maybe[:x.sift(part, &short, &maybe)] {
			x.try(piece, &x.bounds[piece], w, first)
		}
	}
}

// sift sets maybe to those pieces of a part of a list that the disc may touch on the way,
// and returns how many there are: those whose bound, enlarged by the body, meets a rectangle
// around the way. It does what the rough test does, for ways of any length.
func (x *Index) sift(part []entry, w *Way, maybe *[16]uint32) (n int) {
	half := half(w)
	spare := float64(rounding*(half+w.Body)) + underflow
	for k := range part {
		b := &x.bounds[part[k].Piece]
		r := b.radius + w.Body + spare
		to := r2.Vec{X: b.x - w.From.X, Y: b.y - w.From.Y}
		aside, ahead := vec.Cross(to, w.Dir), vec.Dot(to, w.Dir)-half
		apart := math.Float64bits(float64(r*r)-float64(aside*aside)) |
			math.Float64bits(r+half-ahead) | math.Float64bits(r+half+ahead)
		maybe[n&15] = part[k].Piece
		n += 1 - int(apart>>63)
	}
	return n
}

// try takes the contact with a piece, with this bound, if it is earlier than the first so far.
func (x *Index) try(piece uint32, b *bound, w *Way, first *contact) {
	var t float64
	var ok bool
	switch b.kind {
	case circle:
		t, ok = sweepCircle(r2.Vec{X: b.x, Y: b.y}, w.From, w.Dir, first.distance, b.radius+w.Body)
	case wall:
		pc := &x.pieces[piece]
		t, ok = sweepWall(pc.a, pc.b, w.From, w.Dir, first.distance, pc.radius+w.Body)
	case inside:
		ok = x.holds(&x.pieces[piece], w.From)
	}
	if ok && (t < first.distance || piece < first.piece) {
		*first = contact{t, piece}
	}
}
