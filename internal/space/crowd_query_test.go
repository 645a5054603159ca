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

func TestAround(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	some := 0
	var x Crowd
	var g, other, another Gatherer
	for _, l := range crowdLayouts {
		g.Reset()
		other.Reset()
		another.Reset()
		people := peopleIn(l.place, r, 600)
		rows := rowsOf(people, 200)
		for i := range rows {
			rows[i].Layers = nil
		}
		x.Build(rows, []float64{0.25, 1, 4}[r.IntN(3)])
		for place := range uint32(x.Len()) {
			for _, radius := range []float64{0, x.Cell() / 3, x.Cell() * 0.999, x.Cell() * 1.1} {
				parts, n := x.Around(&g, place, min(5, x.Len()-int(place)), radius)
				if len(parts) == 0 {
					continue
				}
				if k := place + 1 + r.Uint32N(uint32(n)); int(k) < x.Len() && k < place+uint32(n) {
					if again, _ := x.Around(&another, k, 1, radius); !slices.Equal(again, parts) {
						t.Fatalf("%s, place %d within %v m: got=%v, want=%v as for place %d", l.name, place, radius, parts, again, k)
					}
				}
				some++
				seen := make([]int, x.Len())
				total := 0
				for _, p := range parts {
					total += int(p.Hi - p.Lo)
					for i := p.Lo; i < p.Hi; i++ {
						seen[i]++
					}
				}
				if total > MostAround || slices.Max(seen) != 1 || seen[place] != 1 {
					t.Fatalf("%s, place %d within %v m: got=%v, want=its own place, each place once, and %d places at most", l.name, place, radius, parts, MostAround)
				}
				for _, i := range x.Gather(&other, place, radius, nil) {
					if seen[i] != 1 {
						t.Fatalf("%s, place %d within %v m: got=%v, want=with place %d", l.name, place, radius, parts, i)
					}
				}
			}
		}
	}
	if some == 0 {
		t.Error("parts: got=none, want=some")
	}
}

func TestFittingCells(t *testing.T) {
	spread := func(density float64) func(*rand.Rand, int) r2.Vec {
		side := math.Sqrt(3000 / density)
		return func(r *rand.Rand, _ int) r2.Vec { return r2.Vec{X: side * r.Float64(), Y: side * r.Float64()} }
	}
	heap := func(r *rand.Rand, i int) r2.Vec {
		if i%3 == 0 {
			return r2.Vec{X: 1, Y: 1}
		}
		return spread(0.1)(r, i)
	}
	r := rand.New(rand.NewPCG(12, 6))
	for _, test := range []struct {
		name              string
		place             func(*rand.Rand, int) r2.Vec
		narrowest, widest float64
		low, high         float64
	}{
		{"sparse", spread(0.01), 0.5, 8, 8, 8},
		{"just right", spread(0.1), 0.5, 8, 8, 8},
		{"dense", spread(4), 0.5, 8, 0.9, 1.4},
		{"no narrower", spread(4), 2, 8, 2, 2},
		{"as wide as given", spread(4), 8, 8, 8, 8},
		{"a heap of a third", heap, 0.5, 8, 8, 8},
		{"all in one place", func(*rand.Rand, int) r2.Vec { return r2.Vec{} }, 0.5, 8, 0.5, 0.5},
	} {
		people := peopleIn(test.place, r, 3000)
		var x, y Crowd
		x.BuildWithin(rowsOf(people, 3000), test.narrowest, test.widest)
		if got := x.Cell(); got < test.low || got > test.high {
			t.Errorf("%s: cell size: got=%v m, want=%v to %v m", test.name, got, test.low, test.high)
		}
		r.Shuffle(len(people), func(i, j int) { people[i], people[j] = people[j], people[i] })
		y.BuildWithin(rowsOf(people, 77), test.narrowest, test.widest)
		if !sameAgents(&x, &y) {
			t.Errorf("%s: rows in another order: got=another snapshot, want=the same", test.name)
		}
	}
	var x Crowd
	x.BuildWithin(nil, 1, 8)
	if x.Len() != 0 || x.Cell() != 8 {
		t.Errorf("none: got=%v in cells of %v, want=0 in cells of 8", x.Len(), x.Cell())
	}
}

func TestRayIsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	hits, misses := 0, 0
	check := func(t *testing.T, people []person, cell float64, place func(*rand.Rand, int) r2.Vec) {
		t.Helper()
		var x Crowd
		x.Build(rowsOf(people, 200), cell)
		for k := range 60 {
			p, self, layers := place(r, k), uint32(None), uint32(r.IntN(4))
			if k%2 == 0 {
				self = uint32(r.IntN(x.Len()))
				p = x.agents.Position(self)
			}
			dir := vec.Unit(vec.Sub(x.agents.Position(uint32(r.IntN(x.Len()))), p))
			length := lookRadii[r.IntN(len(lookRadii))]
			want, least := uint32(None), length
			for i := range uint32(x.Len()) {
				at, ok := sweepCircle(x.agents.Position(i), p, dir, length, x.agents.Radius[i])
				if ok && length >= 0 && i != self && x.agents.Seen(i, layers) && (want == None || at < least || at == least && x.before(int(i), int(want))) {
					want, least = i, at
				}
			}
			got, distance, ok := x.Ray(p, dir, length, self, layers)
			if ok != (want != None) || ok && (got != want || distance != least) {
				t.Fatalf("ray from %v along %v for %v: got=%v at %v (%v), want=%v at %v", p, dir, length, got, distance, ok, want, least)
			}
			if ok {
				hits++
			} else {
				misses++
			}
		}
	}
	for _, l := range crowdLayouts {
		t.Run(l.name, func(t *testing.T) {
			for _, cell := range []float64{0.5, 4} {
				people := peopleIn(l.place, r, 900)
				if cell == 4 {
					people[len(people)/2].radius = 0.1 // otherwise all agents are inside the giant
				}
				check(t, people, cell, l.place)
			}
		})
	}
	t.Run("large among small", func(t *testing.T) {
		place := func(r *rand.Rand, _ int) r2.Vec { return r2.Vec{X: 200 * r.Float64(), Y: 200 * r.Float64()} }
		people := peopleIn(place, r, 4000)
		for i := range people {
			if people[i].radius = 0.1; i%400 == 0 {
				people[i].radius = 9
			}
		}
		for range 5 {
			check(t, people, 2, place)
		}
	})
	if hits < 100 || misses < 100 {
		t.Errorf("rays: got=%d that hit and %d that miss, want=100 of each or more", hits, misses)
	}
	var x Crowd
	x.Build(rowsOf(peopleIn(crowdLayouts[0].place, r, 900), 900), 1)
	for _, bad := range []r2.Vec{{X: math.NaN()}, {X: math.Inf(1)}} {
		if _, _, ok := x.Ray(bad, r2.Vec{X: 1}, 9, None, 1); ok {
			t.Errorf("ray from %v: got=a hit, want=none", bad)
		}
		if _, _, ok := x.Ray(r2.Vec{}, bad, 9, None, 1); ok {
			t.Errorf("ray along %v: got=a hit, want=none", bad)
		}
	}
	testkit.NoAllocs(t, 10, func() { x.Ray(r2.Vec{X: -5, Y: 3}, r2.Vec{X: 1}, 60, 7, 1) })
}
