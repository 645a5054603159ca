package space

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Shape is one obstacle, in world coordinates: a circle where A equals B, a
// wall from A to B with round ends otherwise, or a polygon where Ring is not
// nil.
type Shape struct {
	ID     uint32   // ties go to the lowest
	A, B   r2.Vec   // m; not used with Ring
	Radius float64  // m, of the circle, or half the thickness of the wall or outline
	Ring   []r2.Vec // m, corners of a solid polygon, wound either way
}

// Hit is where a disc touches a shape.
type Hit struct {
	Index    int     // of the shape, in the order given to Build
	Distance float64 // m, that the disc moves until then
	Contact  r2.Vec  // m, the point of the shape's surface
	Normal   r2.Vec  // unit vector out of the shape
}

// sweep returns how far a disc of radius body moves from p along the unit
// vector dir until it touches the shape, at most length (A37).
func (s *Shape) sweep(p, dir r2.Vec, length, body float64) (float64, bool) {
	rho := s.Radius + body
	switch {
	case s.Ring != nil:
		return s.sweepRing(p, dir, length, rho)
	case s.A == s.B:
		return sweepCircle(p, dir, length, s.A, rho)
	}
	return sweepWall(p, dir, length, s.A, s.B, rho)
}

// sweepCircle returns how far a point moves until it is within rho of a centre.
func sweepCircle(p, dir r2.Vec, length float64, centre r2.Vec, rho float64) (float64, bool) {
	m := vec.Sub(p, centre)
	c := vec.Norm2(m) - float64(rho*rho)
	if c <= 0 {
		return 0, true
	}
	b := vec.Dot(m, dir)
	if b >= 0 {
		return 0, false
	}
	root := float64(b*b) - c
	if root < 0 {
		return 0, false
	}
	t := c / (math.Sqrt(root) - b)
	return t, t <= length
}

// sweepWall returns how far a point moves until it is within rho of the
// segment from a to b.
func sweepWall(p, dir r2.Vec, length float64, a, b r2.Vec, rho float64) (float64, bool) {
	if d := vec.Sub(p, nearestOnSegment(p, a, b)); vec.Norm2(d) <= rho*rho {
		return 0, true
	}
	t, ok := sweepCircle(p, dir, length, a, rho)
	if u, hit := sweepCircle(p, dir, length, b, rho); hit && (!ok || u < t) {
		t, ok = u, true
	}
	span := vec.Sub(b, a)
	along := vec.Unit(span)
	m, side := vec.Sub(p, a), vec.Left(along)
	d, v := vec.Dot(m, side), vec.Dot(dir, side)
	if d < 0 {
		d, v = -d, -v
	}
	if v < 0 && d >= rho {
		u := (rho - d) / v
		at := vec.Dot(vec.AddScaled(m, u, dir), along)
		if u <= length && at >= 0 && at <= vec.Norm(span) && (!ok || u < t) {
			t, ok = u, true
		}
	}
	return t, ok
}

func (s *Shape) sweepRing(p, dir r2.Vec, length, rho float64) (t float64, ok bool) {
	if insideRing(p, s.Ring) {
		return 0, true
	}
	for i, b := range s.Ring {
		if u, hit := sweepWall(p, dir, length, s.Ring[(i+len(s.Ring)-1)%len(s.Ring)], b, rho); hit && (!ok || u < t) {
			t, ok = u, true
		}
	}
	return t, ok
}

// hit returns what a disc touches that has moved by t from p along dir.
func (s *Shape) hit(index int, p, dir r2.Vec, t float64) Hit {
	at := vec.AddScaled(p, t, dir)
	line, from := s.nearestOnLine(at)
	out := vec.Sub(at, line)
	if s.Ring != nil && insideRing(at, s.Ring) {
		out = vec.Sub(line, at)
	}
	normal := vec.Unit(out)
	if normal == (r2.Vec{}) {
		normal = s.outward(from, dir)
	}
	return Hit{Index: index, Distance: t, Contact: vec.AddScaled(line, s.Radius, normal), Normal: normal}
}

