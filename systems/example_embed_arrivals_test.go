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

// After each step, Arrivals lists the agents that arrived in it. The agent gets its next target and
// arrives again.
func Example_whoArrived() {
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
