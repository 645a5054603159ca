package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// BenchmarkPedestrians compares the models with ORCA, with 10,000 people at one person per 4 m², as in
// workload W5.
func BenchmarkPedestrians(b *testing.B) {
	const agents = 10_000
	side := math.Sqrt(4 * agents)
	at := func(i, use int) r2.Vec {
		return xy(side*frame.HashFloat(5, uint64(i), 0, uint64(use)), side*frame.HashFloat(5, uint64(i), 0, uint64(use+1)))
	}
	orca := pedestrianModel{"orca", func() any { return &ORCA{} }, c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 5, MaxNeighbors: 10, Priority: 1}}
	for _, m := range append(pedestrianModels(), orca) {
		b.Run(m.name, func(b *testing.B) {
			s := newStage(b, 0.01, &sense.Obstacles{}, &sense.Neighbors{}, &Seek{}, m.system(), &Integration{})
			for i := range agents {
				comps := []any{c.Agent{ID: uint64(i)}, c.Position{Vec: at(i, 0)}, c.Velocity{}, c.Radius{Meters: 0.25}, c.Target{Vec: at(i, 2)},
					c.Limits{MaxSpeed: 1.34, MaxForce: inf}, m.par}
				if m.name == orca.name {
					comps = append(comps, c.Seek{Gain: 2})
				}
				s.Put(comps...)
			}
			s.Steps(20)
			b.ReportAllocs()
			for b.Loop() {
				s.Step()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/agents, "ns/agent")
		})
	}
}
