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

// Rendered frames may take any amount of time, but all steps have the same length. The ball moves the same
// distance in each second of simulated time, and a frame of 3 s causes only four steps.
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
