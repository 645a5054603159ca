package space

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	none = math.MaxUint32
	// Bound on the relative rounding error of a length.
	rounding = 0x1p-44
	// Bound on the error of a length due to underflow, in meters.
	underflow = 0x1p-120
)

// Way is the path of a disc: where its center starts, the unit vector along which it moves, the length of the
// path, and the radius of the disc. A zero vector means that the disc stays.
type Way = kernel.Way

func half(w *Way) float64 { return float64(w.Length / 2) }

func middle(w *Way) r2.Vec { return vec.AddScaled(w.From, half(w), w.Dir) }

type contact struct {
	distance float64 // m; the length of the way if there is no contact
	piece    uint32
}

// Sweep returns the first obstacle that a disc of radius body touches when its center moves from p along the
// unit vector dir for length meters, and false if there is none. An obstacle that the disc touches at p has
// distance 0. If dir is zero, the disc stays at p. If p is at the center or on the centerline of an obstacle,
// the normal points against dir.
//
// Distance and contact are exact to within a few rounding errors, and no obstacle is too thin to be found.
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

// single reports whether one lookup per grid, at the middle of a way, finds everything that the disc can
// touch.
func (x *Index) single(w *Way, middle r2.Vec) bool {
	return w.Length >= 0 && w.Body >= 0 && half(w)+w.Body <= x.reach &&
		math.Abs(middle.X) < x.extent && math.Abs(middle.Y) < x.extent
}

// far sweeps a way for which one lookup per grid is not enough, in stretches that fit the reach of each grid.
// An invalid way has no contact.
func (x *Index) far(w *Way) contact {
	half, first := half(w), contact{w.Length, none}
	if !within(w.From) || !vec.Finite(w.Dir) || !(half >= 0 && half <= math.MaxFloat64) ||
		!(w.Body >= 0 && w.Body <= farthest) {
		return first
	}
	if w.Dir == (r2.Vec{}) {
		half = 0
	}
	lookups := 0.
	for i := range x.levels {
		lv := &x.levels[i]
		step, each := lv.stretch(w.Body), 1.
		if step+w.Body > lv.reach {
			each = lv.cost(step + w.Body)
		}
		lookups += float64(math.Ceil(half/step) * each)
	}
	if !(lookups <= float64(len(x.whole))) {
		x.among(x.whole, w, &first)
		return first
	}
	for i := range x.levels {
		lv := &x.levels[i]
		step := lv.stretch(w.Body)
		for t := 0.; t <= min(first.distance, 2*half); t += 2 * step {
			if x.nearIn(lv, vec.AddScaled(w.From, t+step, w.Dir), step+w.Body, func(list []entry) { x.among(list, w, &first) }) {
				return first
			}
		}
	}
	return first
}

func (lv *level) stretch(body float64) float64 { return max(lv.reach-body, body) }

// among is like try for all pieces of a list.
func (x *Index) among(list []entry, w *Way, first *contact) {
	const some = 16
	var maybe [some]uint32
	for len(list) > 0 {
		if first.distance == 0 && list[0].Piece > first.piece {
			return // ties go to earlier pieces
		}
		part := list[:min(some, len(list))]
		list = list[len(part):]
		short := *w
		short.Length = first.distance
		for _, piece := range maybe[:x.sift(part, &short, &maybe)] {
			x.try(piece, &x.bounds[piece], w, first)
		}
	}
}

// sift is the rough test for ways of any length. It sets maybe to the pieces whose bound, enlarged by the
// body, meets a rectangle around the way, and returns their number.
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

// try replaces first with the contact with a piece if that contact is earlier, or equally early and the piece
// comes first.
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

// The functions below treat single obstacles. They subtract coordinates first, so they lose no precision far
// from the origin.

// sweepCircle returns the distance that a point moves from p along the unit vector dir until it is within
// radius of c, and false if that exceeds length. The distance is 0 if p is within radius of c.
func sweepCircle(c, p, dir r2.Vec, length, radius float64) (float64, bool) {
	w := vec.Sub(c, p)
	gap := vec.Norm2(w) - float64(radius*radius)
	ahead, aside := vec.Dot(w, dir), math.Abs(vec.Cross(w, dir))
	if !(ahead > 0 && aside <= radius) {
		return 0, gap <= 0
	}
	// The smaller root of t² - 2·ahead·t + gap, without cancellation.
	if gap < 0 {
		gap = 0
	}
	t := gap / (ahead + math.Sqrt((radius-aside)*(radius+aside)))
	return t, t <= length
}

