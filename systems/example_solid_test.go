package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// An agent walks into a wall, slides along it, and stops in the corner.
func ExampleSlide() {
	w := ecs.NewWorld()
	wall := func(from, span r2.Vec) {
		systems.Add(&w, w.NewEntity(), c.Position{Vec: from}, c.Obstacle{Span: span})
	}
	wall(r2.Vec{X: -10}, r2.Vec{X: 20})
	wall(r2.Vec{X: 5, Y: -10}, r2.Vec{Y: 20})
	agent := w.NewEntity()
	systems.Add(&w, agent, c.Position{Vec: r2.Vec{Y: 3}}, c.Velocity{Vec: r2.Vec{X: 1, Y: -1.5}}, c.Radius{Meters: 0.5}, c.Solid{})

	f := frame.New(&sense.Obstacles{}, &systems.PreviousPosition{}, &systems.Integration{}, &systems.Slide{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	position, velocity := ecs.ComponentID[c.Position](&w), ecs.ComponentID[c.Velocity](&w)
	for range 6 {
		f.Step(&w, 1)
		p, v := (*c.Position)(w.Get(agent, position)), (*c.Velocity)(w.Get(agent, velocity))
		fmt.Printf("at (%.2f, %.2f), velocity (%.1f, %.1f)\n", p.X, p.Y, v.X, v.Y)
	}
	// Output:
	// at (1.00, 1.50), velocity (1.0, -1.5)
	// at (2.00, 0.50), velocity (1.0, 0.0)
	// at (3.00, 0.50), velocity (1.0, 0.0)
	// at (4.00, 0.50), velocity (1.0, 0.0)
	// at (4.50, 0.50), velocity (0.0, 0.0)
	// at (4.50, 0.50), velocity (0.0, 0.0)
}

// Two bodies overlap by a meter. In each step, each body moves by half of its half of the overlap.
func ExampleResolveOverlaps() {
	w := ecs.NewWorld()
	var bodies []ecs.Entity
	for id, x := range []float64{0, 1} {
		e := w.NewEntity()
		systems.Add(&w, e, c.Agent{ID: uint64(id)}, c.Position{Vec: r2.Vec{X: x}}, c.Radius{Meters: 1}, c.Solid{Push: 0.5})
		bodies = append(bodies, e)
	}
	f := frame.New(&sense.Neighbors{}, &systems.ResolveOverlaps{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	position := ecs.ComponentID[c.Position](&w)
	for range 3 {
		f.Update(&w)
		fmt.Println((*c.Position)(w.Get(bodies[0], position)).X, (*c.Position)(w.Get(bodies[1], position)).X)
	}
	// Output:
	// -0.25 1.25
	// -0.375 1.375
	// -0.4375 1.4375
}

// PreviousPosition keeps the position of an agent before it moved.
func ExamplePreviousPosition() {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &frame.Clock{Dt: 0.5})
	agent := w.NewEntity()
	systems.Add(&w, agent, c.Position{Vec: r2.Vec{X: 1, Y: 2}}, c.Velocity{Vec: r2.Vec{X: 4}}, c.PreviousPosition{})
	f := frame.New(&systems.PreviousPosition{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	from, at := ecs.ComponentID[c.PreviousPosition](&w), ecs.ComponentID[c.Position](&w)
	fmt.Println("from", (*c.PreviousPosition)(w.Get(agent, from)).Vec, "to", (*c.Position)(w.Get(agent, at)).Vec)
	// Output: from {1 2} to {3 2}
}
