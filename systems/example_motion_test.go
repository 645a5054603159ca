package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// A force of 10 N is truncated to 4 N, which accelerates 2 kg by 2 m/s².
func ExampleIntegration() {
	integration := &systems.Integration{}
	position, velocity := []c.Position{{}}, []c.Velocity{{}}
	steering := []c.Steering{{Vec: r2.Vec{X: 10}}}
	integration.Run(frame.BatchOf(frame.Clock{Dt: 0.5}, integration,
		frame.Over(position),
		frame.Over(velocity),
		frame.Over(steering),
		frame.Over([]c.Limits{{MaxSpeed: 3, MaxForce: 4}}),
		frame.Over([]c.Mass{{Kilograms: 2}}),
	))
	fmt.Println(velocity[0].Vec, "m/s") // the velocity first
	fmt.Println(position[0].Vec, "m")   // then the position, with the new velocity
	fmt.Println(steering[0].Vec, "N")   // the force is used up
	// Output:
	// {1 0} m/s
	// {0.5 0} m
	// {0 0} N
}

// An agent has left a box of 10 m by 10 m; each line shows one mode.
func ExampleBounds() {
	for _, mode := range []systems.BoundsMode{
		systems.BoundsNone, systems.BoundsBounce, systems.BoundsFaithful, systems.BoundsWrap, systems.BoundsClamp,
	} {
		bounds := &systems.Bounds{Mode: mode, Box: r2.Box{Max: r2.Vec{X: 10, Y: 10}}}
		position, velocity := []c.Position{{Vec: r2.Vec{X: 12, Y: 5}}}, []c.Velocity{{Vec: r2.Vec{X: 3}}}
		bounds.Run(frame.BatchOf(frame.Clock{Dt: 1}, bounds, frame.Over(position), frame.Over(velocity)))
		fmt.Printf("x = %2v m, %2v m/s\n", position[0].X, velocity[0].X)
	}
	// Output:
	// x = 12 m,  3 m/s
	// x = 10 m, -3 m/s
	// x = 12 m, -3 m/s
	// x =  2 m,  3 m/s
	// x = 10 m,  0 m/s
}