// sweepWall is like sweepCircle for the segment from a to b, which must differ. It is watertight:
// no path passes between two walls that share an end.
func sweepWall(a, b, p, dir r2.Vec, length, radius float64) (float64, bool) {
	f := frameOf(a, b, p)
	if f.distance(a, b, p) <= radius {
		return 0, true
	}
	if math.Abs(f.side) > radius {
		n := f.normal(dir)
		approach := vec.Dot(n, dir)
		if !(approach < 0) {
			return 0, false
		}
		// Take the side of the wall that faces p. Comparing the sides of the ends, without computing a point,
		// makes two walls agree about an end that they share.
		wa, wb := vec.Sub(a, p), vec.Sub(b, p)
		shift := float64(radius * vec.Cross(n, dir))
		asideA, asideB := vec.Cross(wa, dir)+shift, vec.Cross(wb, dir)+shift
		if asideA != asideB && !(asideA > 0 && asideB > 0) && !(asideA < 0 && asideB < 0) {
			aheadA, aheadB := vec.Dot(wa, dir), vec.Dot(wb, dir)
			share := asideA / (asideA - asideB)
			t := max(0, aheadA+float64(share*(aheadB-aheadA))+float64(radius*approach))
			return t, t <= length
		}
	}
	ta, okA := sweepCircle(a, p, dir, length, radius)
	tb, okB := sweepCircle(b, p, dir, length, radius)
	if okA && !(okB && tb < ta) {
		return ta, true
	}
	return tb, okB
}

// frame is the position of a point relative to a wall.
type frame struct {
	along  r2.Vec  // unit vector from the first end to the second
	length float64 // m, of the wall
	ahead  float64 // m, position along the wall
	side   float64 // m, to the left of the line of the wall
}

func frameOf(a, b, p r2.Vec) frame {
	e, w := vec.Sub(b, a), vec.Sub(p, a)
	n := vec.Norm(e)
	u := r2.Vec{X: e.X / n, Y: e.Y / n}
	return frame{along: u, length: n, ahead: vec.Dot(u, w), side: vec.Cross(u, w)}
}

func (f *frame) distance(a, b, p r2.Vec) float64 {
	switch {
	case f.ahead < 0:
		return vec.Norm(vec.Sub(p, a))
	case f.ahead > f.length:
		return vec.Norm(vec.Sub(p, b))
	}
	return math.Abs(f.side)
}

// normal returns the normal of the wall on the side of the point. For a point on the line of the wall, it
// returns the normal against dir, or the left normal if dir is along the wall.
func (f *frame) normal(dir r2.Vec) r2.Vec {
	n := vec.Left(f.along)
	if f.side < 0 || f.side == 0 && vec.Dot(n, dir) > 0 {
		return vec.Scale(-1, n)
	}
	return n
}

// touchCircle returns the normal of the circle around c where it touches a disc that has moved t meters from
// p along dir. reach is the sum of the two radii.
func touchCircle(c, p, dir r2.Vec, t, reach float64) r2.Vec {
	v := vec.AddScaled(vec.Sub(p, c), t, dir)
	switch {
	case v != r2.Vec{} && !(reach == 0 && t > 0):
		return vec.Unit(v)
	case dir != r2.Vec{}:
		return vec.Scale(-1, dir)
	}
	return r2.Vec{X: 1}
}

// touchWall returns the point of the segment from a to b nearest to a disc that has moved t meters from p
// along dir, and the normal there.
func touchWall(a, b, p, dir r2.Vec, t, reach float64) (foot, normal r2.Vec) {
	f := frameOf(a, b, p)
	ahead := f.ahead + float64(t*vec.Dot(f.along, dir))
	// Two points that meet have no direction between them, so the side that the disc came from decides.
	sharp := reach == 0 && t > 0
	switch {
	case ahead < 0 && !(sharp && f.side != 0):
		return a, touchCircle(a, p, dir, t, reach)
	case ahead > f.length && !(sharp && f.side != 0):
		return b, touchCircle(b, p, dir, t, reach)
	}
	foot = vec.AddScaled(a, min(max(ahead, 0), f.length), f.along)
	if sharp && f.side == 0 {
		return foot, vec.Scale(-1, dir)
	}
	return foot, f.normal(dir)
}

// contains reports whether p lies in a polygon or on its outline.
func contains(ring []r2.Vec, p r2.Vec) bool {
	inside := false
	a := vec.Sub(ring[len(ring)-1], p)
	for _, corner := range ring {
		b := vec.Sub(corner, p)
		switch {
		case b == r2.Vec{}:
			return true
		case (a.Y > 0) != (b.Y > 0):
			side := vec.Cross(a, b)
			if side == 0 {
				return true
			}
			if (side > 0) == (b.Y > 0) {
				inside = !inside
			}
		case a.Y == 0 && b.Y == 0 && (a.X > 0) != (b.X > 0):
			return true
		}
		a = b
	}
	return inside
}

