package picture

import (
	"image"
	"image/color"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

func (o *Obstacle) polygon() bool { return len(o.Ring) >= 3 }

func (o *Obstacle) usable() bool {
	if !o.polygon() {
		return usable(o.A) && usable(o.B)
	}
	return !slices.ContainsFunc(o.Ring, func(p r2.Vec) bool { return !usable(p) })
}

// box returns the box around o, or an empty box if o cannot be drawn.
func (o *Obstacle) box() r2.Box {
	switch {
	case !o.usable():
		return around(nil)
	case o.polygon():
		return around(o.Ring)
	}
	return grow(around([]r2.Vec{o.A, o.B}), length(o.Radius))
}

func rimWidth(f viewport) float64 { return float64(max((f.bounds.Dx()+400)/800, 1)) }

func wallWidth(f viewport) float64 { return max(float64(f.bounds.Dx())/1100, 0.75) }

// ring returns the part of a polygon near the frame. All rings have the same orientation, so overlapping
// polygons do not cancel out.
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

// drawObstacles draws obstacles, without rims where they overlap.
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

// Door is a wall from A to B. A closed door is also in Crowd.Obstacles.
type Door struct {
	A, B   r2.Vec  // m
	Radius float64 // m, half the thickness
	Open   bool
}

func doorLine(em float64, c color.RGBA) line {
	return line{color: c, width: max(0.09*em, 1), opacity: 1, dash: 0.22 * em, gap: 0.22 * em}
}

func (s *sheet) drawDoors(to pen, doors []Door) {
	for _, d := range doors {
		way := Path{Points: []r2.Vec{d.A, d.B}}
		for _, seen := range way.lines(s.frame) {
			if d.Open {
				drawOpenDoor(to, seen[0], seen[1], s.em, s.colors.theme)
				continue
			}
			leaf := max(2*(length(d.Radius)*s.frame.scale-rimWidth(s.frame)), 2*wallWidth(s.frame))
			to.stroke(line{color: s.colors.theme.door, width: leaf, opacity: 1}, seen)
		}
	}
}

func drawOpenDoor(to pen, a, b r2.Vec, em float64, t *theme) {
	to.stroke(doorLine(em, t.door), []r2.Vec{a, b})
	for _, post := range [2]r2.Vec{a, b} {
		to.disc(post, max(0.13*em, 1.6), t.door, 1)
	}
}
