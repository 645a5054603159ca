package space

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func wallOf(id uint32, ax, ay, bx, by float64) Shape {
	return Shape{ID: id, A: r2.Vec{X: ax, Y: ay}, B: r2.Vec{X: bx, Y: by}}
}

func TestSlide(t *testing.T) {
	at := func(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }
	floor := wallOf(1, -10, 0, 10, 0)
	box := Shape{ID: 3, Ring: []r2.Vec{at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)}}
	for _, tc := range []struct {
		name         string
		shapes       []Shape
		d            Disc
		to, velocity r2.Vec
	}{
		{name: "nothing", d: Disc{At: at(1, 2), Way: at(3, 4), Velocity: at(3, 4), Radius: 1}, to: at(4, 6), velocity: at(3, 4)},
		{name: "head-on", shapes: []Shape{floor}, d: Disc{At: at(0, 5), Way: at(0, -20), Velocity: at(0, -9), Radius: 1}, to: at(0, 1)},
		{name: "slanted", shapes: []Shape{floor}, d: Disc{At: at(0, 5), Way: at(8, -8), Velocity: at(1, -1), Radius: 1}, to: at(8, 1), velocity: at(1, 0)},
		{name: "past the end", shapes: []Shape{floor}, d: Disc{At: at(8, 5), Way: at(8, -8), Velocity: at(1, -1), Radius: 1}, to: at(16, -3), velocity: at(1, -1)},
		{name: "along", shapes: []Shape{floor}, d: Disc{At: at(0, 1), Way: at(3, 0), Velocity: at(3, 0), Radius: 1}, to: at(3, 1), velocity: at(3, 0)},
		{name: "away", shapes: []Shape{floor}, d: Disc{At: at(0, 1), Way: at(3, 1), Velocity: at(3, 1), Radius: 1}, to: at(3, 2), velocity: at(3, 1)},
		{name: "overlaps, goes in", shapes: []Shape{floor}, d: Disc{At: at(0, 0.5), Way: at(3, -5), Velocity: at(3, -5), Radius: 1}, to: at(3, 0.5), velocity: at(3, 0)},
		{name: "overlaps, is moved out", shapes: []Shape{floor}, d: Disc{At: at(0, 0.5), Radius: 1, Out: 0.25}, to: at(0, 0.75)},
		{name: "overlaps a little, is moved out", shapes: []Shape{floor}, d: Disc{At: at(0, 0.5), Radius: 1, Out: 9}, to: at(0, 1)},
		{name: "corner", shapes: []Shape{floor, wallOf(2, 3, -1, 3, 5)}, d: Disc{At: at(0, 3), Way: at(9, -9), Velocity: at(1, -1), Radius: 1}, to: at(2, 1)},
		{name: "acute corner", shapes: []Shape{floor, wallOf(2, 10, 0, 0, 5)}, d: Disc{At: at(0, 2), Way: at(90, 0), Velocity: at(1, 0), Radius: 1}, to: at(10-2-math.Sqrt(5), 1)},
		{name: "doorway too narrow", shapes: []Shape{wallOf(1, -9, 0, -0.6, 0), wallOf(2, 0.6, 0, 9, 0)}, d: Disc{At: at(0, 5), Way: at(0, -20), Velocity: at(0, -9), Radius: 1}, to: at(0, 0.8)},
		{name: "doorway", shapes: []Shape{wallOf(1, -9, 0, -1.1, 0), wallOf(2, 1.1, 0, 9, 0)}, d: Disc{At: at(0, 5), Way: at(0, -20), Velocity: at(0, -9), Radius: 1}, to: at(0, -15), velocity: at(0, -9)},
		{name: "box", shapes: []Shape{box}, d: Disc{At: at(0.5, 9), Way: at(0, -20), Velocity: at(0, -9), Radius: 1}, to: at(0.5, 2)},
		{name: "in a box, goes on", shapes: []Shape{box}, d: Disc{At: at(0.5, 0), Way: at(-0.8, 0), Velocity: at(-9, 0), Radius: 0.1}, to: at(-0.3, 0), velocity: at(-9, 0)},
		{name: "in a box, is moved out", shapes: []Shape{box}, d: Disc{At: at(0.5, 0), Radius: 0.25, Out: 9}, to: at(1.25, 0)},
		{name: "in a circle, is moved out", shapes: []Shape{{ID: 1, Radius: 4}}, d: Disc{At: at(0, 2), Radius: 0.25, Out: 9}, to: at(0, 4.25)},
		{name: "in a circle, not deeper", shapes: []Shape{{ID: 1, Radius: 4}}, d: Disc{At: at(0, 2), Way: at(1, -9), Radius: 0.25}, to: at(1, 2)},
		{name: "side of the box", d: Disc{At: at(0, 0), Way: at(9, 3), Velocity: at(9, 3), Radius: 1, Box: r2.Box{Min: at(-5, -5), Max: at(5, 5)}}, to: at(5, 3), velocity: at(0, 3)},
		{name: "a point", shapes: []Shape{floor}, d: Disc{At: at(0, 5), Way: at(3, -20), Velocity: at(1, -9)}, to: at(3, 0), velocity: at(1, 0)},
		{name: "not a number", shapes: []Shape{floor}, d: Disc{At: at(0, 5), Way: at(math.NaN(), 0), Velocity: at(1, 1)}, to: at(0, 5), velocity: at(1, 1)},
	} {
		var x Index
		x.Build(tc.shapes, 2, 0)
		d := tc.d
		x.Slide(&d)
		if vec.Norm(vec.Sub(d.At, tc.to)) > 1e-7 {
			t.Errorf("%s: position: got=%v, want=%v", tc.name, d.At, tc.to)
		}
		if vec.Norm(vec.Sub(d.Velocity, tc.velocity)) > 1e-7 {
			t.Errorf("%s: velocity: got=%v, want=%v", tc.name, d.Velocity, tc.velocity)
		}
	}
}

