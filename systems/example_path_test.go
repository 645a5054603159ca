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

// A wall is between an agent and its destination. The path leads past the end of the wall. From the second
// step on, the Target lies in that direction, at a distance equal to the length of the path.
func ExampleRouting() {
	w := ecs.NewWorld()
	systems.Add(&w, w.NewEntity(), c.Position{Vec: r2.Vec{Y: -8}}, c.Obstacle{Span: r2.Vec{Y: 12}})
	agents := generic.NewMap5[c.Agent, c.Position, c.Destination, c.Route, c.Target](&w)
	agent := agents.NewWith(&c.Agent{ID: 7}, &c.Position{Vec: r2.Vec{X: -3}}, &c.Destination{Vec: r2.Vec{X: 3}}, &c.Route{Clearance: 0.1}, &c.Target{})
	f := frame.New(&sense.Obstacles{}, &systems.Routing{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for range 2 {
		f.Update(&w)
		_, _, _, route, target := agents.Get(agent)
		ways := ecs.GetResource[systems.Routes](&w)
		fmt.Printf("target %.2f, %d points ahead\n", target.Vec, len(ways.Of(7, route)))
	}
	// Output:
	// target {3.00 0.00}, 7 points ahead
	// target {2.95 8.28}, 7 points ahead
}

// Two doors in a wall lead to the same goal. An agent that follows the field takes the nearer door.
func ExampleFlowFieldFollowing() {
	w := ecs.NewWorld()
	for _, y := range []float64{-20, -4, 6} { // doors are from y = -5 to -4, and from 5 to 6
		span := map[float64]float64{-20: 15, -4: 9, 6: 14}[y]
		systems.Add(&w, w.NewEntity(), c.Position{Vec: r2.Vec{Y: y}}, c.Obstacle{Span: r2.Vec{Y: span}})
	}
	ecs.AddResource(&w, &sense.FlowFields{{Goals: []r2.Box{{Min: r2.Vec{X: 8}, Max: r2.Vec{X: 8}}}, Cell: 0.1}})
	agents := generic.NewMap3[c.Position, c.FlowField, c.Target](&w)
	f := frame.New(&sense.Obstacles{}, &systems.FlowFieldFollowing{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for _, y := range []float64{3, -4} {
		agent := agents.NewWith(&c.Position{Vec: r2.Vec{X: -2, Y: y}}, &c.FlowField{}, &c.Target{})
		f.Update(&w)
		position, _, target := agents.Get(agent)
		to := r2.Sub(target.Vec, position.Vec)
		fmt.Printf("from y = %v: %.1f m, toward %.1f\n", y, r2.Norm(to), r2.Unit(to))
	}
	// Output:
	// from y = 3: 12.4 m, toward {0.7 0.7}
	// from y = -4: 11.0 m, toward {1.0 -0.0}
}

// A swamp is on the straight line to a hut. The second field, in which each meter of swamp counts as ten
// meters, leads around the swamp.
func Example_placesToAvoid() {
	w := ecs.NewWorld()
	for _, corner := range []r2.Vec{{X: -12, Y: -12}, {X: 12, Y: 12}} {
		systems.Add(&w, w.NewEntity(), c.Position{Vec: corner}, c.Obstacle{Radius: 0.1})
	}
	hut := []r2.Box{{Min: r2.Vec{X: 10}, Max: r2.Vec{X: 10}}}
	swamp := sense.Cost{Box: r2.NewBox(-2, -3, 2, 3), Factor: 10}
	ecs.AddResource(&w, &sense.FlowFields{{Goals: hut, Cell: 0.1}, {Goals: hut, Cell: 0.1, Costs: []sense.Cost{swamp}}})
	agents := generic.NewMap3[c.Position, c.FlowField, c.Target](&w)
	f := frame.New(&sense.Obstacles{}, &systems.FlowFieldFollowing{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for field := range uint32(2) {
		agent := agents.NewWith(&c.Position{Vec: r2.Vec{X: -10, Y: 1}}, &c.FlowField{Index: field}, &c.Target{})
		f.Update(&w)
		position, _, target := agents.Get(agent)
		to := r2.Sub(target.Vec, position.Vec)
		fmt.Printf("%.1f m, toward %.1f\n", r2.Norm(to), r2.Unit(to))
	}
	// Output:
	// 20.0 m, toward {1.0 -0.0}
	// 20.8 m, toward {1.0 0.3}
}

// A door opens at 3 s and closes at 5 s.
func ExampleDoors() {
	w := ecs.NewWorld()
	clock := &frame.Clock{Dt: 1}
	ecs.AddResource(&w, clock)
	door := w.NewEntity()
	systems.Add(&w, door, c.Position{}, c.Obstacle{Span: r2.Vec{Y: 2}}, c.Door{Opens: 3, Closes: 5})
	obstacles := &sense.Obstacles{}
	f := frame.New(&systems.Doors{}, obstacles)
	f.Initialize(&w)
	defer f.Finalize(&w)

	for range 7 {
		f.Update(&w)
		_, closed := obstacles.Sweep(r2.Vec{X: -1, Y: 1}, r2.Vec{X: 1}, 2, 0.1)
		fmt.Printf("%v s: closed %v\n", clock.Time, closed)
		clock.Advance()
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
