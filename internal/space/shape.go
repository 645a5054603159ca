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

// Valid reports whether a shape can be indexed.
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

// ends returns the points that the shape is stretched over: those of the ring, or the ends.
func (s *Shape) ends() []r2.Vec {
	if s.Ring != nil {
		return s.Ring
	}
	return []r2.Vec{s.A, s.B}
}

// Box returns the box around all shapes of the index; the zero box if there are none.
func (x *Index) Box() r2.Box {
	box := r2.Box{Min: r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, Max: r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}}
	for i := range x.shapes {
		if s := &x.shapes[i]; s.Valid() {
			for _, p := range s.ends() {
				box.Min.X, box.Min.Y = min(box.Min.X, p.X-s.Radius), min(box.Min.Y, p.Y-s.Radius)
				box.Max.X, box.Max.Y = max(box.Max.X, p.X+s.Radius), max(box.Max.Y, p.Y+s.Radius)
			}
		}
	}
	if box.Min.X > box.Max.X {
		return r2.Box{}
	}
	return box
}

// within reports whether a point is finite and not too far away to be squared.
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
