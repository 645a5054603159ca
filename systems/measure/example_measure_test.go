package measure_test

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

// An agent walks 3 m along one street and 4 m along the next.
func ExampleTripMetrics() {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &frame.Clock{Dt: 1})
	agents := generic.NewMap3[c.Position, c.Velocity, c.Goal](&w)
	agent := agents.NewWith(&c.Position{}, &c.Velocity{Vec: r2.Vec{X: 3}}, &c.Goal{})
	trips := &measure.TripMetrics{}
	f := frame.New(trips)
	f.Initialize(&w)
	defer f.Finalize(&w)

	trips.Begin(&w)
	position, velocity, goal := agents.Get(agent)
	position.Vec = r2.Vec{X: 3}
	f.Update(&w)
	position.Vec, velocity.Vec, goal.Visits = r2.Vec{X: 3, Y: 4}, r2.Vec{Y: 4}, 1
	f.Update(&w)

	count := trips.Count()
	fmt.Printf("%.1f times the straight line, %.0f° a second\n", count.PathRatio, count.Turning)
	// Output: 1.4 times the straight line, 90° a second
}

// Two agents run through each other within one step.
func ExampleAgentCollisions() {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &frame.Clock{Dt: 1})
	agents := generic.NewMap3[c.Position, c.Velocity, c.Radius](&w)
	a := agents.NewWith(&c.Position{}, &c.Velocity{}, &c.Radius{Meters: 0.25})
	b := agents.NewWith(&c.Position{Vec: r2.Vec{X: 10}}, &c.Velocity{}, &c.Radius{Meters: 0.25})
	trips := &measure.TripMetrics{}
	agentCollisions := &measure.AgentCollisions{TripMetrics: trips}
	f := frame.New(trips, agentCollisions)
	f.Initialize(&w)
	defer f.Finalize(&w)

	trips.Begin(&w)
	left, _, _ := agents.Get(a)
	right, _, _ := agents.Get(b)
	left.X, right.X = 10, 0
	f.Update(&w)

	count := agentCollisions.Count()
	fmt.Printf("%d collision, %.1f m deep\n", count.Collisions, count.MaxPenetration)
	// Output: 1 collision, 0.5 m deep
}

// Three agents walk in single file at 2 m/s, one meter apart, across a line that is 2 m long.
func ExampleMeasurements() {
	world := ecs.NewWorld()
	for i := range 3 {
		systems.Add(&world, world.NewEntity(), c.Position{Vec: r2.Vec{X: float64(i)}}, c.Velocity{Vec: r2.Vec{X: 2}})
	}
	trips := &measure.TripMetrics{}
	measurements := &measure.Measurements{TripMetrics: trips, Lines: []measure.MeasurementLine{{A: r2.Vec{X: 10, Y: -1}, B: r2.Vec{X: 10, Y: 1}}}}
	f := frame.New(&systems.Integration{}, trips, measurements)
	f.Initialize(&world)
	defer f.Finalize(&world)
	trips.Begin(&world)
	for range 40 {
		f.Step(&world, 0.25)
	}
	line := measurements.Line(0)
	flow, _ := line.Flow()
	fmt.Printf("%d passed at %v m/s, %v /s, %v /(m s)\n", line.Passed, line.Speed, flow, flow/2)
	// Output: 3 passed at 2 m/s, 2 /s, 1 /(m s)
}
