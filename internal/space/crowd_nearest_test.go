package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// What Nearby finds is what Order selects of what Gather finds, to the bit.
func TestNearbyIsSelection(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 6))
	for _, l := range crowdLayouts {
		t.Run(l.name, func(t *testing.T) {
			for _, cell := range []float64{0.25, 1, 4} {
				people := peopleIn(l.place, r, 600)
				for i := range 30 { // some in the same places
					people[500+i].at = people[i].at
				}
				var x Crowd
				x.Build(rowsOf(people, 200), cell)
				var g, other Gatherer
				for i := range x.Len() {
					place := uint32(i)
					radius := lookRadii[r.IntN(len(lookRadii))]
					for _, k := range []int{0, 1, 4, 10, 30} {
						got, want := make([]NeighborHit, k), make([]NeighborHit, k)
						got = got[:x.Nearby(&g, place, radius, got)]
						want = want[:x.Order(place, x.Gather(&other, place, radius, nil), want)]
						if !slices.Equal(got, want) {
							t.Fatalf("%d nearest of place %d up to %v in cells of %v: got=%v, want=%v", k, i, radius, cell, got, want)
						}
					}
				}
			}
		})
	}
}

// TestFittingCells verifies how wide cells are chosen, and that it goes by the agents
// alone.
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
		{"as told", spread(4), 8, 8, 8, 8},
		{"a heap of a third", heap, 0.5, 8, 8, 8},
		{"all in one place", func(*rand.Rand, int) r2.Vec { return r2.Vec{} }, 0.5, 8, 0.5, 0.5},
	} {
		people := peopleIn(test.place, r, 3000)
		var x, y Crowd
		x.BuildWithin(rowsOf(people, 3000), test.narrowest, test.widest)
		if got := x.Cell(); got < test.low || got > test.high {
			t.Errorf("%s: got=%v, want=%v to %v", test.name, got, test.low, test.high)
		}
		r.Shuffle(len(people), func(i, j int) { people[i], people[j] = people[j], people[i] })
		y.BuildWithin(rowsOf(people, 77), test.narrowest, test.widest)
		if !sameAgents(&x, &y) {
			t.Errorf("%s: the order of rows shows", test.name)
		}
	}
	var x Crowd
	x.BuildWithin(nil, 1, 8)
	if x.Len() != 0 || x.Cell() != 8 {
		t.Errorf("none: got=%v in cells of %v, want=0 in cells of 8", x.Len(), x.Cell())
	}
}
