package systems

import (
	"context"
	"fmt"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// avoidingCrowd makes agents that arrive somewhere among obstacles, all in a
// square of 1 km, and the systems that move them.
func avoidingCrowd(agents, obstacles int) (*ecs.World, []any) {
	w := arrivalCrowd(1, agents)
	w.Batch().Add(ecs.All(ecs.ComponentID[c.Arrival](w)), ecs.ComponentID[c.ThreatScan](w), ecs.ComponentID[c.Avoidance](w), ecs.ComponentID[c.Threat](w))
	q := w.Query(ecs.All(ecs.ComponentID[c.ThreatScan](w)))
	for q.Next() {
		(*c.ThreatScan)(q.Get(ecs.ComponentID[c.ThreatScan](w))).LookAhead = 20
		(*c.Avoidance)(q.Get(ecs.ComponentID[c.Avoidance](w))).MaxForce = 5
	}
	for i := range uint64(obstacles) {
		d := func(use uint64) float64 { return frame.HashFloat(2, i, 0, use) }
		Add(w, w.NewEntity(), c.Position{Vec: r2.Vec{X: 1000 * d(0), Y: 1000 * d(1)}}, c.Obstacle{Radius: 3 + 4*d(2)})
	}
	index := &sense.Obstacles{}
	return w, []any{index, &Arrival{}, &ThreatScan{Obstacles: index}, &Avoidance{}, &Integration{}}
}

// benchmarkSteps measures steps of a frame with Dt 0, in which nothing moves and
// so no step is cheaper than another.
func benchmarkSteps(b *testing.B, f *frame.Frame, w *ecs.World, agents int) {
	ecs.AddResource(w, &frame.Clock{})
	f.Initialize(w)
	defer f.Finalize(w)
	for range 3 {
		f.Update(w)
	}
	b.ReportAllocs()
	for b.Loop() {
		f.Update(w)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(agents), "ns/agent")
}

// BenchmarkSmall is a step of few agents that avoid obstacles.
func BenchmarkSmall(b *testing.B) {
	for _, agents := range []int{0, 1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("agents=%d", agents), func(b *testing.B) {
			w, list := avoidingCrowd(max(agents, 1), 64)
			if agents == 0 {
				w.Batch().RemoveEntities(ecs.All(ecs.ComponentID[c.Agent](w)))
			}
			f := frame.New(list...)
			f.Workers = 1
			benchmarkSteps(b, f, w, max(agents, 1))
		})
	}
}

// BenchmarkShare is a step of some thousand agents that avoid obstacles, with
// one worker and with as many as are thought to pay.
func BenchmarkShare(b *testing.B) {
	for _, agents := range []int{2_000, 4_000, 8_000, 16_000, 100_000} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("agents=%d/workers=%d", agents, workers), func(b *testing.B) {
				w, list := avoidingCrowd(agents, 1024)
				f := frame.New(list...)
				f.Workers = workers
				benchmarkSteps(b, f, w, agents)
			})
		}
	}
}

// BenchmarkProfile is what it costs to look at a step of 100,000 agents: nothing
// when off, and less than 2 % when on.
func BenchmarkProfile(b *testing.B) {
	for _, archetypes := range []int{1, 1000} {
		for _, c := range []struct {
			name            string
			profile, labels bool
		}{
			{"off", false, false},
			{"on", true, false},
			{"labels", false, true},
			{"both", true, true},
		} {
			b.Run(fmt.Sprintf("archetypes=%d/%s", archetypes, c.name), func(b *testing.B) {
				f := frame.New(&Arrival{}, &Integration{})
				f.Workers, f.Profile = 1, c.profile
				if c.labels {
					f.SetLabels(context.Background())
				}
				benchmarkSteps(b, f, arrivalCrowd(archetypes, 100_000/archetypes), 100_000)
			})
		}
	}
}
