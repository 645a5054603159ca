package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Stairs lead up at x = 4; the agent starts after two seconds.
func ExampleFreeSpeed() {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &systems.Zones{{Box: r2.NewBox(4, -1, 8, 1), Speed: 0.75, Up: r2.Vec{X: 1}, SpeedUp: 0.5}})
	agent := w.NewEntity()
	systems.Add(&w, agent, c.Position{Vec: r2.Vec{X: 2}}, c.Velocity{}, c.Limits{MaxForce: 100}, c.Target{Vec: r2.Vec{X: 20}},
		c.KinematicSeek{Gain: 1}, c.FreeSpeed{Speed: 2, Start: 2})
	f := frame.New(&systems.FreeSpeed{}, &systems.KinematicSeek{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	position := ecs.ComponentID[c.Position](&w)
	for range 6 {
		f.Step(&w, 1)
		fmt.Print((*c.Position)(w.Get(agent, position)).X, " ")
	}
	// Output: 2 2 4 5 6 7
}
