package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// A seeking agent takes steps of 3 m to a target at 10 m, passes it, and comes back, forever.
func ExampleFrame() {
	w := ecs.NewWorld()
	agents := generic.NewMap6[c.Position, c.Velocity, c.Target, c.Limits, c.Seek, c.Steering](&w)
	agent := agents.NewWith(&c.Position{}, &c.Velocity{}, &c.Target{Vec: r2.Vec{X: 10}},
		&c.Limits{MaxSpeed: 3, MaxForce: 6}, &c.Seek{Gain: 1}, &c.Steering{})

	f := frame.New(&systems.Seek{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 8 {
		f.Step(&w, 1)
		position, _, _, _, _, _ := agents.Get(agent)
		fmt.Print(position.X, " ")
	}
	// Output: 3 6 9 12 9 12 9 12
}

// Any type with the same memory layout can replace a component.
func ExampleBind() {
	type Place struct{ X, Y float64 }
	type Label struct{ Name string }
	f := frame.New(&systems.Integration{})
	fmt.Println(frame.Bind[c.Position, Place](f))
	fmt.Println(frame.Bind[c.Velocity, Label](f) != nil)
	// Output:
	// <nil>
	// true
}

// A system can also run without a world, over plain slices.
func ExampleBatchOf() {
	integration := &systems.Integration{}
	position := []c.Position{{}, {Vec: r2.Vec{X: 5}}}
	velocity := []c.Velocity{{Vec: r2.Vec{X: 2}}, {Vec: r2.Vec{Y: -4}}}
	batch := frame.BatchOf(frame.Clock{Dt: 0.5}, integration, frame.Over(position), frame.Over(velocity))
	integration.Run(batch)
	fmt.Println(position[0].Vec, position[1].Vec)
	// Output: {1 0} {5 -2}
}

// A draw depends only on its arguments.
func ExampleHashFloat() {
	const seed, agent, tick = 1, 42, 7
	const forSpeed, forColor = 0, 1
	speed := frame.HashFloat(seed, agent, tick, forSpeed)
	color := frame.HashFloat(seed, agent, tick, forColor)
	fmt.Println(speed == frame.HashFloat(seed, agent, tick, forSpeed))
	fmt.Println(speed == color)
	fmt.Println(0 <= speed && speed < 1)
	// Output:
	// true
	// false
	// true
}

// Crowds of the same agents have the same hash, regardless of the order in which the agents were created.
func ExampleHash() {
	sum := func(ids ...uint64) uint64 {
		w := ecs.NewWorld()
		agents := generic.NewMap2[c.Agent, c.Position](&w)
		for _, id := range ids {
			agents.NewWith(&c.Agent{ID: id}, &c.Position{Vec: r2.Vec{X: float64(id)}})
		}
		hash := &measure.Hash{}
		f := frame.New(hash)
		f.Initialize(&w)
		defer f.Finalize(&w)
		f.Update(&w)
		return hash.Sum()
	}
	fmt.Println(sum(1, 2, 3) == sum(3, 1, 2))
	fmt.Println(sum(1, 2, 3) == sum(1, 2, 4))
	// Output:
	// true
	// false
}
