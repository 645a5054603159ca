package space

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// field makes m circles of radius 3 to 7, as many to an area as 1024 in a square
// of 1000.
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

// ways makes random ways through the field: a look-ahead of 20, a body of 0.5.
func ways(side float64) []Way {
	r := rand.New(rand.NewPCG(8, 8))
	out := make([]Way, 1<<14)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * r.Float64())
		out[i] = Way{From: r2.Vec{X: side * r.Float64(), Y: side * r.Float64()}, Dir: r2.Vec{X: cos, Y: sin}, Length: 20, Body: 0.5}
	}
	return out
}

func BenchmarkSweep(b *testing.B) {
	for _, m := range []int{64, 1024, 65536} {
		shapes, side := field(m)
		ways := ways(side)
		var x Index
		x.Build(shapes, 10.5, 0)
		b.Run(fmt.Sprintf("M=%d", m), func(b *testing.B) {
			hits, i := 0, 0
			for b.Loop() {
				w := &ways[i%len(ways)]
				if _, ok := x.Sweep(w.From, w.Dir, w.Length, w.Body); ok {
					hits++
				}
				i++
			}
			b.ReportMetric(100*float64(hits)/float64(i), "%hits")
		})
		b.Run(fmt.Sprintf("all/M=%d", m), func(b *testing.B) {
			var hits [128]Hit
			var sweeps Sweeps
			i := 0
			for range b.N / len(hits) {
				x.SweepAll(ways[i:i+len(hits)], hits[:], &sweeps)
				i = (i + len(hits)) % len(ways)
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, m := range []int{64, 1024, 65536, 1e6} {
		b.Run(fmt.Sprintf("M=%d", m), func(b *testing.B) {
			shapes, _ := field(m)
			var x Index
			x.Build(shapes, 10.5, 0)
			for b.Loop() {
				x.Build(shapes, 10.5, 0)
			}
		})
	}
}

// BenchmarkNearbyInAHeap asks for the ten nearest of 10,000 in one place.
func BenchmarkNearbyInAHeap(b *testing.B) {
	people := peopleIn(func(r *rand.Rand, _ int) r2.Vec { return r2.Vec{X: 1e-3 * r.Float64(), Y: 1e-3 * r.Float64()} }, rand.New(rand.NewPCG(9, 9)), 10_000)
	var x Crowd
	x.Build(rowsOf(people, 500), 4*(1+2*margin))
	var g Gatherer
	to, i := make([]NeighborHit, 10), uint32(0)
	for b.Loop() {
		x.Nearby(&g, i, 4, to)
		i = (i + 1) % 10_000
	}
}
