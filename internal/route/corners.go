package route

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// corner is a point where a shortest path may turn. The center of the disc moves along an arc around a corner
// of an obstacle. Tangents approximate the arc, and a corner is where two of them meet.
type corner struct {
	at            r2.Vec // m, of the center of the disc
	before, after r2.Vec // unit vectors along the outline, away from the corner on both sides

	of, from, to r2.Vec // m, the corner of the obstacle, and its neighbors; equal if the corner has no edges
}

// touches reports whether a path along way, which has the given length, passes the corner's obstacle on one
// side, as all shortest paths do.
func (c *corner) touches(way r2.Vec, length float64) bool {
	a, b, least := vec.Cross(way, c.before), vec.Cross(way, c.after), float64(aligned*length)
	return a >= -least && b >= -least || a <= least && b <= least
}

// side returns 0 if a path in the given direction only touches the corner's obstacle. For a path through the
// obstacle, it returns 1 if the outline before the corner is on the left, and -1 if it is on the right.
func (c *corner) side(direction r2.Vec) int {
	if c.touches(direction, vec.Norm(direction)) {
		return 0
	}
	if vec.Cross(direction, c.before) > 0 {
		return 1
	}
	return -1
}

// turns reports whether a path goes straight ahead at a corner or bends around the corner's obstacle. Any
// other path could be shortened. The path arrives along the unit vector come, and leaves along the vector on,
// which has the given length, above 0.
func (c *corner) turns(come, on r2.Vec, length float64) bool {
	turn, least := vec.Cross(come, on), float64(aligned*length)
	if vec.Cross(come, vec.Add(c.before, c.after)) >= 0 {
		return turn >= -least
	}
	return turn <= least
}

// aligned is the sine of the angle that rounding may add.
const aligned = 1e-6

// most is the largest angle between successive tangents of an arc. The path along them is then 1.3% longer
// than the arc.
const most = math.Pi / 8

// beyondArc is how far corners can lie outside their arc, relative to its radius.
const beyondArc = 0.02

// outline appends the convex corners of a shape, at a distance from the shape, to a slice, and returns the
// slice. If small is true and the shape has no radius, outline uses one tangent per quarter circle.
func outline(to []corner, s *space.Shape, distance float64, small bool) []corner {
	ring := []r2.Vec{s.A, s.B}
	if s.Ring != nil {
		ring = s.Ring
	}
	ring = distinct(ring)
	distance += s.Radius
	small = small && s.Radius == 0
	if len(ring) == 1 {
		return arc(to, corner{of: ring[0], from: ring[0], to: ring[0]}, r2.Vec{X: 1}, 2*math.Pi, distance, small)
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
		cross, dot := vec.Cross(in, out), vec.Dot(in, out)
		angle := vec.Angle(in, out)
		if dot < 0 && math.Abs(cross) < 1e-9 { // the tip of a polygon without area, which rounding must not make concave
			angle = math.Pi
		}
		if angle > 0 {
			to = arc(to, corner{of: p, from: from, to: next}, vec.Scale(-1, vec.Left(in)), angle, distance, small)
		}
	}
	return to
}

// arc appends the corners of the tangents of an arc to a slice, and returns the slice. The arc turns left by
// the given angle. The parameter first is the unit vector from the center of the arc to its beginning. arc
// copies the other fields of the corners from c.
func arc(to []corner, c corner, first r2.Vec, angle, radius float64, small bool) []corner {
	step := most
	if small {
		step = math.Pi / 2
	}
	n := math.Ceil(angle / step)
	each := angle / n
	_, cos := vec.SinCos(each / 2)
	far := radius / cos
	for k := range int(n) {
		begin := float64(float64(k) * each)
		c.at = vec.AddScaled(c.of, far, rotated(first, begin+float64(each/2)))
		c.before = vec.Scale(-1, vec.Left(rotated(first, begin)))
		c.after = vec.Left(rotated(first, begin+each))
		to = append(to, c)
	}
	return to
}

