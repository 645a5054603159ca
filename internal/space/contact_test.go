package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func disc(x, y, radius float64) Shape { return Shape{A: xy(x, y), B: xy(x, y), Radius: radius} }

// corner is an L: a square with sides of 4 m, without its upper right quarter.
var corner = []r2.Vec{xy(0, 0), xy(4, 0), xy(4, 2), xy(2, 2), xy(2, 4), xy(0, 4)}

func about(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func nearVec(a, b r2.Vec) bool { return about(a.X, b.X, 1e-12) && about(a.Y, b.Y, 1e-12) }

func TestSweepContacts(t *testing.T) {
	wall := Shape{A: xy(0, 0), B: xy(10, 0)}
	thick := Shape{A: xy(0, 0), B: xy(10, 0), Radius: 1}
	ring := Shape{Ring: corner}
	s := math.Sqrt2 / 2
	for _, tc := range []struct {
		name         string
		shape        Shape
		p, dir       r2.Vec
		length, body float64
		want         float64 // < 0 means no hit
		contact      r2.Vec
		normal       r2.Vec
	}{
		{"circle head on", disc(75, 0, 20), xy(0, 0), xy(1, 0), 100, 0, 55, xy(55, 0), xy(-1, 0)},
		{"circle just out of reach", disc(75, 0, 20), xy(0, 0), xy(1, 0), math.Nextafter(55, 0), 0, -1, xy(0, 0), xy(0, 0)},
		{"circle just in reach", disc(75, 0, 20), xy(0, 0), xy(1, 0), 55, 0, 55, xy(55, 0), xy(-1, 0)},
		{"circle grazed", disc(10, 3, 3), xy(0, 0), xy(1, 0), 20, 0, 10, xy(10, 0), xy(0, -1)},
		{"circle missed by a hair", disc(10, 3.0000001, 3), xy(0, 0), xy(1, 0), 20, 0, -1, xy(0, 0), xy(0, 0)},
		{"in the circle", disc(1, 0, 3), xy(0, 0), xy(1, 0), 20, 0, 0, xy(-2, 0), xy(-1, 0)},
		{"at the center", disc(0, 0, 3), xy(0, 0), xy(0, 1), 20, 0, 0, xy(0, -3), xy(0, -1)},
		{"at the center, standing", disc(0, 0, 3), xy(0, 0), xy(0, 0), 20, 0, 0, xy(3, 0), xy(1, 0)},
		{"touching, standing", disc(5, 0, 3), xy(0, 0), xy(0, 0), 20, 2, 0, xy(2, 0), xy(-1, 0)},
		{"touching, on the way off", disc(5, 0, 3), xy(0, 0), xy(-1, 0), 20, 2, 0, xy(2, 0), xy(-1, 0)},
		{"point on point", disc(0, 0, 0), xy(0, 0), xy(1, 0), 20, 0, 0, xy(0, 0), xy(-1, 0)},

		{"wall, exactly the way", wall, xy(4, 3), xy(0, -1), 3, 0, 3, xy(4, 0), xy(0, 1)},
		{"along the wall", wall, xy(-5, 1), xy(1, 0), 30, 0.5, -1, xy(0, 0), xy(0, 0)},
		{"along the wall, touching", wall, xy(2, 1), xy(1, 0), 30, 1, 0, xy(2, 0), xy(0, 1)},
		{"end on", wall, xy(-5, 0), xy(1, 0), 30, 1, 4, xy(0, 0), xy(-1, 0)},
		{"end on, a point", wall, xy(-5, 0), xy(1, 0), 30, 0, 5, xy(0, 0), xy(-1, 0)},
		{"through the end, a point", wall, xy(0, 3), xy(0, -1), 30, 0, 3, xy(0, 0), xy(0, 1)},
		{"past the end", wall, xy(-0.001, 3), xy(0, -1), 30, 0, -1, xy(0, 0), xy(0, 0)},
		{"on the wall's line, against it", wall, xy(4, 0), xy(0.6, -0.8), 20, 0, 0, xy(4, 0), xy(0, 1)},
		{"on the wall's line, from the other side", wall, xy(4, 0), xy(0.6, 0.8), 20, 0, 0, xy(4, 0), xy(0, -1)},
		{"on the wall's line, along it", wall, xy(4, 0), xy(1, 0), 20, 0, 0, xy(4, 0), xy(0, 1)},
		{"on the wall's line, standing", thick, xy(4, 0), xy(0, 0), 20, 0, 0, xy(4, 1), xy(0, 1)},
		{"in the thick wall, on the way in", thick, xy(4, 0.5), xy(0, -1), 20, 0, 0, xy(4, 1), xy(0, 1)},

		{"standing inside", ring, xy(0.5, 2), xy(0, 0), 20, 0, 0, xy(0, 2), xy(-1, 0)},
		{"inside, deep in a step", ring, xy(1.9, 1), xy(1, 0), 0.1, 0, 0, xy(1.9, 0), xy(0, -1)},
		{"inside, at the inner corner", ring, xy(1.5, 1.5), xy(0, 1), 20, 0, 0, xy(2, 2), xy(s, s)},
		{"on its outline", ring, xy(0, 1), xy(1, 0), 20, 0, 0, xy(0, 1), xy(-1, 0)},
		{"inside, thick outline", Shape{Ring: corner, Radius: 1}, xy(0.5, 2), xy(0, 0), 20, 0, 0, xy(-1, 2), xy(-1, 0)},
	} {
		shapes := []Shape{tc.shape}
		if tc.shape.Ring != nil {
			other := tc.shape
			other.Ring = slices.Clone(other.Ring)
			slices.Reverse(other.Ring)
			repeated := tc.shape
			repeated.Ring = append(slices.Clone(corner), corner[5], corner[5], corner[0])
			shapes = append(shapes, other, repeated)
		}
		for _, offset := range []r2.Vec{{}, {X: 1 << 24, Y: -1 << 25}} {
			for _, shape := range shapes {
				shape.A, shape.B = vec.Add(shape.A, offset), vec.Add(shape.B, offset)
				shape.Ring = slices.Clone(shape.Ring)
				for i := range shape.Ring {
					shape.Ring[i] = vec.Add(shape.Ring[i], offset)
				}
				var x Index
				x.Build([]Shape{shape}, 20, 0)
				p := vec.Add(tc.p, offset)
				got, ok := x.Sweep(p, tc.dir, tc.length, tc.body)
				if !ok {
					got.Distance = -1
				}
				if exact := offset == (r2.Vec{}); !about(got.Distance, tc.want, 1e-7) || exact && !about(got.Distance, tc.want, 1e-14) {
					t.Errorf("%v: distance: got=%v, want=%v", tc.name, got.Distance, tc.want)
				} else if exact && ok && !(nearVec(got.Contact, tc.contact) && nearVec(got.Normal, tc.normal)) {
					t.Errorf("%v: contact and normal: got=%v, %v, want=%v, %v", tc.name, got.Contact, got.Normal, tc.contact, tc.normal)
				}
			}
		}
	}
}

func TestContains(t *testing.T) {
	for _, tc := range []struct {
		p       r2.Vec
		in      bool
		surface float64 // signed
	}{
		{xy(1, 1), true, -1}, {xy(3, 3), false, 1}, {xy(2.5, 3), false, 0.5}, {xy(3, 1.5), true, -0.5},
		{xy(4, 1), true, 0}, {xy(2, 2), true, 0}, {xy(0, 0), true, 0}, {xy(1, 4), true, 0}, {xy(3, 2), true, 0},
		{xy(5, 2), false, 1}, {xy(-1, 4), false, 1}, {xy(-1, 0), false, 1}, {xy(5, 0), false, 1}, {xy(3, 4), false, 1},
	} {
		reversed := slices.Clone(corner)
		slices.Reverse(reversed)
		for _, ring := range [][]r2.Vec{corner, reversed} {
			testkit.Equal(t, contains(ring, tc.p), tc.in, "contains(%v)", tc.p)
			var x Index
			x.Build([]Shape{{Ring: ring}}, 1, 0)
			if got, ok := x.Nearest(tc.p, 100); !ok || got.Distance != tc.surface {
				t.Errorf("Nearest(%v): got=%v, want=%v", tc.p, got.Distance, tc.surface)
			}
			if _, got := x.Inside(tc.p); got != (tc.surface < 0) {
				t.Errorf("Inside(%v): got=%v, want=%v", tc.p, got, tc.surface < 0)
			}
		}
	}
}

func TestSweepStopsAtTheSurface(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	hits := 0
	for range 20000 {
		x := &Index{}
		x.Build([]Shape{shape(r, point(r, 20), 5)}, 10, 0)
		p, body, length := point(r, 40), r.Float64(), 30.
		sin, cos := math.Sincos(r.Float64() * 2 * math.Pi)
		dir := xy(cos, sin)
		start, _ := x.Nearest(p, 1e6)
		h, ok := x.Sweep(p, dir, length, body)
		end := length
		if ok {
			hits++
			end = h.Distance
			center := vec.AddScaled(p, end, dir)
			at, _ := x.Nearest(center, 1e6)
			touched, _ := x.Nearest(h.Contact, 1e6)
			if start.Distance > body && !(about(at.Distance, body, 1e-9) && about(touched.Distance, 0, 1e-9) &&
				vec.Norm(vec.Sub(vec.AddScaled(h.Contact, body, h.Normal), center)) <= 1e-9) {
				t.Fatalf("%+v hit by a disc at %v: got=%+v, %v and %v from the surface, want=0 and %v, along the normal",
					x.Shape(0), center, h, touched.Distance, at.Distance, body)
			}
			if !about(vec.Norm(h.Normal), 1, 1e-12) {
				t.Fatalf("length of normal: got=%v, want=1", vec.Norm(h.Normal))
			}
			if start.Distance > body && vec.Dot(h.Normal, dir) > 1e-6 {
				t.Fatalf("normal %v at a disc on its way along %v: got=along, want=against", h.Normal, dir)
			}
			if start.Distance <= body && h.Distance != 0 {
				t.Fatalf("distance while touching: got=%v, want=0", h.Distance)
			}
		}
		for k := range 50 {
			q := vec.AddScaled(p, end*float64(k)/50, dir)
			if at, _ := x.Nearest(q, 1e6); h.Distance > 0 && at.Distance < body-1e-9 || !ok && at.Distance < body-1e-9 {
				t.Fatalf("clearance before the contact of %+v: got=%v, want=%v or more", x.Shape(0), at.Distance, body)
			}
		}
	}
	if hits < 1000 {
		t.Errorf("hits: got=%v, want=1000 or more", hits)
	}
}

func TestWallsAreWatertight(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 300 {
		offset := vec.Scale(math.Pow(10, 8*r.Float64()), point(r, 1))
		corners := ring(r, offset, 10)
		var shapes []Shape
		for i, c := range corners {
			if next := corners[(i+1)%len(corners)]; c != next {
				shapes = append(shapes, Shape{ID: uint32(i), A: c, B: next})
			}
		}
		var x Index
		x.Build(shapes, 5, 0)
		for _, c := range corners {
			dir := vec.Unit(vec.Sub(c, offset))
			if _, ok := x.Sweep(offset, dir, 100, 0); !ok {
				t.Fatalf("from %v to the corner %v: got=no hit, want=hit", offset, c)
			}
		}
	}
}
