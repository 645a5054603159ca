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

// The target becomes the next waypoint as soon as the current waypoint is within Reached.
func ExamplePathFollowing() {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &systems.Paths{{{X: 10}, {X: 10, Y: 10}}})
	agents := generic.NewMap3[c.Position, c.Path, c.Target](&w)
	agent := agents.NewWith(&c.Position{}, &c.Path{Index: 0, Reached: 1}, &c.Target{})
	f := frame.New(&systems.PathFollowing{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for _, x := range []float64{0, 8, 9} {
		position, _, target := agents.Get(agent)
		position.X = x
		f.Update(&w)
		fmt.Printf("from x = %v to %v\n", x, target.Vec)
	}
	// Output:
	// from x = 0 to {10 0}
	// from x = 8 to {10 0}
	// from x = 9 to {10 10}
}

// A dog's target is its owner; when the owner is gone, the target stays at the last position.
func ExampleFollow() {
	w := ecs.NewWorld()
	owners := generic.NewMap1[c.Position](&w)
	owner := owners.NewWith(&c.Position{Vec: r2.Vec{X: 5}})
	dogs := generic.NewMap2[c.Follow, c.Target](&w)
	dog := dogs.NewWith(&c.Follow{Entity: owner}, &c.Target{})
	f := frame.New(&systems.Follow{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	f.Update(&w)
	_, target := dogs.Get(dog)
	fmt.Println(target.Vec)

	owners.Get(owner).X = 7
	f.Update(&w)
	fmt.Println(target.Vec)

	w.RemoveEntity(owner)
	f.Update(&w)
	fmt.Println(target.Vec)
	// Output:
	// {5 0}
	// {7 0}
	// {7 0}
}

// An agent that walks 3 m per step arrives in the second step and is listed once.
func ExampleArrivals() {
	w := ecs.NewWorld()
	agents := generic.NewMap6[c.Position, c.Velocity, c.Target, c.Limits, c.KinematicSeek, c.Goal](&w)
	agents.NewWith(&c.Position{}, &c.Velocity{}, &c.Target{Vec: r2.Vec{X: 6}},
		&c.Limits{MaxSpeed: 3}, &c.KinematicSeek{Gain: 1}, &c.Goal{Radius: 0.5})
	arrivals := &systems.Arrivals{}
	f := frame.New(&systems.KinematicSeek{}, &systems.Integration{}, arrivals)
	f.Initialize(&w)
	defer f.Finalize(&w)

	for step := range 4 {
		f.Step(&w, 1)
		for _, a := range arrivals.List() {
			fmt.Printf("step %d: arrived at %v s\n", step+1, a.Time)
		}
	}
	// Output: step 2: arrived at 2 s
}

// An agent goes to a place, waits there, and continues.
func ExampleItinerary() {
	world := ecs.NewWorld()
	ecs.AddResource(&world, &systems.Itineraries{{
		{At: r2.Vec{X: 2}},
		{Kind: systems.StopIdle, Duration: 2},
		{At: r2.Vec{X: 2, Y: 9}},
	}})
	agent := world.NewEntity()
	systems.Add(&world, agent, c.Position{}, c.Velocity{}, c.Target{}, c.Limits{MaxSpeed: 1}, c.KinematicSeek{Gain: 1},
		c.Itinerary{Reached: 0.1})
	position := generic.NewMap1[c.Position](&world)
	f := frame.New(&systems.Itinerary{}, &systems.KinematicSeek{}, &systems.Integration{})
	f.Initialize(&world)
	for range 6 {
		f.Step(&world, 1)
		fmt.Println(position.Get(agent).X, position.Get(agent).Y)
	}
	// Output:
	// 1 0
	// 2 0
	// 2 0
	// 2 0
	// 2 1
	// 2 2
}
