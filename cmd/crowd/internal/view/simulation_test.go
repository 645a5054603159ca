package view

import (
	"testing"

	"github.com/8f878440/crowd/world/scene"
)

// BenchmarkCapture makes the snapshots of a million agents.
func BenchmarkCapture(b *testing.B) {
	sc, err := scene.Named("plaza")
	if err != nil {
		b.Fatal(err)
	}
	agents := 1_000_000
	if testing.Short() {
		agents = 10_000
	}
	sc.Resize(agents)
	sim, err := newSimulation(scene.Named, "plaza", sc, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer sim.close()
	sim.world.Step()
	s := &snapshot{}
	for b.Loop() {
		sim.capture(s, layerTargets, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(agents), "ns/agent")
}
