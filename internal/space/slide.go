package space

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Disc is a body that moves among shapes.
type Disc struct {
	At       r2.Vec  // m, its center
	Way      r2.Vec  // m, displacement to make
	Velocity r2.Vec  // m/s
	Radius   float64 // m
	Out      float64 // m, distance up to which it may be moved out of a shape that it overlaps
	Box      r2.Box  // m, if the center is in this box, it stays there; zero means no box
}

const mostBumps = 4

type bump struct {
	distance float64 // m, along the way
	into     float64 // m, component of the way along the normal; negative
	normal   r2.Vec  // unit vector out of the shape
	piece    uint32  // or none-4 to none-1 for the sides of the box
}

// Slide moves a disc along its way up to the first contact, and then along the surface that it touches. In a
// corner the disc stops. Slide removes the velocity component into each surface that stops the disc.
//
// The distance from the center to a wall or circle never falls below the radius, or below its initial value
// if that was smaller. So no center passes through a wall. Only polygons that contain the center do not stop
// the disc. A disc without a radius gets a tiny one: see Least.
//
// Finally, if the disc overlaps shapes, Slide moves it out of the shape with the nearest surface, by up to
// Out, as far as other shapes allow. Slide returns true, or does nothing and returns false if the position,
// way or radius is not finite, the position or radius is beyond 1e100 m, or the radius is negative.
func (x *Index) Slide(d *Disc) bool {
	length := vec.Norm(d.Way)
	if !within(d.At) || !(d.Radius >= 0 && d.Radius <= farthest) || !(length <= math.MaxFloat64) {
		return false
	}
	s := slider{Disc: d, x: x, skin: skinOf(d.At, d.Radius), body: Least(d.At, d.Radius)}
	s.boxed = d.Box != (r2.Box{}) && holdsPoint(&d.Box, d.At)
	s.move(length)
	s.leave()
	if s.boxed { // against rounding errors
		d.At.X, d.At.Y = min(max(d.At.X, d.Box.Min.X), d.Box.Max.X), min(max(d.At.Y, d.Box.Min.Y), d.Box.Max.Y)
	}
	return true
}

// skinOf returns the distance at which a disc at p counts as touching a surface. It exceeds the rounding
// errors for walls up to a thousand kilometers long.
func skinOf(p r2.Vec, body float64) float64 {
	return 0x1p-30 * (1 + math.Abs(p.X) + math.Abs(p.Y) + body)
}

// Least returns the radius, in m, that Slide uses for a disc at p with radius body: body itself, but at least
// a few nanometers, and more far from the origin.
func Least(p r2.Vec, body float64) float64 { return max(body, 4*skinOf(p, body)) }

func holdsPoint(b *r2.Box, p r2.Vec) bool {
	return p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y
}

type slider struct {
	*Disc
	x     *Index
	body  float64 // m: see Least
	skin  float64 // m: see skinOf
	boxed bool    // the box contained the center at the start
}

// move moves the disc along its way, which has the given length, and sets its velocity.
func (s *slider) move(length float64) {
	var normals [mostBumps]r2.Vec
	least, share, rest, velocity := float64(rounding*length), 1., s.Way, s.Velocity
	for i := range normals {
		left := vec.Norm(rest)
		if !(left > least) {
			return
		}
		b, ok := s.first(rest, left, least)
		if !ok {
			s.At = vec.Add(s.At, rest)
			return
		}
		s.At = vec.AddScaled(s.At, b.distance, vec.Unit(rest))
		normals[i] = b.normal
		share *= 1 - b.distance/left
		rest = vec.Scale(share, aside(s.Way, normals[:i+1]))
		s.Velocity = aside(velocity, normals[:i+1])
	}
}

// aside returns the vector nearest to v that leads into no surface with one of the given normals: v itself, v
// without its component along one of the normals, or zero.
func aside(v r2.Vec, normals []r2.Vec) (best r2.Vec) {
	least := float64(rounding * vec.Norm(v))
	allowed := func(u r2.Vec) bool {
		for _, n := range normals {
			if vec.Dot(u, n) < -least {
				return false
			}
		}
		return true
	}
	if allowed(v) {
		return v
	}
	for _, n := range normals {
		u := vec.AddScaled(v, -vec.Dot(v, n), n)
		if vec.Norm2(u) > vec.Norm2(best) && allowed(u) {
			best = u
		}
	}
	return best
}

