package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// A walker on its way to the right must avoid an agent that comes from there, and has 2 N for both
// forces. In the sum, the force ahead cancels the backward part of the evasion. By priority, evasion
// gets what it needs, and the force ahead gets the rest.
func ExampleCombine() {
	for _, mode := range []systems.Combination{systems.CombineSum, systems.CombinePriority} {
		w := ecs.NewWorld()
		walker := w.NewEntity()
		systems.Add(&w, walker, c.Agent{ID: 1}, c.Position{}, c.Velocity{}, c.ForceCombination{}, c.Limits{MaxSpeed: 1.5, MaxForce: 2},
			c.Flee{From: r2.Vec{X: 4, Y: -3}, Gain: 1}, c.Seek{Gain: 2}, c.Target{Vec: r2.Vec{X: 9}})
		f := frame.New(systems.CombineForces(mode, 1,
			systems.PriorityEntry{System: &systems.Flee{}, Chance: systems.DefaultChance},
			systems.PriorityEntry{System: &systems.Seek{}, Chance: systems.DefaultChance},
		)...)
		f.Initialize(&w)
		f.Update(&w)
		steering := generic.NewMap1[c.Steering](&w)
		force := steering.Get(walker)
		fmt.Printf("(%.2f, %.2f) N\n", force.X, force.Y)
		f.Finalize(&w)
	}
	// Output:
	// (1.80, 0.90) N
	// (-0.70, 0.90) N
}
