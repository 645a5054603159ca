package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Within the slowing radius of 8 m, the desired speed falls with the distance.
func ExampleArrival() {
	arrival := &systems.Arrival{}
	limits, par := c.Limits{MaxSpeed: 2}, c.Arrival{Gain: 1, SlowingRadius: 8}
	moving := c.Velocity{Vec: r2.Vec{X: 2}}
	steering := make([]c.Steering, 3)
	arrival.Run(frame.BatchOf(frame.Clock{Dt: 1}, arrival,
		frame.Over([]c.Position{{}, {}, {}}),
		frame.Over([]c.Velocity{moving, moving, moving}),
		frame.Over([]c.Target{{Vec: r2.Vec{X: 10}}, {Vec: r2.Vec{X: 4}}, {}}),
		frame.Over([]c.Limits{limits, limits, limits}),
		frame.Over([]c.Arrival{par, par, par}),
		frame.Over(steering),
	))
	fmt.Println("10 m away:", steering[0].X, "N")
	fmt.Println(" 4 m away:", steering[1].X, "N") // desired speed 1 m/s, speed 2 m/s
	fmt.Println(" 0 m away:", steering[2].X, "N")
	// Output:
	// 10 m away: 0 N
	//  4 m away: -1 N
	//  0 m away: -2 N
}

// Far from the target, the agent gains speed; within the slowing radius, a force opposes it.
func ExampleOpposingArrival() {
	arrival := &systems.OpposingArrival{}
	par := c.OpposingArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1}
	velocity := []c.Velocity{{Vec: r2.Vec{X: 2}}, {Vec: r2.Vec{X: 2}}}
	arrival.Run(frame.BatchOf(frame.Clock{Dt: 0.5}, arrival,
		frame.Over([]c.Position{{}, {}}),
		frame.Over([]c.Target{{Vec: r2.Vec{X: 10}}, {Vec: r2.Vec{X: 1}}}),
		frame.Over([]c.OpposingArrival{par, par}),
		frame.Over(velocity),
	))
	fmt.Println("10 m away:", velocity[0].X, "m/s") // 2 + 2·dt
	fmt.Println(" 1 m away:", velocity[1].X, "m/s") // 2 - 2·(1/2)·dt
	// Output:
	// 10 m away: 3 m/s
	//  1 m away: 1.5 m/s
}

// Far from the target, the agent gains speed; within the slowing radius, its speed is damped.
func ExampleDampedArrival() {
	arrival := &systems.DampedArrival{}
	par := c.DampedArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1}
	velocity := []c.Velocity{{Vec: r2.Vec{X: 2}}, {Vec: r2.Vec{X: 2}}}
	arrival.Run(frame.BatchOf(frame.Clock{Dt: 0.25}, arrival,
		frame.Over([]c.Position{{}, {}}),
		frame.Over([]c.Target{{Vec: r2.Vec{X: 10}}, {Vec: r2.Vec{X: 1}}}),
		frame.Over([]c.DampedArrival{par, par}),
		frame.Over(velocity),
	))
	fmt.Println("10 m away:", velocity[0].X, "m/s") // 2 + 2·dt
	fmt.Println(" 1 m away:", velocity[1].X, "m/s") // 2 + (-2 - 2)·dt
	// Output:
	// 10 m away: 2.5 m/s
	//  1 m away: 1 m/s
}

// The speed of agents with Drive falls from TopSpeed at 80 m to zero at 20 m.
func ExampleSmoothArrival() {
	arrival := &systems.SmoothArrival{}
	par := c.SmoothArrival{Gain: 1, Min: 20, Max: 80}
	drive := []c.Drive{{TopSpeed: 32}, {TopSpeed: 32}, {TopSpeed: 32}}
	arrival.Run(frame.BatchOf(frame.Clock{Dt: 1}, arrival,
		frame.Over([]c.Position{{}, {}, {}}),
		frame.Over([]c.Target{{Vec: r2.Vec{X: 100}}, {Vec: r2.Vec{X: 50}}, {Vec: r2.Vec{X: 35}}}),
		frame.Over([]c.SmoothArrival{par, par, par}),
		frame.Over(drive),
	))
	fmt.Println("100 m away:", drive[0].Speed, "m/s")
	fmt.Println(" 50 m away:", drive[1].Speed, "m/s") // s = 1/2
	fmt.Println(" 35 m away:", drive[2].Speed, "m/s") // s = 1/4, s²(3 - 2s) = 5/32
	// Output:
	// 100 m away: 32 m/s
	//  50 m away: 16 m/s
	//  35 m away: 5 m/s
}