func (s *slider) leave() {
	if !(s.Out > 0) || !within(s.At) {
		return
	}
	near, ok := s.x.Nearest(s.At, s.body-s.skin)
	if !ok {
		return
	}
	length := min(s.body-near.Distance, s.Out)
	way := vec.Scale(length, near.Normal)
	if b, ok := s.first(way, length, float64(rounding*length)); ok {
		way = vec.Scale(b.distance, near.Normal)
	}
	s.At = vec.Add(s.At, way)
}

// first returns the first contact of the disc on a way of the given length, and whether there is one. A
// surface that the disc touches at the start counts only if the way leads into it by more than least.
func (s *slider) first(way r2.Vec, length, least float64) (bump, bool) {
	first := bump{distance: length, piece: none}
	dir := vec.Unit(way)
	middle, reach := vec.AddScaled(s.At, float64(length/2), dir), float64(length/2*(1+rounding))+s.body+s.skin
	s.x.near(middle, reach, func(list []entry) {
		for i := range list {
			k := list[i].Piece
			b := &s.x.bounds[k]
			far := b.radius + reach
			if vec.Norm2(vec.Sub(r2.Vec{X: b.x, Y: b.y}, middle)) <= float64(far*far)*(1+rounding) {
				s.try(k, way, dir, least, &first)
			}
		}
	})
	if s.boxed {
		s.sides(way, dir, least, &first)
	}
	return first, first.piece != none
}

// try keeps the contact with a piece if it is earlier than first. Of equally early contacts, it keeps the one
// whose surface the way leads into most steeply.
func (s *slider) try(k uint32, way, dir r2.Vec, least float64, first *bump) {
	pc := &s.x.pieces[k]
	if pc.kind == inside {
		return // the edges of the interior are pieces of their own
	}
	reach := pc.radius + s.body
	t, normal := 0., r2.Vec{}
	if s.clear(pc) > s.body+s.skin {
		ok := false
		if pc.kind == circle {
			t, ok = sweepCircle(pc.a, s.At, dir, first.distance, reach)
		} else {
			t, ok = sweepWall(pc.a, pc.b, s.At, dir, first.distance, reach)
		}
		if !ok {
			return
		}
		normal = normalOf(pc, s.At, dir, t, reach)
	} else {
		normal = normalOf(pc, s.At, r2.Vec{}, 0, reach)
		if !(vec.Dot(way, normal) < -least) {
			return
		}
	}
	s.take(bump{t, vec.Dot(way, normal), normal, k}, first)
}

func (s *slider) take(b bump, first *bump) {
	earlier := b.distance < first.distance || b.distance == first.distance && (first.piece == none ||
		b.into < first.into || b.into == first.into && b.piece < first.piece)
	if !earlier {
		return
	}
	if b.piece < none-4 {
		if ring := s.x.shape(s.x.pieces[b.piece].rank).Ring; ring != nil && contains(ring, s.At) {
			return
		}
	}
	*first = b
}

func (s *slider) clear(pc *piece) float64 {
	if pc.kind == circle {
		return vec.Norm(vec.Sub(s.At, pc.a)) - pc.radius
	}
	f := frameOf(pc.a, pc.b, s.At)
	return f.distance(pc.a, pc.b, s.At) - pc.radius
}

// normalOf returns the normal of a circle or wall where a disc touches it after t meters from p along dir.
func normalOf(pc *piece, p, dir r2.Vec, t, reach float64) r2.Vec {
	if pc.kind == circle {
		return touchCircle(pc.a, p, dir, t, reach)
	}
	_, normal := touchWall(pc.a, pc.b, p, dir, t, reach)
	return normal
}

// sides is like try for the sides of the box, which must contain the center.
func (s *slider) sides(way, dir r2.Vec, least float64, first *bump) {
	side := func(k uint32, gap float64, normal r2.Vec) {
		towards := -vec.Dot(dir, normal)
		if into := vec.Dot(way, normal); into < -least {
			if t := max(gap, 0) / towards; t < first.distance {
				s.take(bump{t, into, normal, none - 4 + k}, first)
			}
		}
	}
	side(0, s.At.X-s.Box.Min.X, r2.Vec{X: 1})
	side(1, s.Box.Max.X-s.At.X, r2.Vec{X: -1})
	side(2, s.At.Y-s.Box.Min.Y, r2.Vec{Y: 1})
	side(3, s.Box.Max.Y-s.At.Y, r2.Vec{Y: -1})
}
