package space

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// field returns m circles with radii of 3 to 7 m in a square, 1024 per km², and the sides of the square in m.
func field(m int) (shapes []Shape, side float64) {
	r := rand.New(rand.NewPCG(7, 7))
	side = 1000 * math.Sqrt(float64(m)/1024)
	shapes = make([]Shape, m)
	for i := range shapes {
		at := r2.Vec{X: side * r.Float64(), Y: side * r.Float64()}
		shapes[i] = Shape{ID: uint32(i), A: at, B: at, Radius: 3 + 4*r.Float64()}
	}
	return shapes, side
}

// ways returns random ways of 20 m through the field, for bodies with a radius of 0.5 m.
func ways(side float64) []Way {
	r := rand.New(rand.NewPCG(8, 8))
	out := make([]Way, 1<<14)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * r.Float64())
		out[i] = Way{From: r2.Vec{X: side * r.Float64(), Y: side * r.Float64()}, Dir: r2.Vec{X: cos, Y: sin}, Length: 20, Body: 0.5}
	}
	return out
}

func TestEmptyIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, shapes := range [][]Shape{nil, {{Radius: -1}}} {
		ref := newReference(r, shapes, 10)
		ref.indexes = append(ref.indexes, &Index{}) // never built
		for _, d := range []float64{0, 1, 1e9, math.MaxFloat64} {
			if ref.checkSweep(t, xy(1, 2), xy(1, 0), d, 1) {
				t.Errorf("Sweep up to %v m: got=an obstacle, want=none", d)
			}
			ref.checkNear(t, xy(1, 2), xy(2, 2), d)
		}
	}
}

func TestSkipped(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	bad := []Shape{
		{A: xy(nan, 0)}, {B: xy(0, inf)}, {A: xy(1e101, 0)}, {Radius: -1e-9}, {Radius: nan}, {Radius: inf},
		{Ring: []r2.Vec{}}, {Ring: []r2.Vec{xy(0, 0), xy(1, 1)}}, {Ring: []r2.Vec{xy(0, 0), xy(1, 1), xy(0, -inf)}},
	}
	good := disc(0, 0, 1)
	var x Index
	x.Build(append(slices.Clone(bad), good), 10, 0)
	if x.Skipped() != len(bad) || x.Len() != len(bad)+1 {
		t.Errorf("skipped and length: got=%v, %v, want=%v, %v", x.Skipped(), x.Len(), len(bad), len(bad)+1)
	}
	if h, ok := x.Sweep(xy(-5, 0), xy(1, 0), 10, 0); !ok || h.Index != len(bad) || h.Distance != 4 {
		t.Errorf("sweep at the valid shape: got=%+v, %v, want=index %v at 4", h, ok, len(bad))
	}
}

func TestOddArguments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	ref := newReference(r, layouts["mixed"](r, 100), 10, 1e-9, 1e9)
	values := []float64{0, math.Copysign(0, -1), 1, -1, 1e-320, 1e99, 1e101, 1e200, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	pick := func() float64 { return values[r.IntN(len(values))] }
	for range 5000 {
		p := point(r, 1000)
		dir, length, body := direction(r), 20., 0.5
		switch r.IntN(6) {
		case 0:
			p.X = pick()
		case 1:
			p.Y = pick()
		case 2:
			length = pick()
		case 3:
			body = pick()
		case 4:
			p, length, body = xy(pick(), pick()), pick(), pick()
		case 5:
			if dir = xy(pick(), pick()); vec.Finite(dir) && dir.X*dir.X+dir.Y*dir.Y > 1 {
				// Any answer will do, because dir is not a unit vector.
				ref.indexes[0].Sweep(p, dir, pick(), pick())
				continue
			}
			length = 0
		}
		ref.checkSweep(t, p, dir, length, body)
		ref.checkNear(t, p, p, length)
	}
}