// outward returns the normal for a disc whose centre is exactly on the line of
// the shape: for a polygon out of its edge; otherwise against dir.
func (s *Shape) outward(edge int, dir r2.Vec) r2.Vec {
	if s.Ring != nil {
		n := len(s.Ring)
		side := vec.Right(vec.Unit(vec.Sub(s.Ring[edge], s.Ring[(edge+n-1)%n])))
		if area(s.Ring) < 0 {
			return vec.Scale(-1, side)
		}
		return side
	}
	if s.A == s.B {
		if dir == (r2.Vec{}) {
			return r2.Vec{X: 1}
		}
		return vec.Scale(-1, dir)
	}
	side := vec.Left(vec.Unit(vec.Sub(s.B, s.A)))
	if vec.Dot(side, dir) > 0 {
		return vec.Scale(-1, side)
	}
	return side
}

// distance returns how far p is from the surface, negative within the shape.
func (s *Shape) distance(p r2.Vec) float64 {
	line, _ := s.nearestOnLine(p)
	d := vec.Norm(vec.Sub(p, line))
	if s.Ring != nil && insideRing(p, s.Ring) {
		d = -d
	}
	return d - s.Radius
}

// nearestOnLine returns the point nearest to p of the centre, the wall's middle
// line, or the polygon's outline, and which edge that is.
func (s *Shape) nearestOnLine(p r2.Vec) (q r2.Vec, edge int) {
	if s.Ring == nil {
		return nearestOnSegment(p, s.A, s.B), 0
	}
	best := math.Inf(1)
	for i, b := range s.Ring {
		c := nearestOnSegment(p, s.Ring[(i+len(s.Ring)-1)%len(s.Ring)], b)
		if d := vec.Norm2(vec.Sub(p, c)); d < best {
			q, edge, best = c, i, d
		}
	}
	return q, edge
}

// nearestOnSegment returns the point from a to b that is nearest to p.
func nearestOnSegment(p, a, b r2.Vec) r2.Vec {
	span := vec.Sub(b, a)
	t := vec.Dot(vec.Sub(p, a), span) / vec.Norm2(span)
	switch {
	case !(t > 0): // also where a and b are one
		return a
	case t >= 1:
		return b
	}
	return vec.AddScaled(a, t, span)
}

// insideRing tells whether p is inside a polygon, by the number of edges to the
// right of it.
func insideRing(p r2.Vec, ring []r2.Vec) bool {
	in := false
	for i, b := range ring {
		a := ring[(i+len(ring)-1)%len(ring)]
		if (a.Y > p.Y) == (b.Y > p.Y) {
			continue
		}
		// p is left of the edge, seen from its lower to its upper end.
		if left := vec.Cross(vec.Sub(b, a), vec.Sub(p, a)) > 0; left == (b.Y > a.Y) {
			in = !in
		}
	}
	return in
}

// area returns twice the area of a polygon, negative if it is wound clockwise.
func area(ring []r2.Vec) (sum float64) {
	for i, b := range ring {
		a := ring[(i+len(ring)-1)%len(ring)]
		sum += vec.Cross(vec.Sub(a, ring[0]), vec.Sub(b, ring[0]))
	}
	return sum
}

// finite tells whether the shape can be indexed.
func (s *Shape) finite() bool {
	if !(s.Radius >= 0) || math.IsInf(s.Radius, 1) || !vec.Finite(s.A) || !vec.Finite(s.B) {
		return false
	}
	for _, p := range s.Ring {
		if !vec.Finite(p) {
			return false
		}
	}
	return s.Ring == nil || len(s.Ring) >= 3
}

// bounds returns the box around the shape.
func (s *Shape) bounds() r2.Box {
	points := s.Ring
	if points == nil {
		points = []r2.Vec{s.A, s.B}
	}
	box := r2.Box{Min: points[0], Max: points[0]}
	for _, p := range points {
		box.Min = r2.Vec{X: min(box.Min.X, p.X), Y: min(box.Min.Y, p.Y)}
		box.Max = r2.Vec{X: max(box.Max.X, p.X), Y: max(box.Max.Y, p.Y)}
	}
	pad := r2.Vec{X: s.Radius, Y: s.Radius}
	return r2.Box{Min: vec.Sub(box.Min, pad), Max: vec.Add(box.Max, pad)}
}
