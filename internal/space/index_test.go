package space

import (
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

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

func TestSweepAllIsSweep(t *testing.T) {
	for name, make := range layouts {
		r := rand.New(rand.NewPCG(4, 4))
		shapes := make(r, 400)
		var x Index
		x.Build(shapes, 10, 0)
		for _, n := range []int{0, 1, 63, 64, 65, 128, 200} {
			ways, hits := []Way{}, []Hit{}
			for range n {
				length := []float64{20, 20, 20 * r.Float64(), 300, math.NaN()}[r.IntN(5)]
				ways = append(ways, Way{From: place(r, shapes), Dir: direction(r), Length: length, Body: 0.5 * r.Float64()})
				hits = append(hits, Hit{})
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
			r := rand.New(rand.NewPCG(2, 2))
			var x Index
			x.Build(make(r, 1000), reach, 0)
			if got, limit := len(x.lists), 50*len(x.pieces); got > limit {
				t.Errorf("%v, reach %v: entries of %v pieces: got=%v, want=at most %v", name, reach, len(x.pieces), got, limit)
			}
			if got, limit := len(x.start), 128*len(x.pieces); got > limit {
				t.Errorf("%v, reach %v: slots for %v pieces: got=%v, want=at most %v", name, reach, len(x.pieces), got, limit)
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

func TestNoAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	shapes := layouts["sizes from 1 cm to 100 m"](r, 300)
	var x Index
	x.Build(shapes, 10, 0)
	all, hits := ways(1000)[:200], make([]Hit, 200)
	n, i := 0, 0
	for _, tc := range []struct {
		name string
		f    func(w Way)
	}{
		{"Build", func(Way) { x.Build(shapes, 10, 0.1) }},
		{"Move", func(Way) { x.Move(7, &shapes[7]) }},
		{"Sweep", func(w Way) { x.Sweep(w.From, w.Dir, 20, 0.5) }},
		{"long Sweep", func(w Way) { x.Sweep(w.From, w.Dir, 200, 0.5) }},
		{"SweepAll", func(w Way) { x.SweepAll(all, hits, new(Sweeps)) }},
		{"Nearest", func(w Way) { x.Nearest(w.From, 1e3) }},
		{"Within", func(w Way) { x.Within(w.From, 100, func(int, float64) bool { n++; return true }) }},
		{"Inside", func(w Way) { x.Inside(w.From) }},
		{"Probes", func(w Way) {
			if i, ok := x.Probes(w.From, w.From, w.Dir); ok {
				x.CenterNearer(w.Dir, i)
			}
		}},
	} {
		testkit.Equal(t, testing.AllocsPerRun(20, func() { tc.f(all[i%len(all)]); i++ }), 0, "allocations of %v", tc.name)
	}
}

func TestConcurrentQueries(t *testing.T) {
	shapes, side := field(1024)
	var x Index
	x.Build(shapes, 10, 0)
	all := ways(side)[:200]
	type answer struct {
		swept, near Hit
		hit, some   bool
		within      []int
	}
	want, most, hits := make([]answer, len(all)), 0, 0
	for i, w := range all {
		a, of := &want[i], brute{&x}
		a.swept, a.hit = of.Sweep(w.From, w.Dir, w.Length, w.Body)
		a.near, a.some = of.Nearest(w.From, 50)
		a.within, _ = of.Within(w.From, 120)
		if most = max(most, len(a.within)); a.hit {
			hits++
		}
	}
	if hits < 20 || hits > len(all)-20 || most <= 32 {
		t.Fatalf("got=%d of %d ways that hit, and at most %d obstacles near one way, want=20 to %d, and more than 32", hits, len(all), most, len(all)-20)
	}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 5 * len(all) {
				i = (i + worker*len(all)/4) % len(all)
				w, got := &all[i], answer{}
				x.Within(w.From, 120, func(k int, _ float64) bool {
					got.within = append(got.within, k)
					got.swept, got.hit = x.Sweep(w.From, w.Dir, w.Length, w.Body)
					got.near, got.some = x.Nearest(w.From, 50)
					return len(got.within) <= len(shapes)
				})
				if len(got.within) > 0 && !reflect.DeepEqual(got, want[i]) || len(got.within) != len(want[i].within) {
					t.Errorf("worker %d, way %d: got=%+v, want=%+v", worker, i, got, want[i])
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestSlotsOfARectangle(t *testing.T) {
	for _, size := range [][2]int64{{60, 60}, {3600, 1}, {1, 3600}, {900, 4}, {10, 360}, {200, 18}} {
		x := Index{start: make([]uint32, 8192+2), shift: 64 - 13}
		seen := map[int]bool{}
		for column := range size[0] {
			for row := range size[1] {
				seen[x.slot(&level{}, edge+column, edge+row)] = true
			}
		}
		testkit.Equal(t, len(seen), int(size[0]*size[1]), "slots of %v cells", size)
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