// For odd ways, one lookup is not enough.
func TestSweepAllIsSweep(t *testing.T) {
	lengths, bodies := []float64{20, 21, 300, -1, math.NaN()}, []float64{0, 11, -1, math.NaN()}
	for name, make := range layouts {
		r := rand.New(rand.NewPCG(4, 4))
		shapes := make(r, 400)
		var x Index
		x.Build(shapes, 10, 0)
		for k, n := range []int{0, 1, 63, 64, 65, 128, 200, 64, 64, 7, 7, 3, 3} {
			ways, hits := []Way{}, []Hit{}
			for range n {
				w := Way{From: place(r, shapes), Dir: direction(r), Length: 20 * r.Float64(), Body: 0.5 * r.Float64()}
				switch odd := r.IntN(400); {
				case odd < 4*k:
					w.Length = lengths[r.IntN(len(lengths))]
				case odd < 6*k:
					w.Body = bodies[r.IntN(len(bodies))]
				case odd < 7*k:
					w.From = []r2.Vec{xy(1e60, 0), xy(0, -1e60), xy(math.NaN(), 0)}[r.IntN(3)]
				case odd < 8*k:
					w.Dir.Y = math.NaN()
				}
				ways, hits = append(ways, w), append(hits, Hit{})
			}
			got := map[int]*Hit{}
			for _, h := range hits[:x.SweepAll(ways, hits, new(Sweeps))] {
				if got[h.Way] != nil {
					t.Fatalf("%v: SweepAll of %v: way %v: got=two hits, want=one", name, n, h.Way)
				}
				got[h.Way] = &h
			}
			for i, w := range ways {
				want, ok := x.Sweep(w.From, w.Dir, w.Length, w.Body)
				want.Way = i
				if ok != (got[i] != nil) || ok && *got[i] != want {
					t.Fatalf("%v: SweepAll of %v, way %v: got=%+v, want=%+v, %v", name, n, w, got[i], want, ok)
				}
			}
		}
	}
}

func TestSweepAllPanics(t *testing.T) {
	defer func() {
		want := "crowd: SweepAll: 2 ways, but room for 1 hits"
		if got := recover(); got != want {
			t.Errorf("panic: got=%v, want=%v", got, want)
		}
	}()
	new(Index).SweepAll(make([]Way, 2), make([]Hit, 1), new(Sweeps))
}

func TestListsAreFew(t *testing.T) {
	for name, make := range layouts {
		for _, reach := range []float64{0, 1e-6, 10, 1e6} {
			var x Index
			x.Build(make(rand.New(rand.NewPCG(2, 2)), 1000), reach, 0)
			if entries, slots, n := len(x.lists), len(x.start), len(x.pieces); entries > 50*n || slots > 128*n {
				t.Errorf("%v, reach %v, %v pieces: got=%v entries, %v slots, want=at most 50 and 128 for each", name, reach, n, entries, slots)
			}
		}
	}
}

func TestLookUpsAreShort(t *testing.T) {
	for _, m := range []int{64, 1024, 65536} {
		shapes, side := field(m)
		var x Index
		x.Build(shapes, 10.5, 0)
		testkit.Equal(t, len(x.levels), 1, "grids for %v circles", m)
		found := 0
		all := ways(side)
		for _, w := range all {
			found += len(x.inner(&x.levels[0], w.From))
		}
		if got := float64(found) / float64(len(all)); got > 3 {
			t.Errorf("pieces per lookup among %v circles: got=%v, want=at most 3", m, got)
		}
	}
}

// Within collects 32 obstacles at a time.
func TestManyWithin(t *testing.T) {
	shapes, side := field(1024)
	ref, most := newReference(rand.New(rand.NewPCG(1, 1)), shapes, 10), 0
	for _, w := range ways(side)[:50] {
		ref.checkNear(t, w.From, w.From, 120)
		all, _ := ref.brute.Within(w.From, 120)
		most = max(most, len(all))
	}
	if most <= 32 {
		t.Errorf("obstacles near a point: got=%d at most, want=more than 32", most)
	}
}

func FuzzSweep(f *testing.F) {
	f.Add(uint64(1), uint8(0), 0., 0., 0.5, 20., 0.5, 10.)
	f.Add(uint64(2), uint8(3), 1e7, -3e7, 3., 1e300, 0., 1e-9)
	f.Add(uint64(3), uint8(8), 5e5, 0., 0.1, 1e4, 40., math.Inf(1))
	names := slices.Sorted(maps.Keys(layouts))
	f.Fuzz(func(t *testing.T, seed uint64, kind uint8, px, py, angle, length, body, reach float64) {
		r := rand.New(rand.NewPCG(seed, 0))
		shapes := layouts[names[int(kind)%len(names)]](r, 1+r.IntN(80))
		ref := newReference(r, shapes, reach, 10)
		sin, cos := math.Sincos(angle)
		ref.checkSweep(t, xy(px, py), xy(cos, sin), length, body)
		ref.checkNear(t, xy(px, py), xy(cos, sin), length)
		p := place(r, shapes)
		ref.checkSweep(t, p, xy(cos, sin), length, body)
		ref.checkNear(t, p, xy(px, py), length)
	})
}
