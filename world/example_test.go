package world_test

import (
	"context"
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// A crowd of one agent walks 30 m at 3 m/s and arrives.
func ExampleNew() {
	config := world.Default()
	config.Dt = 1
	w, err := world.New(config)
	if err != nil {
		panic(err)
	}
	defer w.Close()
	err = w.Spawn(1, []any{
		c.Target{Vec: r2.Vec{X: 30}}, c.Limits{MaxSpeed: 3}, c.KinematicSeek{Gain: 1}, c.Goal{Radius: 0.5},
	}, nil)
	if err != nil {
		panic(err)
	}
	for w.Stats().Arrived == 0 {
		if err := w.Step(); err != nil {
			panic(err)
		}
	}
	fmt.Println("arrived after", w.Stats().MeanArrivalTime, "s")
	// Output: arrived after 10 s
}

// A game has its own world, and its queries see the agents.
func ExampleAttach() {
	game := ecs.NewWorld()
	config := world.Default()
	config.Dt = 0.5
	crowd, err := world.Attach(&game, config)
	if err != nil {
		panic(err)
	}
	defer crowd.Close()

	birds := generic.NewMap2[c.Position, c.Velocity](&game)
	birds.NewWith(&c.Position{}, &c.Velocity{Vec: r2.Vec{X: 4}})
	if err := crowd.Step(); err != nil {
		panic(err)
	}
	query := generic.NewFilter1[c.Position]().Query(&game)
	for query.Next() {
		fmt.Println(query.Get().Vec)
	}
	// Output: {2 0}
}

// Three agents differ only in their position. A fourth agent is rejected because of its mass.
func ExampleWorld_Spawn() {
	w, err := world.New(world.Default())
	if err != nil {
		panic(err)
	}
	defer w.Close()
	walker := []any{c.Target{Vec: r2.Vec{X: 100}}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Arrival{Gain: 2, SlowingRadius: 3}}
	err = w.Spawn(3, walker, func(r *world.Rows) {
		for i, agent := range world.Column[c.Agent](r) {
			position := &world.Column[c.Position](r)[i]
			position.Y = 2 * float64(i)
			fmt.Println("agent", agent.ID, "at", position.Vec)
		}
	})
	fmt.Println(err)
	err = w.Spawn(1, append(walker, c.Mass{Kilograms: -70}), nil)
	fmt.Println(err)
	// Output:
	// agent 1 at {0 0}
	// agent 2 at {0 2}
	// agent 3 at {0 4}
	// <nil>
	// agent 4: mass is -70 kg, want a finite number above 0
}

// A run of a million steps is canceled when the first agent arrives.
func ExampleWorld_Run() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	config := world.Default()
	config.Dt = 1
	config.OnArrived = func(*world.World, systems.Arrived) { cancel() }
	w, err := world.New(config)
	if err != nil {
		panic(err)
	}
	defer w.Close()

	err = w.Spawn(1, []any{
		c.Target{Vec: r2.Vec{X: 9}}, c.Limits{MaxSpeed: 3}, c.KinematicSeek{Gain: 1}, c.Goal{Radius: 0.5},
	}, nil)
	if err != nil {
		panic(err)
	}
	err = w.Run(ctx, 1_000_000)
	fmt.Println(w.Stats().Steps, "steps:", err)
	// Output: 3 steps: context canceled
}
