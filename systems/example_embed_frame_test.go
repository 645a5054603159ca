package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// The agent gets its next target when it has arrived.
func ExampleArrivals() {
	w := ecs.NewWorld()
	clock := frame.ClockOf(&w)
	couriers := generic.NewMap6[c.Position, c.Velocity, c.Target, c.Limits, c.KinematicSeek, c.Goal](&w)
	couriers.NewWith(&c.Position{}, &c.Velocity{}, &c.Target{Vec: r2.Vec{X: 6}},
		&c.Limits{MaxSpeed: 3}, &c.KinematicSeek{Gain: 1}, &c.Goal{Radius: 0.5})

	arrivals := &systems.Arrivals{}
	f := frame.New(&systems.KinematicSeek{}, &systems.Integration{}, arrivals)
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 6 {
		f.Step(&w, 1)
		for _, a := range arrivals.List() {
			fmt.Printf("visit %d at %v s\n", a.Visit, a.Time)
			_, _, target, _, _, goal := couriers.Get(a.Entity)
			target.X, goal.Since = 0, clock.Time // home
		}
	}
	// Output:
	// visit 0 at 2 s
	// visit 1 at 4 s
}

// A guard stands still. Diagnose finds the reasons.
func Example_embedDiagnose() {
	w := ecs.NewWorld()
	guard := w.NewEntity()
	systems.Add(&w, guard, c.Position{}, c.Velocity{}, c.Limits{MaxSpeed: 1.5}, c.Seek{Gain: 2})

	f := frame.New(&systems.Seek{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	for _, problem := range systems.Diagnose(f, &w, guard) {
		fmt.Println(problem)
	}
	// Output:
	// Seek ignores the entity, which lacks components.Target
	// Limits.MaxForce is 0 N: no force affects the entity
}

// The time step can be the duration of the last rendered frame. A step of 0 s is a pause.
func Example_changeDt() {
	w := ecs.NewWorld()
	balls := generic.NewMap2[c.Position, c.Velocity](&w)
	ball := balls.NewWith(&c.Position{}, &c.Velocity{Vec: r2.Vec{X: 8}})
	f := frame.New(&systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for _, dt := range []float64{0.25, 0.5, 0, 0.25} {
		f.Step(&w, dt)
		position, _ := balls.Get(ball)
		fmt.Printf("after %v s at %v m\n", frame.ClockOf(&w).Time, position.X)
	}
	// Output:
	// after 0.25 s at 2 m
	// after 0.75 s at 6 m
	// after 0.75 s at 6 m
	// after 1 s at 8 m
}

// Rendered frames may take any amount of time, but all steps have the same length. A frame of 3 s
// causes only four steps.
func Example_fixedSteps() {
	w := ecs.NewWorld()
	balls := generic.NewMap2[c.Position, c.Velocity](&w)
	ball := balls.NewWith(&c.Position{}, &c.Velocity{Vec: r2.Vec{X: 8}})
	f := frame.New(&systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	steps := frame.Accumulator{Dt: 0.125, Most: 4}
	for _, seconds := range []float64{0.1, 0.3, 0.6, 3} {
		due := steps.Due(seconds) // since the last rendered frame
		for range due {
			f.Step(&w, steps.Dt)
		}
		position, _ := balls.Get(ball)
		fmt.Printf("%v s: %d steps, at %v m\n", seconds, due, position.X)
	}
	// Output:
	// 0.1 s: 0 steps, at 0 m
	// 0.3 s: 3 steps, at 3 m
	// 0.6 s: 4 steps, at 7 m
	// 3 s: 4 steps, at 11 m
}

// A gain of 0 pauses a behavior without moving rows of the world. Without a force, the agent continues
// at its velocity.
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

// A turret finds the two nearest enemies, and what its shots at them would hit.
func ExampleNeighbors() {
	const friend, enemy = 1 << 0, 1 << 1 // layers
	w := ecs.NewWorld()
	names := map[ecs.Entity]string{}
	put := func(name string, x, y float64, components ...any) ecs.Entity {
		e := spawn(&w, append(components, c.Position{Vec: r2.Vec{X: x, Y: y}})...)
		names[e] = name
		return e
	}
	turret := put("turret", 0, 0, c.Radius{Meters: 0.5}, c.Layers{On: friend})
	put("wall", 3, -2, c.Obstacle{Span: r2.Vec{Y: 3}})
	put("medic", 0, 4, c.Radius{Meters: 0.3}, c.Layers{On: friend})
	put("scout", 6, 0, c.Radius{Meters: 0.3}, c.Layers{On: enemy})
	put("sniper", 0, 8, c.Radius{Meters: 0.3}, c.Layers{On: enemy})
	put("tank", 90, 0, c.Radius{Meters: 2}, c.Layers{On: enemy})

	obstacles, neighbors := &sense.Obstacles{}, &sense.Neighbors{Always: true}
	f := frame.New(obstacles, neighbors)
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)

	var at r2.Vec // position of the turret
	var found [2]sense.NeighborHit
	for _, near := range found[:neighbors.Nearest(at, 50, turret, enemy, found[:])] {
		target := neighbors.At(near.Index)
		dir := r2.Unit(r2.Sub(target.Position, at))
		hit, ok := neighbors.Ray(obstacles, at, dir, 50, turret, friend|enemy)
		fmt.Printf("at the %s, %.0f m away: hits the %s at %.1f (an agent %v, %v)\n", names[target.Entity], near.Distance, names[hit.Entity], hit.Point, hit.Agent, ok)
	}
	// Output:
	// at the scout, 6 m away: hits the wall at {3.0 0.0} (an agent false, true)
	// at the sniper, 8 m away: hits the medic at {0.0 3.7} (an agent true, true)
}

// Between two steps, the game may spawn and remove entities freely.
func Example_spawnAndRemove() {
	w := ecs.NewWorld()
	drops := generic.NewMap2[c.Position, c.Velocity](&w)
	falling := &c.Velocity{Vec: r2.Vec{Y: -2}}
	f := frame.New(&systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	var rain []ecs.Entity
	for range 5 {
		rain = append(rain, drops.NewWith(&c.Position{Vec: r2.Vec{Y: 5}}, falling))
		f.Step(&w, 1)
		if position, _ := drops.Get(rain[0]); position.Y < 0 {
			w.RemoveEntity(rain[0])
			rain = rain[1:]
		}
		fmt.Print(len(rain), " ")
	}
	fmt.Println("drops, rows in the last step:", f.Stats().Rows)
	// Output: 1 2 2 2 2 drops, rows in the last step: 3
}

// A behavior whose system is not in the frame does nothing: this agent has Seek, but is not steered.
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
