package world_test

import (
	"bytes"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

const savedAgents = 1_000_000

// million is a world of a million agents such as those of the plaza, after a few steps.
func million(b *testing.B) (world.Config, *world.World) {
	config := world.Default()
	config.Measure = true
	config.Bounds, config.Box = systems.BoundsWrap, r2.Box{Max: r2.Vec{X: 1000, Y: 1000}}
	w := made(b, config)
	agent := []any{c.Target{}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Radius{Meters: 0.2}, c.Mass{Kilograms: 1}, c.Goal{Radius: 1},
		c.Arrival{Gain: 2, SlowingRadius: 1}, c.ThreatScan{LookAhead: 5}, c.Avoidance{MaxForce: 4}}
	must(b, w.Spawn(savedAgents, agent, func(r *world.Rows) {
		target := world.Column[c.Target](r)
		for i, p := 0, world.Column[c.Position](r); i < len(p); i++ {
			p[i].Vec, target[i].Vec = point(float64(i%1000), float64(i/1000)), point(float64(i/1000), float64(i%1000))
		}
	}))
	run(b, w, 3)
	return config, w
}

// BenchmarkSave writes the state of a million agents to memory.
func BenchmarkSave(b *testing.B) {
	_, w := million(b)
	file := saveOf(b, w)
	out := bytes.NewBuffer(make([]byte, 0, len(file)))
	for b.Loop() {
		out.Reset()
		must(b, w.Save(out))
	}
	b.ReportMetric(float64(len(file))/savedAgents, "B/agent")
}

// BenchmarkRestore reads it into a world without entities.
func BenchmarkRestore(b *testing.B) {
	config, w := million(b)
	file := saveOf(b, w)
	for b.Loop() {
		b.StopTimer()
		again, err := world.New(config)
		must(b, err)
		b.StartTimer()
		restore(b, again, file)
		b.StopTimer()
		again.Close()
		b.StartTimer()
	}
}
