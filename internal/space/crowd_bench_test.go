package space

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

// BenchmarkShuffledBuild takes snapshots of agents whose rows are in no order of places, with
// as many neighbors as in a flock.
func BenchmarkShuffledBuild(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		r := rand.New(rand.NewPCG(3, 4))
		side := math.Sqrt(float64(n) / 0.3)
		rows := Rows{Entities: entityList(entities(n))}
		for range n {
			rows.Position = append(rows.Position, c.Position{Vec: r2.Vec{X: side * r.Float64(), Y: side * r.Float64()}})
			rows.Velocity = append(rows.Velocity, c.Velocity{Vec: r2.Vec{X: r.Float64(), Y: r.Float64()}})
		}
		for _, archetypes := range []int{1, 2} {
			all := []Rows{rows}
			if archetypes == 2 {
				half := func(lo, hi int) Rows {
					return Rows{Position: rows.Position[lo:hi], Velocity: rows.Velocity[lo:hi], Entities: rows.Entities.(entityList)[lo:hi]}
				}
				all = []Rows{half(0, n/2), half(n/2, n)}
			}
			b.Run(fmt.Sprintf("archetypes=%d/agents=%d", archetypes, n), func(b *testing.B) {
				var x Crowd
				for b.Loop() {
					x.Build(all, 4*(1+2*margin))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/agent")
			})
		}
	}
}
