package view

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestCrowdingScale(t *testing.T) {
	for _, test := range []struct {
		name   string
		radii  []float64
		points int
		size   float64 // m, of the box
		want   crowding
	}{
		{"people", []float64{0.25, 0.25}, 0, 100, crowding{2, 2.3}},
		{"bodies of two sizes", []float64{0.5, 1.5, math.NaN(), -1}, 3, 100, crowding{8, 0.14}},
		{"points", nil, 1000, 100, crowding{math.Sqrt(100 / math.Pi), 0.4}},
		{"points without a box", nil, 7, 0, crowding{math.Sqrt(10 / math.Pi), 4}},
		{"nobody", nil, 0, 10, crowding{math.Sqrt(1000 / math.Pi), 0.04}},
	} {
		w := newWorld(t, world.Default())
		for _, r := range test.radii {
			systems.AddBound(w.Frame, w.ECS, w.ECS.NewEntity(), c.Agent{}, c.Position{}, c.Radius{Meters: r})
		}
		for range test.points {
			systems.AddBound(w.Frame, w.ECS, w.ECS.NewEntity(), c.Agent{}, c.Position{})
		}
		systems.AddBound(w.Frame, w.ECS, w.ECS.NewEntity(), c.Position{})                                      // no agent
		systems.AddBound(w.Frame, w.ECS, w.ECS.NewEntity(), c.Position{}, c.Velocity{}, c.Obstacle{Radius: 9}) // nor this
		got := crowdingOf(takeCensus(w), r2.Box{Max: r2.Vec{X: test.size, Y: test.size}})
		if math.Abs(got.Radius-test.want.Radius) > 1e-12 || math.Abs(got.Top-test.want.Top) > 1e-12 {
			t.Errorf("%s: got=%v, want=%v", test.name, got, test.want)
		}
	}
}

// TestCrowdingColors verifies what a recorder sees of who is near whom.
func TestCrowdingColors(t *testing.T) {
	w := newWorld(t, world.Default())
	for id, at := range []struct{ x, radius float64 }{{0, 0.5}, {0.75, 0.5}, {2.5, 0.5}, {90, 0.5}, {90, 0.5}, {50, 0.5}, {50.1, 0}} {
		systems.AddBound(w.Frame, w.ECS, w.ECS.NewEntity(), c.Agent{ID: uint64(id + 1)}, c.Position{Vec: r2.Vec{X: at.x}}, c.Radius{Meters: at.radius})
	}
	touching := w.ECS.NewEntity()
	systems.AddBound(w.Frame, w.ECS, touching, c.Agent{ID: 8}, c.Position{Vec: r2.Vec{X: 70}})
	sc := crowding{2, 1 / math.Pi} // so that four are the top
	rec := newRecorder(w, activitiesOf(w, nil), sc, nil)
	rec.touching = func(e ecs.Entity) (obstacles [4]ecs.Entity, n int) {
		if e == touching {
			n = 1
		}
		return obstacles, n
	}
	frame := frameOver(w, rec.near, rec)
	defer frame.Finalize(w.ECS)
	for _, wanted := range []bool{false, true} {
		rec.near.Always = wanted
		rec.to = &snapshot{}
		rec.to.grow(8)
		frame.Update(w.ECS)
		density, contact := [8]uint8{64, 128, 64, 64, 64, 64, 64, 0}, [8]uint8{128, 128, 0, 255, 255, 0, 0, 1}
		if !wanted {
			density, contact = [8]uint8{}, [8]uint8{}
		}
		for i, l := range rec.to.look {
			if l.density != density[i] || l.contact != contact[i] {
				t.Errorf("agent %d, wanted %v: got density %d and contact %d, want %d and %d", i+1, wanted, l.density, l.contact, density[i], contact[i])
			}
		}
	}
}

// TestHeap verifies that a heap of agents does not keep the view waiting.
func TestHeap(t *testing.T) {
	a := around{scale: crowding{1, 1}}
	for n := 1; ; n++ {
		if !a.meet(sense.Neighbor{ID: 1}) {
			if n != enough {
				t.Errorf("met: got=%d, want=%d", n, enough)
			}
			return
		}
	}
}

// BenchmarkCrowding makes snapshots of many people with what they need to be
// colored by density.
func BenchmarkCrowding(b *testing.B) {
	const agents = 100_000
	sim := simulationOf(b, "plaza", agents)
	sim.world.Step()
	sim.recorder.near.Always = true
	s := &snapshot{}
	for b.Loop() {
		sim.capture(s, 0, nil, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/agents, "ns/agent")
}
