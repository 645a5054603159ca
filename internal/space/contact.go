package space

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// The functions in this file are the geometry of single obstacles. All form
// differences of coordinates first, so that they lose nothing far from the
// origin, and measure a path by two numbers of each point: how far along the
// path it lies, and how far to the side of it.

// sweepCircle returns how far a point moves from p along the unit vector dir
// until it is within radius of c, if that is at most length. It is 0 if the
// point is there already.
func sweepCircle(c, p, dir r2.Vec, length, radius float64) (float64, bool) {
	w := vec.Sub(c, p)
	gap := vec.Norm2(w) - float64(radius*radius)
	ahead, aside := vec.Dot(w, dir), math.Abs(vec.Cross(w, dir))
	if !(ahead > 0 && aside <= radius) {
		return 0, gap <= 0
	}
	// The smaller root of t² - 2·ahead·t + gap, in the form without cancellation.
	if gap < 0 {
		gap = 0
	}
	t := gap / (ahead + math.Sqrt((radius-aside)*(radius+aside)))
	return t, t <= length
}

// sweepWall is sweepCircle for the segment from a to b, which differ. It is
// watertight: no path passes between two walls that share an end.
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
		// The side that faces p, as the path sees it. The sides on which its ends
		// pass are compared, and no point on it is computed, because two walls
		// then agree about the end that they share.
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

// frame is where a point lies as seen from a wall.
type frame struct {
	along  r2.Vec  // unit vector from the first end to the second
	length float64 // m, of the wall
	ahead  float64 // m, of the point along the wall, from the first end
	side   float64 // m, of the point to the left of the wall's line
}

func frameOf(a, b, p r2.Vec) frame {
	e, w := vec.Sub(b, a), vec.Sub(p, a)
	n := vec.Norm(e)
	u := r2.Vec{X: e.X / n, Y: e.Y / n}
	return frame{along: u, length: n, ahead: vec.Dot(u, w), side: vec.Cross(u, w)}
}

// distance returns the distance from the point to the segment.
func (f *frame) distance(a, b, p r2.Vec) float64 {
	switch {
	case f.ahead < 0:
		return vec.Norm(vec.Sub(p, a))
	case f.ahead > f.length:
		return vec.Norm(vec.Sub(p, b))
	}
	return math.Abs(f.side)
}

// normal returns the perpendicular of the wall on the side of the point. For a
// point on the wall's line it is the one against dir, or else the left one.
func (f *frame) normal(dir r2.Vec) r2.Vec {
	n := vec.Left(f.along)
	if f.side < 0 || f.side == 0 && vec.Dot(n, dir) > 0 {
		return vec.Scale(-1, n)
	}
	return n
}

// touchCircle returns the normal of the circle about c at a disc that has moved
// t from p along dir, when reach is the sum of the two radii.
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

// touchWall returns the point of the segment from a to b that is nearest to a
// disc that has moved t from p along dir, and the normal there.
func touchWall(a, b, p, dir r2.Vec, t, reach float64) (foot, normal r2.Vec) {
	f := frameOf(a, b, p)
	ahead := f.ahead + float64(t*vec.Dot(f.along, dir))
	// Two points that meet have no direction from one to the other; the side that
	// the moving one came from tells more.
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

// contains reports whether p lies in a polygon or on its outline, by the parity
// of the edges to its right.
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

// outline returns the distance from p to the outline of a polygon, and the
// first of the edges that are nearest, by its ends.
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

// touchRing returns the point of a polygon's outline that is nearest to p,
// which lies in the polygon, and the normal there.
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
	// Inside, the point is on the inner side of the edge, and out is the other
	// one; on the edge itself the winding tells.
	switch {
	case f.side > 0 || f.side == 0 && doubleArea(ring) > 0:
		return foot, vec.Right(f.along)
	case f.side < 0 || doubleArea(ring) < 0:
		return foot, vec.Left(f.along)
	}
	return foot, f.normal(dir)
}

// doubleArea returns twice the area of a polygon, positive if it is wound to
// the left.
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
