package systems

import (
	"fmt"
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// largeCrowd is the size of a crowd whose index four workers build together.
const largeCrowd = 33_000

// TestLargeCrowdHash verifies that the hash does not depend on the number of workers that build the
// index of neighbors. For that, the cell width, and with it the order of neighbors, must depend on all
// agents, not only on the agents of one worker.
func TestLargeCrowdHash(t *testing.T) {
	const steps = 2
	var want string
	for _, workers := range []int{1, 4} {
		got, cells := largeCrowdAfter(steps, workers)
		if workers == 1 {
			want = got
		}
		testkit.Equal(t, got, want, "%d workers: hash", workers)
		if !(cells.size < cells.widest) {
			t.Errorf("%d workers: width of cells: got=%v m, want=less than %v m, or nothing is tested", workers, cells.size, cells.widest)
		}
	}
}

// cellWidths holds the cell width of the index and the maximum that the index may choose, in m.
type cellWidths struct{ size, widest float64 }

// largeCrowdAfter returns the hash of the crowd after some steps with the given number of workers, and the
// cell widths of its index.
func largeCrowdAfter(steps, workers int) (state string, cells cellWidths) {
	world, neighbors := ecs.NewWorld(largeCrowd), &sense.Neighbors{}
	s := &stage{World: &world, Give: Add, Clock: &frame.Clock{Dt: 0.05}}
	ecs.AddResource(s.World, s.Clock)
	s.Frame = frame.New(&sense.Obstacles{}, neighbors, &PreviousPosition{}, &Separation{}, &Alignment{}, &Cohesion{}, &Arrival{},
		&ORCA{Seed: 5}, &Integration{}, &ResolveOverlaps{}, &Slide{})
	s.Frame.Workers, s.Frame.ShareRows = workers, 64

	side := math.Sqrt(largeCrowd / 0.6)
	for i := range 40 {
		at := xy(side*frame.HashFloat(1, uint64(i), 0, 0), side*frame.HashFloat(1, uint64(i), 0, 1))
		s.Put(c.Position{Vec: at}, c.Obstacle{Span: xy(5, -3), Radius: 0.1 * float64(i%3)})
	}
	for id := range largeCrowd {
		s.Put(unequal(id, side)...)
	}
	s.Frame.Initialize(s.World)
	s.Steps(steps)
	cells.widest, cells.size = 8, neighbors.CellSize()
	s.Frame.Finalize(s.World)
	return fmt.Sprintf("%x", (&avoiders{stage: s}).hashed(&measure.Hash{})), cells
}

// unequal returns the components of one agent, at a random position in a square with the given side, in m:
// one third of the agents flock, and the rest avoid each other.
func unequal(id int, side float64) []any {
	draw := func(use int) float64 { return frame.HashFloat(9, uint64(id), 0, uint64(use)) }
	radius := 0.1 + float64(0.25*draw(0))
	if id%1000 == 0 {
		radius = 3 // much wider than a cell
	}
	all := []any{
		c.Agent{ID: uint64(id) + 1}, c.Position{Vec: xy(side*draw(1), side*draw(2))}, c.Velocity{Vec: vec.Scale(2, xy(draw(3)-0.5, draw(4)-0.5))},
		c.Limits{MaxSpeed: 1 + draw(5), MaxForce: 6}, c.Radius{Meters: radius}, c.Solid{Push: draw(6)},
	}
	if id%3 == 0 {
		reach := 1 + float64(3*draw(7))
		return append(all, c.Separation{Gain: 3, NeighborDist: reach / 2, FieldOfView: 5 * math.Pi / 3}, c.Alignment{Gain: 1, NeighborDist: reach}, c.Cohesion{Gain: 1, NeighborDist: reach})
	}
	return append(all, c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 4 + float64(4*draw(7)), MaxNeighbors: 6, Priority: draw(8)},
		c.Target{Vec: xy(side*draw(9), side*draw(10))}, c.Arrival{Gain: 2, SlowingRadius: 1})
}
