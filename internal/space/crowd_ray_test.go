package space

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestRayIsBruteForce verifies that a ray finds what a loop over all agents finds, for rays of any
// length, in cells of any width, among small bodies and large ones.
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
					people[len(people)/2].radius = 0.1 // not all of them in the giant
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
		t.Errorf("%d rays hit and %d missed, want 100 of each", hits, misses)
	}
	var x Crowd
	x.Build(rowsOf(peopleIn(crowdLayouts[0].place, r, 900), 900), 1)
	for _, bad := range []r2.Vec{{X: math.NaN()}, {X: math.Inf(1)}} {
		if _, _, ok := x.Ray(bad, r2.Vec{X: 1}, 9, None, 1); ok {
			t.Errorf("a ray from %v hits", bad)
		}
		if _, _, ok := x.Ray(r2.Vec{}, bad, 9, None, 1); ok {
			t.Errorf("a ray along %v hits", bad)
		}
	}
	if n := testing.AllocsPerRun(10, func() { x.Ray(r2.Vec{X: -5, Y: 3}, r2.Vec{X: 1}, 60, 7, 1) }); n != 0 {
		t.Errorf("allocations of a ray: got=%v, want=0", n)
	}
}
