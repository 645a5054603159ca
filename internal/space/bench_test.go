package space

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

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

func BenchmarkSweep(b *testing.B) {
	for _, m := range []int{64, 1024, 65536} {
		shapes, side := field(m)
		ways := ways(side)
		var x Index
		b.Run(fmt.Sprintf("build/M=%d", m), func(b *testing.B) {
			for b.Loop() {
				x.Build(shapes, 10.5, 0)
			}
		})
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

// Agents are as dense as in a flock.
func BenchmarkCrowdBuild(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		side, r := math.Sqrt(float64(n)/0.3), rand.New(rand.NewPCG(1, 2))
		rows := rowsOf(peopleIn(func(r *rand.Rand, _ int) r2.Vec { return point(r, side) }, r, n), n)
		var x Crowd
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				x.Build(rows, 4*(1+2*margin))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/agent")
		})
	}
}
