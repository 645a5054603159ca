package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// steered runs one step with a rule that uses neighbors, and prints the force on an agent at the first
// position, which has the given behavior and moves to the right. Agents at the other positions move to the
// left.
func steered(rule, behavior any, bodies ...c.Position) {
	w := ecs.NewWorld()
	var first ecs.Entity
	for i, at := range bodies {
		comps := []any{at, c.Velocity{Vec: r2.Vec{X: 1}}, c.Radius{Meters: 0.5}}
		if i == 0 {
			comps = append(comps, c.Limits{MaxSpeed: 2, MaxForce: 9}, behavior)
		} else {
			comps[1] = c.Velocity{Vec: r2.Vec{X: -1}}
		}
		e := w.NewEntity()
		if systems.Add(&w, e, comps...); i == 0 {
			first = e
		}
	}
	f := frame.New(&sense.Neighbors{}, rule.(frame.System))
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	force := (*c.Steering)(w.Get(first, ecs.ComponentID[c.Steering](&w)))
	fmt.Printf("(%.2f, %.2f) N\n", force.X, force.Y)
}

func at(x, y float64) c.Position { return c.Position{Vec: r2.Vec{X: x, Y: y}} }

// Near neighbors push the agent, and nearer ones push harder.
func ExampleSeparation() {
	rule := c.Separation{Gain: 1, NeighborDist: 4}
	steered(&systems.Separation{}, rule, at(0, 0), at(3.2, 0))
	steered(&systems.Separation{}, rule, at(0, 0), at(1, 0), at(-1, 0.5))
	steered(&systems.Separation{}, rule, at(0, 0), at(5, 0))
	// Output:
	// (-0.90, 0.00) N
	// (-0.95, -1.76) N
	// (0.00, 0.00) N
}

// Neighbors move to the left, so the agent turns around.
func ExampleAlignment() {
	steered(&systems.Alignment{}, c.Alignment{Gain: 1, NeighborDist: 4}, at(0, 0), at(3, 0), at(0, 2))
	// Output: (-2.00, 0.00) N
}

// The center of the two neighbors is at (1, 1), and the agent sees no farther than 4 m.
func ExampleCohesion() {
	steered(&systems.Cohesion{}, c.Cohesion{Gain: 1, NeighborDist: 4}, at(0, 0), at(2, 0), at(0, 2), at(9, 9))
	// Output: (0.50, 0.50) N
}

// An agent comes head-on from 10 m away: moving 1 m to the right within 5 s is enough.
func ExampleUnalignedCollisionAvoidance() {
	rule := c.UnalignedCollisionAvoidance{Gain: 1, Horizon: 8, NeighborDist: 20}
	steered(&systems.UnalignedCollisionAvoidance{}, rule, at(0, 0), at(10, 0))
	// Output: (0.00, -0.20) N
}
