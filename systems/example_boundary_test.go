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

// A wall blocks the way. The agent goes around its left end, which is nearer, and then straight on.
func ExampleBoundaryFollowing() {
	w := ecs.NewWorld()
	walls := generic.NewMap2[c.Position, c.Obstacle](&w)
	walls.NewWith(&c.Position{Vec: r2.Vec{X: 5, Y: -9}}, &c.Obstacle{Span: r2.Vec{Y: 12}})

	obstacles := &sense.Obstacles{}
	f := frame.New(obstacles, &systems.BoundaryFollowing{}, &systems.KinematicSeek{}, &systems.Integration{})
	agents := generic.NewMap4[c.Position, c.Destination, c.BoundaryFollowing, c.Radius](&w)
	agent := agents.NewWith(&c.Position{}, &c.Destination{Vec: r2.Vec{X: 10}}, &c.BoundaryFollowing{Range: 10}, &c.Radius{Meters: 0.25})
	systems.Add(&w, agent, c.Velocity{}, c.Target{}, c.Limits{MaxSpeed: 1}, c.KinematicSeek{Gain: 1})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for step := range 120 {
		f.Step(&w, 0.1)
		position, _, following, _ := agents.Get(agent)
		if step%24 == 23 {
			fmt.Printf("at %.1f, follows the boundary: %v\n", position.Vec, following.Memory.State == c.BoundaryFollowed)
		}
	}
	// Output:
	// at {2.2 0.5}, follows the boundary: true
	// at {3.9 2.3}, follows the boundary: true
	// at {5.7 2.8}, follows the boundary: false
	// at {7.7 1.5}, follows the boundary: false
	// at {9.7 0.2}, follows the boundary: false
}
