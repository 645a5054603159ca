package systems

import (
	"fmt"
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// BenchmarkFlock is a whole step of a flock with 15 neighbors on average.
func BenchmarkFlock(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := ecs.NewWorld(16)
			ecs.AddResource(&w, &frame.Clock{Dt: 1. / 60})
			side := math.Sqrt(float64(n) / 0.3)
			for i := range n {
				draw := func(use uint64) float64 { return frame.HashFloat(9, uint64(i), 0, use) }
				Add(&w, w.NewEntity(), c.Agent{ID: uint64(i)}, c.Position{Vec: xy(side*draw(0), side*draw(1))},
					c.Velocity{Vec: xy(20*draw(2)-10, 20*draw(3)-10)}, c.Limits{MaxSpeed: 10, MaxForce: 5}, c.Mass{Kilograms: 1},
					c.Separation{Gain: 1, NeighborDist: 4}, c.Alignment{Gain: 1, NeighborDist: 4}, c.Cohesion{Gain: 1, NeighborDist: 4})
			}
			f := frame.New(&sense.Neighbors{}, &Separation{}, &Alignment{}, &Cohesion{}, &Integration{},
				&Bounds{Mode: BoundsWrap, Box: r2.Box{Max: xy(side, side)}})
			f.Workers = 1
			f.Initialize(&w)
			defer f.Finalize(&w)
			f.Update(&w)
			for b.Loop() {
				f.Update(&w)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/agent")
		})
	}
}