// outline returns the distance from p to the outline of a polygon, and the ends of the nearest edge, the
// first of equally near ones.
func outline(ring []r2.Vec, p r2.Vec) (distance float64, a, b r2.Vec) {
	distance = math.Inf(1)
	from := ring[len(ring)-1]
	for _, to := range ring {
		d := 0.
		if from == to {
			d = vec.Norm(vec.Sub(p, to))
		} else {
			f := frameOf(from, to, p)
			d = f.distance(from, to, p)
		}
		if d < distance {
			distance, a, b = d, from, to
		}
		from = to
	}
	return distance, a, b
}

// touchRing returns the point of a polygon's outline nearest to p, which must lie in the polygon, and the
// normal there.
func touchRing(ring []r2.Vec, p, dir r2.Vec) (foot, normal r2.Vec) {
	_, a, b := outline(ring, p)
	if a == b {
		return a, touchCircle(p, a, vec.Scale(-1, dir), 0, 0)
	}
	f := frameOf(a, b, p)
	switch {
	case f.ahead < 0 && a != p:
		return a, touchCircle(p, a, dir, 0, 0)
	case f.ahead > f.length && b != p:
		return b, touchCircle(p, b, dir, 0, 0)
	}
	foot = vec.AddScaled(a, min(max(f.ahead, 0), f.length), f.along)
	// The normal points away from p, which is on the inner side. If p is on the edge itself, the winding
	// order decides.
	switch {
	case f.side > 0 || f.side == 0 && doubleArea(ring) > 0:
		return foot, vec.Right(f.along)
	case f.side < 0 || doubleArea(ring) < 0:
		return foot, vec.Left(f.along)
	}
	return foot, f.normal(dir)
}

// doubleArea returns twice the area of a polygon, positive if its corners are in counterclockwise order.
func doubleArea(ring []r2.Vec) float64 {
	sum := 0.
	a := r2.Vec{}
	for _, corner := range ring {
		b := vec.Sub(corner, ring[0])
		sum += vec.Cross(a, b)
		a = b
	}
	return sum
}

// Pieces returns the number of circles, walls and interiors.
func (x *Index) Pieces() int { return len(x.pieces) }

// Corners returns the number of corners if the piece is an interior, and 0 otherwise.
func (x *Index) Corners(piece int) int {
	if pc := &x.pieces[piece]; pc.kind == inside {
		return len(x.shape(pc.rank).Ring)
	}
	return 0
}

// Heights returns the range of y of all points that are less than reach meters from a piece.
func (x *Index) Heights(piece int, reach float64) (low, high float64) {
	pc := &x.pieces[piece]
	reach += pc.radius
	return min(pc.a.Y, pc.b.Y) - reach, max(pc.a.Y, pc.b.Y) + reach
}

// Strips appends pairs of x coordinates: the ranges in which the horizontal line at y is inside a piece or
// less than reach meters from it. They agree with Nearer up to rounding.
func (x *Index) Strips(to []float64, piece int, y, reach float64) []float64 {
	pc := &x.pieces[piece]
	if pc.kind == inside {
		first, ring := len(to), x.shape(pc.rank).Ring
		from := ring[len(ring)-1]
		for _, corner := range ring {
			to = crossing(to, from, corner, y)
			from = corner
		}
		slices.Sort(to[first:])
		return to
	}
	reach += pc.radius
	var ends [6]float64 // of both round ends, and of the two sides
	all := chordAt(ends[:0], pc.a, y, reach)
	if pc.kind == wall {
		all = chordAt(all, pc.b, y, reach)
		side := vec.WithNorm(vec.Left(vec.Sub(pc.b, pc.a)), reach)
		all = crossing(all, vec.Add(pc.a, side), vec.Add(pc.b, side), y)
		all = crossing(all, vec.Sub(pc.a, side), vec.Sub(pc.b, side), y)
	}
	if len(all) == 0 {
		return to
	}
	return append(to, slices.Min(all), slices.Max(all))
}

// Nearer reports whether a point is inside a piece, or less than reach meters from its surface.
func (x *Index) Nearer(piece int, p r2.Vec, reach float64) bool {
	return x.distanceWithin(uint32(piece), p, reach) < reach
}

func chordAt(to []float64, center r2.Vec, y, radius float64) []float64 {
	if away := y - center.Y; math.Abs(away) < radius {
		half := chord(radius, math.Abs(away))
		to = append(to, center.X-half, center.X+half)
	}
	return to
}

// crossing appends the x at which the horizontal line at y crosses a segment, if it does.
func crossing(to []float64, a, b r2.Vec, y float64) []float64 {
	if (a.Y > y) != (b.Y > y) {
		to = append(to, a.X+float64((y-a.Y)/(b.Y-a.Y)*(b.X-a.X)))
	}
	return to
}
