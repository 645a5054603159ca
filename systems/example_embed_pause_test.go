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

// A gain of 0 pauses a behavior. The agent keeps its components, so no row of the world moves.
// Without a force, the agent continues at its velocity.
func Example_pauseByGain() {
	w := ecs.NewWorld()
	dogs := generic.NewMap6[c.Position, c.Velocity, c.Target, c.Limits, c.Seek, c.Steering](&w)
	dog := dogs.NewWith(&c.Position{}, &c.Velocity{}, &c.Target{Vec: r2.Vec{X: 10}},
		&c.Limits{MaxSpeed: 4, MaxForce: 8}, &c.Seek{Gain: 1}, &c.Steering{})
	f := frame.New(&systems.Seek{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for _, gain := range []float64{1, 1, 0, 0, 0, 1} {
		position, _, _, _, seek, _ := dogs.Get(dog)
		seek.Gain = gain
		f.Step(&w, 1)
		fmt.Print(position.X, " ")
	}
	// Output: 4 8 12 16 20 16
}
