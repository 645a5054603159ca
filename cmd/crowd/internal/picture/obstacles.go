package picture

import (
	"image"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// polygon reports whether o is a polygon rather than a circle or wall.
func (o *Obstacle) polygon() bool { return len(o.Ring) >= 3 }

// usable reports whether all of o can be drawn.
func (o *Obstacle) usable() bool {
	if !o.polygon() {
		return usable(o.A) && usable(o.B)
	}
	return !slices.ContainsFunc(o.Ring, func(p r2.Vec) bool { return !usable(p) })
}

// box returns the box around o. It is empty if o cannot be drawn.
func (o *Obstacle) box() r2.Box {
	switch {
	case !o.usable():
		return around(nil)
	case o.polygon():
		return around(o.Ring)
	}
	return grow(around([]r2.Vec{o.A, o.B}), length(o.Radius))
}

// rimWidth returns the width of the rim of obstacles, in pixels.
func rimWidth(f viewport) float64 { return float64(max((f.bounds.Dx()+400)/800, 1)) }

// wallWidth returns half the minimum thickness of a wall, in pixels.
func wallWidth(f viewport) float64 { return max(float64(f.bounds.Dx())/1100, 0.75) }

// ring returns the part of a polygon near the frame, in image coordinates. All rings have the same
// orientation, so overlapping polygons do not cancel out.
func (o *Obstacle) ring(f viewport, near image.Rectangle) (ring []r2.Vec) {
	for _, p := range o.Ring {
		ring = append(ring, f.at(p))
	}
	ring = clip(ring, near)
	area := 0.0
	for i, p := range ring {
		area += r2.Cross(ring[(i+len(ring)-1)%len(ring)], p)
	}
	if area < 0 {
		slices.Reverse(ring)
	}
	return ring
}

// drawObstacles draws all obstacles as one solid with a rim. There are no rims where obstacles overlap.
func (s *sheet) drawObstacles(to pen, obstacles []Obstacle) {
	f, t := s.frame, s.colors.theme
	rim := rimWidth(f)
	near := f.bounds.Inset(-int(4*rim) - 4)
	var outer, edges, solid [][]r2.Vec
	for i := range obstacles {
		o := &obstacles[i]
		switch {
		case !o.usable():
		case o.polygon():
			if ring := o.ring(f, near); len(ring) > 0 {
				edges, solid = append(edges, append(slices.Clone(ring), ring[0])), append(solid, ring)
			}
		default:
			a, b, r := f.at(o.A), f.at(o.B), max(length(o.Radius)*f.scale, wallWidth(f))
			if ring := clip(Capsule(a, b, r), near); len(ring) > 0 {
				outer = append(outer, ring)
			}
			if ring := clip(Capsule(a, b, max(r-rim, 0)), near); len(ring) > 0 && r > rim {
				solid = append(solid, ring)
			}
		}
	}
	to.fill(t.rim, 1, outer...)
	to.stroke(line{color: t.rim, width: 1.5 * rim, opacity: 1}, edges...)
	to.fill(t.solid, 1, solid...)
}
