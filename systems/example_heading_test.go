package systems_test

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// A rate of ln 2 halves the angle in a second: here from 90 to 45 degrees.
func ExampleFacing() {
	facing := &systems.Facing{}
	heading := []c.Heading{{Vec: r2.Vec{X: 1}}}
	facing.Run(frame.BatchOf(frame.Clock{Dt: 1}, facing,
		frame.Over([]c.Velocity{{Vec: r2.Vec{Y: 3}}}),
		frame.Over([]c.Facing{{Rate: math.Ln2}}),
		frame.Over(heading),
	))
	fmt.Printf("%.3f\n", heading[0].Vec)
	// Output: {0.707 0.707}
}

// The target is 90 degrees to the left; an eighth of a turn per second brings the heading halfway
// in one second.
func ExampleTurnTowards() {
	turn := &systems.TurnTowards{}
	heading := []c.Heading{{Vec: r2.Vec{X: 1}}}
	turn.Run(frame.BatchOf(frame.Clock{Dt: 1}, turn,
		frame.Over([]c.Position{{}}),
		frame.Over([]c.Target{{Vec: r2.Vec{Y: 10}}}),
		frame.Over([]c.TurnTowards{{Rate: math.Pi / 4}}),
		frame.Over(heading),
	))
	fmt.Printf("%.3f\n", heading[0].Vec)
	// Output: {0.707 0.707}
}

// The danger is straight ahead, so the agent turns around, to the left.
func ExampleTurnAway() {
	turn := &systems.TurnAway{}
	heading := []c.Heading{{Vec: r2.Vec{X: 1}}}
	turn.Run(frame.BatchOf(frame.Clock{Dt: 1}, turn,
		frame.Over([]c.Position{{}}),
		frame.Over([]c.Flee{{From: r2.Vec{X: 10}}}),
		frame.Over([]c.TurnAway{{Rate: math.Pi / 4}}),
		frame.Over(heading),
	))
	fmt.Printf("%.3f\n", heading[0].Vec)
	// Output: {0.707 0.707}
}

// An agent with Drive moves in the direction it faces.
func ExampleDrive() {
	drive := &systems.Drive{}
	position, velocity := []c.Position{{}}, []c.Velocity{{}}
	drive.Run(frame.BatchOf(frame.Clock{Dt: 0.5}, drive,
		frame.Over([]c.Heading{{Vec: r2.Vec{Y: 1}}}),
		frame.Over([]c.Drive{{Speed: 3}}),
		frame.Over(position),
		frame.Over(velocity),
	))
	fmt.Println(position[0].Vec, "m,", velocity[0].Vec, "m/s")
	// Output: {0 1.5} m, {0 3} m/s
}