func rotated(v r2.Vec, angle float64) r2.Vec {
	sin, cos := vec.SinCos(angle)
	return r2.Vec{X: float64(v.X*cos) - float64(v.Y*sin), Y: float64(v.X*sin) + float64(v.Y*cos)}
}

// distinct returns a ring without consecutive equal corners, but with at least one corner.
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

// area returns twice the area of a ring, negative if it turns right.
func area(ring []r2.Vec) (sum float64) {
	for i, p := range ring {
		sum += vec.Cross(vec.Sub(ring[(i+len(ring)-1)%len(ring)], ring[0]), vec.Sub(p, ring[0]))
	}
	return sum
}

func convex(ring []r2.Vec) bool {
	left, right := false, false
	for i, p := range ring {
		next, after := ring[(i+1)%len(ring)], ring[(i+2)%len(ring)]
		turn := vec.Cross(vec.Sub(next, p), vec.Sub(after, next))
		left, right = left || turn > 0, right || turn < 0
	}
	return !(left && right)
}

// cells is a grid of squares over the corners.
type cells struct {
	low           r2.Vec // m
	size          float64
	columns, rows int
	start         []uint32 // first corner of each square, row by row
}

// perCell is the approximate number of corners per square.
const perCell = 2

func (c *cells) sort(corners []corner) {
	low, high := r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for i := range corners {
		p := corners[i].at
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	n := float64(len(corners))
	width, height := high.X-low.X, high.Y-low.Y
	c.low, c.size, c.columns, c.rows = low, 1, 0, 0
	if n > 0 {
		c.size = max(math.Sqrt(perCell*width/n)*math.Sqrt(height), perCell*max(width, height)/n, math.SmallestNonzeroFloat32)
		c.columns, c.rows = int(width/c.size)+1, int(height/c.size)+1
	}
	slices.SortStableFunc(corners, func(a, b corner) int { return c.cell(a.at) - c.cell(b.at) })
	c.start = slices.Grow(c.start[:0], c.columns*c.rows+1)[:c.columns*c.rows+1]
	clear(c.start)
	for i := range corners {
		c.start[c.cell(corners[i].at)+1]++
	}
	for i := 1; i < len(c.start); i++ {
		c.start[i] += c.start[i-1]
	}
}

func (c *cells) cell(p r2.Vec) int {
	x, y := c.square(p)
	return min(max(y, 0), c.rows-1)*c.columns + min(max(x, 0), c.columns-1)
}

// square returns the column and the row of a point, which may be outside the grid.
func (c *cells) square(p r2.Vec) (x, y int) {
	const farthest = 1 << 30
	return int(math.Floor(min(max((p.X-c.low.X)/c.size, -farthest), farthest))),
		int(math.Floor(min(max((p.Y-c.low.Y)/c.size, -farthest), farthest)))
}

// ring calls visit with the ranges of corners in the squares at the given distance, in squares, from the
// square at column x and row y.
func (c *cells) ring(x, y, away int, visit func(first, end uint32)) {
	for row := max(y-away, 0); row <= min(y+away, c.rows-1); row++ {
		if row == y-away || row == y+away {
			c.run(row, x-away, x+away, visit)
			continue
		}
		c.run(row, x-away, x-away, visit)
		c.run(row, x+away, x+away, visit)
	}
}

func (c *cells) run(row, left, right int, visit func(first, end uint32)) {
	left, right = max(left, 0), min(right, c.columns-1)
	if left <= right {
		visit(c.start[row*c.columns+left], c.start[row*c.columns+right+1])
	}
}

// reach returns the distances, in squares, from the square at x, y to the nearest and the farthest square of
// the grid.
func (c *cells) reach(x, y int) (nearest, farthest int) {
	return max(0, -x, x-c.columns+1, -y, y-c.rows+1), max(x, c.columns-1-x, y, c.rows-1-y)
}