func room(r *rand.Rand, corners int, size float64, at r2.Vec) ([]Shape, []r2.Vec) {
	ring := make([]r2.Vec, corners)
	for i := range ring {
		s, c := math.Sincos((float64(i) + 0.9*r.Float64()) / float64(corners) * 2 * math.Pi)
		ring[i] = vec.AddScaled(at, size*(0.15+r.Float64()), r2.Vec{X: c, Y: s})
	}
	var shapes []Shape
	for i := range ring {
		thick := 0.
		if r.IntN(4) == 0 {
			thick = 0.05 * r.Float64()
		}
		shapes = append(shapes, Shape{ID: uint32(i), A: ring[i], B: ring[(i+1)%corners], Radius: thick})
	}
	return shapes, ring
}

func TestSlideStaysInTheRoom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 400 {
		at := r2.Vec{}
		if k%3 == 1 {
			at = r2.Vec{X: 1e4 * r.Float64(), Y: -1e6 * r.Float64()}
		}
		shapes, ring := room(r, 4+r.IntN(9), 5, at)
		for range r.IntN(4) {
			p := vec.Add(at, r2.Vec{X: 4*r.Float64() - 2, Y: 4*r.Float64() - 2})
			s := Shape{ID: uint32(len(shapes)), A: p, B: p, Radius: r.Float64()}
			if r.IntN(2) == 0 {
				s.B, s.Radius = vec.Add(p, r2.Vec{X: 3*r.Float64() - 1, Y: 3*r.Float64() - 1}), 0
			}
			shapes = append(shapes, s)
		}
		var x Index
		x.Build(shapes, 0.1+3*r.Float64(), 0)
		body := []float64{0, 0, 1e-6, 0.01, 0.3, 1, 3}[r.IntN(7)]
		d := Disc{At: at, Radius: body}
		for step := range 60 {
			before := make([]float64, len(x.pieces))
			for i := range x.pieces {
				before[i] = x.distance(&x.pieces[i], d.At)
			}
			size := []float64{0.01, 0.1, 1, 20, 1e5, 1e120}[r.IntN(6)]
			d.Way = r2.Vec{X: size * (r.Float64() - 0.5), Y: size * (r.Float64() - 0.5)}
			if r.IntN(3) == 0 {
				d.Way = vec.Scale(4*r.Float64(), vec.Sub(ring[r.IntN(len(ring))], d.At))
			}
			d.Velocity, d.Out = d.Way, []float64{0, 0.01, 100}[r.IntN(3)]
			from := d.At
			x.Slide(&d)
			if !contains(ring, d.At) {
				t.Fatalf("room %d, step %d, body %v: from %v by %v to %v: got=outside, want=in the room", k, step, body, from, d.Way, d.At)
			}
			for i, was := range before {
				slack := 1e-10 + 1e-12*vec.Norm(d.At)
				if now := x.distance(&x.pieces[i], d.At); now < min(was, body)-slack {
					t.Fatalf("room %d, step %d, body %v: from %v by %v to %v: clearance of piece %d: got=%v, want=%v or more",
						k, step, body, from, d.Way, d.At, i, now, min(was, body))
				}
			}
			if !vec.Finite(d.At) || vec.Norm(d.Velocity) > vec.Norm(d.Way)*(1+1e-9) {
				t.Fatalf("room %d: got=%v with velocity %v, want=finite and no faster than %v", k, d.At, d.Velocity, d.Way)
			}
		}
	}
}
