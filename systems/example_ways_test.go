package systems_test

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// The target becomes the next waypoint as soon as the current one is within Reached.
func ExamplePathFollowing() {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &systems.Paths{{{X: 10}, {X: 10, Y: 10}}})
	agent := spawn(&w, c.Position{}, c.Path{Index: 0, Reached: 1}, c.Target{})
	f := frame.New(&systems.PathFollowing{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for _, x := range []float64{0, 8, 9} {
		get[c.Position](&w, agent).X = x
		f.Update(&w)
		fmt.Printf("from x = %v to %v\n", x, get[c.Target](&w, agent).Vec)
	}
	// Output:
	// from x = 0 to {10 0}
	// from x = 8 to {10 0}
	// from x = 9 to {10 10}
}

// A dog's target is its owner or, when the owner is gone, the owner's last position.
func ExampleFollow() {
	w := ecs.NewWorld()
	owner := spawn(&w, c.Position{Vec: r2.Vec{X: 5}})
	dog := spawn(&w, c.Follow{Entity: owner}, c.Target{})
	f := frame.New(&systems.Follow{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	f.Update(&w)
	fmt.Println(get[c.Target](&w, dog).Vec)

	get[c.Position](&w, owner).X = 7
	f.Update(&w)
	fmt.Println(get[c.Target](&w, dog).Vec)

	w.RemoveEntity(owner)
	f.Update(&w)
	fmt.Println(get[c.Target](&w, dog).Vec)
	// Output:
	// {5 0}
	// {7 0}
	// {7 0}
}

// An agent goes to a place, waits there, and continues.
func ExampleItinerary() {
	world := ecs.NewWorld()
	ecs.AddResource(&world, &systems.Itineraries{{
		{At: r2.Vec{X: 2}},
		{Kind: systems.StopIdle, Duration: 2},
		{At: r2.Vec{X: 2, Y: 9}},
	}})
	agent := spawn(&world, c.Position{}, c.Velocity{}, c.Target{}, c.Limits{MaxSpeed: 1}, c.KinematicSeek{Gain: 1},
		c.Itinerary{Reached: 0.1})
	f := frame.New(&systems.Itinerary{}, &systems.KinematicSeek{}, &systems.Integration{})
	f.Initialize(&world)
	for range 6 {
		f.Step(&world, 1)
		fmt.Println(get[c.Position](&world, agent).Vec)
	}
	// Output:
	// {1 0}
	// {2 0}
	// {2 0}
	// {2 0}
	// {2 1}
	// {2 2}
}

// The path leads past the end of a wall. From the second step on, the Target lies in that direction, at
// a distance equal to the length of the path.
func ExampleRouting() {
	w := ecs.NewWorld()
	spawn(&w, c.Position{Vec: r2.Vec{Y: -8}}, c.Obstacle{Span: r2.Vec{Y: 12}})
	agent := spawn(&w, c.Agent{ID: 7}, c.Position{Vec: r2.Vec{X: -3}}, c.Destination{Vec: r2.Vec{X: 3}}, c.Route{Clearance: 0.1}, c.Target{})
	f := frame.New(&sense.Obstacles{}, &systems.Routing{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for range 2 {
		f.Update(&w)
		points := ecs.GetResource[systems.Routes](&w).Of(7, get[c.Route](&w, agent))
		fmt.Printf("target %.2f, %d points ahead\n", get[c.Target](&w, agent).Vec, len(points))
	}
	// Output:
	// target {3.00 0.00}, 7 points ahead
	// target {2.95 8.28}, 7 points ahead
}

// Two doors lead to the same goal. An agent takes the nearer one.
func ExampleFlowFieldFollowing() {
	w := ecs.NewWorld()
	for _, y := range []float64{-20, -4, 6} { // doors are from y = -5 to -4, and from 5 to 6
		span := map[float64]float64{-20: 15, -4: 9, 6: 14}[y]
		spawn(&w, c.Position{Vec: r2.Vec{Y: y}}, c.Obstacle{Span: r2.Vec{Y: span}})
	}
	ecs.AddResource(&w, &sense.FlowFields{{Goals: []r2.Box{{Min: r2.Vec{X: 8}, Max: r2.Vec{X: 8}}}, Cell: 0.1}})
	f := frame.New(&sense.Obstacles{}, &systems.FlowFieldFollowing{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for _, y := range []float64{3, -4} {
		agent := spawn(&w, c.Position{Vec: r2.Vec{X: -2, Y: y}}, c.FlowField{}, c.Target{})
		f.Update(&w)
		to := r2.Sub(get[c.Target](&w, agent).Vec, get[c.Position](&w, agent).Vec)
		fmt.Printf("from y = %v: %.1f m, toward %.1f\n", y, r2.Norm(to), r2.Unit(to))
	}
	// Output:
	// from y = 3: 12.4 m, toward {0.7 0.7}
	// from y = -4: 11.0 m, toward {1.0 -0.0}
}

// A door opens at 3 s and closes at 5 s.
func ExampleDoors() {
	w := ecs.NewWorld()
	spawn(&w, c.Position{}, c.Obstacle{Span: r2.Vec{Y: 2}}, c.Door{Opens: 3, Closes: 5})
	obstacles := &sense.Obstacles{}
	f := frame.New(&systems.Doors{}, obstacles)
	f.Initialize(&w)
	defer f.Finalize(&w)

	for second := range 7 {
		f.Step(&w, 1)
		_, closed := obstacles.Sweep(r2.Vec{X: -1, Y: 1}, r2.Vec{X: 1}, 2, 0.1)
		fmt.Printf("%v s: closed %v\n", second, closed)
	}
	// Output:
	// 0 s: closed true
	// 1 s: closed true
	// 2 s: closed true
	// 3 s: closed false
	// 4 s: closed false
	// 5 s: closed true
	// 6 s: closed true
}

// Stairs lead from x = 4 on one floor to x = 104 on another.
func ExamplePortals() {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &sense.Portals{{From: r2.NewBox(4, -1, 6, 1), To: r2.NewBox(104, -1, 106, 1)}})
	agent := spawn(&w, c.Position{Vec: r2.Vec{X: 2}}, c.Velocity{Vec: r2.Vec{X: 1.25}})
	portals := &systems.Portals{}
	f := frame.New(&sense.Obstacles{}, &systems.Integration{}, portals)
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 3 {
		f.Step(&w, 1)
		fmt.Println(get[c.Position](&w, agent).X, len(portals.List()))
	}
	// Output:
	// 3.25 0
	// 104.5 1
	// 105.75 0
}

// A wall blocks the way. The agent goes around its nearer end.
func ExampleBoundaryFollowing() {
	w := ecs.NewWorld()
	spawn(&w, c.Position{Vec: r2.Vec{X: 5, Y: -9}}, c.Obstacle{Span: r2.Vec{Y: 12}})
	f := frame.New(&sense.Obstacles{}, &systems.BoundaryFollowing{}, &systems.KinematicSeek{}, &systems.Integration{})
	agent := spawn(&w, c.Position{}, c.Destination{Vec: r2.Vec{X: 10}}, c.BoundaryFollowing{Range: 10}, c.Radius{Meters: 0.25},
		c.Velocity{}, c.Target{}, c.Limits{MaxSpeed: 1}, c.KinematicSeek{Gain: 1})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for step := range 120 {
		f.Step(&w, 0.1)
		if step%24 == 23 {
			state := get[c.BoundaryFollowing](&w, agent).Memory.State
			fmt.Printf("at %.1f, follows the boundary: %v\n", get[c.Position](&w, agent).Vec, state == c.BoundaryFollowed)
		}
	}
	// Output:
	// at {2.2 0.5}, follows the boundary: true
	// at {3.9 2.3}, follows the boundary: true
	// at {5.7 2.8}, follows the boundary: false
	// at {7.7 1.5}, follows the boundary: false
	// at {9.7 0.2}, follows the boundary: false
}

// If the radius of the circle is half its distance, an agent steers at most 30 degrees off its course.
func ExampleWander() {
	wander := &systems.Wander{Seed: 1}
	most := 0.
	for tick := range 1000 {
		steering := make([]c.Steering, 1)
		wander.Run(frame.BatchOf(frame.Clock{Dt: 0.1, Time: 0.1 * float64(tick)}, wander,
			frame.Over([]c.Velocity{{Vec: r2.Vec{X: 1}}}),
			frame.Over([]c.Limits{{MaxSpeed: 1, MaxForce: 5}}),
			frame.Over([]c.Wander{{Gain: 1, Distance: 2, Radius: 1, Rate: 1}}),
			frame.Over(steering),
		))
		desired := r2.Add(steering[0].Vec, r2.Vec{X: 1})
		most = max(most, math.Atan2(math.Abs(desired.Y), desired.X))
	}
	fmt.Printf("%.0f degrees\n", most*180/math.Pi)
	// Output: 30 degrees
}

// A fish swims straight at the glass, and comes to rest there.
func ExampleContainment() {
	w := ecs.NewWorld()
	fish := spawn(&w, c.Position{Vec: r2.Vec{X: 0.5, Y: 0.3}}, c.Velocity{Vec: r2.Vec{X: 0.4}}, c.Limits{MaxSpeed: 0.5, MaxForce: 9},
		c.Containment{Gain: 8, Horizon: 0.5, Box: r2.Box{Max: r2.Vec{X: 1, Y: 0.6}}})
	f := frame.New(&sense.Obstacles{}, &systems.Containment{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 3 {
		for range 200 {
			f.Step(&w, 0.01)
		}
		fmt.Printf("%.3f\n", get[c.Position](&w, fish).X)
	}
	// Output:
	// 0.995
	// 1.000
	// 1.000
}

// A guard walks along a wall, at a distance of 2 m.
func ExampleWallFollowing() {
	w := ecs.NewWorld()
	spawn(&w, c.Position{}, c.Obstacle{Span: r2.Vec{X: 100}})
	guard := spawn(&w, c.Position{Vec: r2.Vec{X: 10, Y: 5}}, c.Velocity{Vec: r2.Vec{X: 1}}, c.Limits{MaxSpeed: 2, MaxForce: 9},
		c.WallFollowing{Gain: 4, Horizon: 1, Offset: 2, Range: 10})
	f := frame.New(&sense.Obstacles{}, &systems.WallFollowing{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 3 {
		for range 500 {
			f.Step(&w, 0.02)
		}
		fmt.Printf("%.1f\n", get[c.Position](&w, guard).Vec)
	}
	// Output:
	// {29.1 2.0}
	// {49.1 2.0}
	// {69.1 2.0}
}
