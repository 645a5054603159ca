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

// Stairs lead from x = 4 on one floor to x = 104 on another.
func ExamplePortals() {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &sense.Portals{{From: r2.NewBox(4, -1, 6, 1), To: r2.NewBox(104, -1, 106, 1)}})
	agents := generic.NewMap2[c.Position, c.Velocity](&w)
	agent := agents.NewWith(&c.Position{Vec: r2.Vec{X: 2}}, &c.Velocity{Vec: r2.Vec{X: 1.25}})
	portals := &systems.Portals{}
	f := frame.New(&sense.Obstacles{}, &systems.Integration{}, portals)
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 3 {
		f.Step(&w, 1)
		position, _ := agents.Get(agent)
		fmt.Println(position.X, len(portals.List()))
	}
	// Output:
	// 3.25 0
	// 104.5 1
	// 105.75 0
}
