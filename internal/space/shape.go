package space

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// farthest is the largest coordinate and radius, in meters, that is told apart
// from infinity.
const farthest = 1e100

// Shape is one obstacle, in world coordinates and meters: a circle, a wall with
// round ends, or a solid polygon.
type Shape struct {
	ID     uint32   // unique; ties between equal distances go to the lowest
	A, B   r2.Vec   // ends of a wall; the same point twice: a circle. Not used for a polygon
	Radius float64  // >= 0: of the circle, or half the thickness of the wall or the outline
	Ring   []r2.Vec // corners of a polygon, either winding, the first not repeated; nil: none
}

// Valid tells whether a shape can be indexed.
func (s *Shape) Valid() bool {
	if !(s.Radius >= 0 && s.Radius <= farthest) {
		return false
	}
	if s.Ring == nil {
		return within(s.A) && within(s.B)
	}
	for _, c := range s.Ring {
		if !within(c) {
			return false
		}
	}
	return len(s.Ring) >= 3
}

// within tells whether a point is finite and not too far away to be squared.
func within(p r2.Vec) bool {
	return math.Abs(p.X) <= farthest && math.Abs(p.Y) <= farthest
}

// Hit is where a moving disc first touches an obstacle, or the point of an
// obstacle's surface that is nearest to a point.
type Hit struct {
	Index    int     // which shape, in the order given to Build
	Distance float64 // m, how far the center moves until contact; of Nearest: to the surface, negative inside
	Contact  r2.Vec  // m, the point of the obstacle's surface
	Normal   r2.Vec  // unit vector out of the obstacle
	Way      int     // of SweepAll: which way
}
