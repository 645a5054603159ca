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

// Magnetic is a component of the game.
type Magnetic struct{ Pull float64 } // N

// The next step applies what an ordinary query adds to Steering, together with the forces of behaviors.
func Example_ownForce() {
	w := ecs.NewWorld()
	balls := generic.NewMap4[c.Position, c.Velocity, c.Steering, Magnetic](&w)
	ball := balls.NewWith(&c.Position{}, &c.Velocity{}, &c.Steering{}, &Magnetic{Pull: 2})
	f := frame.New(&systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	magnetic := generic.NewFilter2[c.Steering, Magnetic]()
	for range 3 {
		query := magnetic.Query(&w)
		for query.Next() {
			steering, magnet := query.Get()
			steering.Vec = r2.Add(steering.Vec, r2.Vec{Y: magnet.Pull})
		}
		f.Step(&w, 1)
	}
	position, velocity, steering, _ := balls.Get(ball)
	fmt.Println(velocity.Y, "m/s,", position.Y, "m,", steering.Y, "N left")
	// Output: 6 m/s, 12 m, 0 N left
}
