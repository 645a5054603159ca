package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// The agent moves perpendicular to the direction of its target. The force cancels that motion and pulls the
// agent toward the target.
func ExampleSeek() {
	seek := &systems.Seek{}
	steering := make([]c.Steering, 1)
	seek.Run(frame.BatchOf(frame.Clock{Dt: 1}, seek,
		frame.Over([]c.Position{{}}),
		frame.Over([]c.Velocity{{Vec: r2.Vec{Y: 1}}}),
		frame.Over([]c.Target{{Vec: r2.Vec{X: 10}}}),
		frame.Over([]c.Limits{{MaxSpeed: 3, MaxForce: 100}}),
		frame.Over([]c.Seek{{Gain: 2}}),
		frame.Over(steering),
	))
	// Desired velocity (3, 0), minus velocity (0, 1), times the gain of 2 kg/s.
	fmt.Println(steering[0].Vec, "N")
	// Output: {6 -2} N
}

// KinematicSeek sets the velocity itself, at full speed straight to the target.
func ExampleKinematicSeek() {
	seek := &systems.KinematicSeek{}
	velocity := []c.Velocity{{Vec: r2.Vec{X: -5}}}
	seek.Run(frame.BatchOf(frame.Clock{Dt: 1}, seek,
		frame.Over([]c.Position{{}}),
		frame.Over([]c.Target{{Vec: r2.Vec{X: 30, Y: 40}}}),
		frame.Over([]c.Limits{{MaxSpeed: 5}}),
		frame.Over([]c.KinematicSeek{{Gain: 1}}),
		frame.Over(velocity),
	))
	fmt.Println(velocity[0].Vec, "m/s")
	// Output: {3 4} m/s
}

// Only the agent in the zone of effect flees.
func ExampleFlee() {
	flee := &systems.Flee{}
	steering := make([]c.Steering, 2)
	zone := c.Flee{From: r2.Vec{}, Gain: 1, Radius: 5}
	flee.Run(frame.BatchOf(frame.Clock{Dt: 1}, flee,
		frame.Over([]c.Position{{Vec: r2.Vec{X: 3}}, {Vec: r2.Vec{X: 6}}}),
		frame.Over([]c.Velocity{{Vec: r2.Vec{Y: 1}}, {Vec: r2.Vec{Y: 1}}}),
		frame.Over([]c.Limits{{MaxSpeed: 2}, {MaxSpeed: 2}}),
		frame.Over([]c.Flee{zone, zone}),
		frame.Over(steering),
	))
	fmt.Println("3 m away:", steering[0].Vec)
	fmt.Println("6 m away:", steering[1].Vec)
	// Output:
	// 3 m away: {2 -1}
	// 6 m away: {0 0}
}
