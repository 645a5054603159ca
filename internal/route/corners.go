package route

import (
	"math"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// corner is where a shortest way may turn: beside a corner of an obstacle, or on the arc around
// it that a disc describes, which is cut into tangents.
type corner struct {
	at            r2.Vec // m, of the middle of the disc
	before, after r2.Vec // unit vectors along the outline, away from the corner on both sides
}

// touches tells whether a way in this direction leaves the obstacle of the corner on one side,
// as all shortest ways do.
func (c *corner) touches(direction r2.Vec) bool {
	a, b, least := vec.Cross(direction, c.before), vec.Cross(direction, c.after), float64(aligned*vec.Norm(direction))
	return a >= -least && b >= -least || a <= least && b <= least
}

// aligned is the sine of an angle that rounding can make of none.
const aligned = 1e-6

// most is the angle between two tangents of an arc, at most. The way along them is 1.3 % longer
// than along the arc.
const most = math.Pi / 8

// outline appends the corners of a shape at a distance from it, those that stick out.
// Small says that arcs around them are so small that one tangent for a quarter will do.
func outline(to []corner, s *space.Shape, distance float64, small bool) []corner {
	ring := []r2.Vec{s.A, s.B}
	if s.Ring != nil {
		ring = s.Ring
	}
	ring = distinct(ring)
	distance += s.Radius
	small = small && s.Radius == 0
	if len(ring) == 1 {
		return arc(to, ring[0], r2.Vec{X: 1}, 2*math.Pi, distance, small)
	}
	turn := 1.
	if area(ring) < 0 {
		turn = -1
	}
	for i, p := range ring {
		from, next := ring[(i+len(ring)-1)%len(ring)], ring[(i+1)%len(ring)]
		in, out := vec.Unit(vec.Sub(p, from)), vec.Unit(vec.Sub(next, p))
		if turn < 0 {
			in, out = vec.Scale(-1, out), vec.Scale(-1, in)
		}
		angle := math.Atan2(vec.Cross(in, out), vec.Dot(in, out))
		if len(ring) == 2 {
			angle = math.Pi
		}
		if angle > 0 {
			to = arc(to, p, vec.Scale(-1, vec.Left(in)), angle, distance, small)
		}
	}
	return to
}

// arc appends the corners of the tangents of an arc, which begins in a direction from its
// center and turns to the left.
func arc(to []corner, center, first r2.Vec, angle, radius float64, small bool) []corner {
	step := most
	if small {
		step = math.Pi / 2
	}
	n := math.Ceil(angle / step)
	each := angle / n
	far := radius / math.Cos(each/2)
	for k := range int(n) {
		begin := float64(k) * each
		to = append(to, corner{
			at:     vec.AddScaled(center, far, rotated(first, begin+each/2)),
			before: vec.Scale(-1, vec.Left(rotated(first, begin))),
			after:  vec.Left(rotated(first, begin+each)),
		})
	}
	return to
}

func rotated(v r2.Vec, angle float64) r2.Vec {
	sin, cos := vec.SinCos(angle)
	return r2.Vec{X: float64(v.X*cos) - float64(v.Y*sin), Y: float64(v.X*sin) + float64(v.Y*cos)}
}

// distinct returns a ring without corners that are where the one before is.
func distinct(ring []r2.Vec) (all []r2.Vec) {
	for i, p := range ring {
		if p != ring[(i+len(ring)-1)%len(ring)] {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		all = ring[:1]
	}
	return all
}

// area returns twice the area of a ring, below zero if it turns to the right.
func area(ring []r2.Vec) (sum float64) {
	for i, p := range ring {
		sum += vec.Cross(vec.Sub(ring[(i+len(ring)-1)%len(ring)], ring[0]), vec.Sub(p, ring[0]))
	}
	return sum
}
