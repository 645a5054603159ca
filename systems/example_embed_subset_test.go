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

// Only two of the systems run in the game's own loop. A behavior whose system is not in the frame
// does nothing: this agent has Seek, but is not steered.
func Example_subsetOfSystems() {
	w := ecs.NewWorld()
	balls := generic.NewMap3[c.Position, c.Velocity, c.Seek](&w)
	ball := balls.NewWith(&c.Position{}, &c.Velocity{Vec: r2.Vec{X: 2}}, &c.Seek{Gain: 1})

	box := r2.Box{Max: r2.Vec{X: 5, Y: 5}}
	f := frame.New(&systems.Integration{}, &systems.Bounds{Mode: systems.BoundsBounce, Box: box})
	f.Initialize(&w)     // once
	defer f.Finalize(&w) // once
	for range 5 {        // the game's loop
		f.Step(&w, 1)
		position, _, _ := balls.Get(ball)
		fmt.Print(position.X, " ")
	}
	// Output: 2 4 5 3 1
}
