package measure

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestEncountersInterrupt verifies that agents that are measured stop meeting.
func TestEncountersInterrupt(t *testing.T) {
	w := standingCrowd(2000)
	trips := &TripMetrics{}
	s := &AgentCollisions{TripMetrics: trips}
	f := frame.New(trips, s)
	f.Workers = 1
	f.Initialize(w)
	defer f.Finalize(w)
	trips.Begin(w)
	f.Update(w)
	clear(s.grid.near)
	f.Interrupt()
	s.run()
	for i, near := range s.grid.near {
		if near != 0 {
			t.Fatalf("body %d still looked for others", i)
		}
	}
}

// TestNewcomersInterrupt verifies that no more records of agents are opened.
func TestNewcomersInterrupt(t *testing.T) {
	w := standingCrowd(2000)
	trips := &TripMetrics{}
	f := frame.New(trips)
	f.Initialize(w)
	defer f.Finalize(w)
	f.Interrupt()
	trips.Begin(w)
	if len(trips.records) != 0 {
		t.Errorf("got=%d records, want=0", len(trips.records))
	}
}

// standingCrowd returns a world of agents that stand.
func standingCrowd(n int) *ecs.World {
	w := ecs.NewWorld(16)
	ecs.AddResource(&w, &frame.Clock{Dt: 0.1})
	for i := range n {
		testkit.Add(&w, w.NewEntity(), c.Agent{ID: uint64(i + 1)}, c.Position{Vec: r2.Vec{X: float64(i % 100), Y: float64(i / 100)}}, c.Velocity{})
	}
	return &w
}
