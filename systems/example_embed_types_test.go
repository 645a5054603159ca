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

// Place and Motion are the types that the game already has.
type (
	Place  struct{ X, Y float64 } // m
	Motion struct{ X, Y float64 } // m/s
)

// A game's own types replace Position and Velocity in all systems of the frame.
func Example_bindOwnTypes() {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &frame.Clock{Dt: 1})
	ships := generic.NewMap5[Place, Motion, c.Target, c.Limits, c.KinematicSeek](&w)
	ship := ships.NewWith(&Place{X: 1}, &Motion{}, &c.Target{Vec: r2.Vec{X: 31, Y: 40}},
		&c.Limits{MaxSpeed: 5}, &c.KinematicSeek{Gain: 1})

	f := frame.New(&systems.KinematicSeek{}, &systems.Integration{})
	if err := frame.Bind[c.Position, Place](f); err != nil {
		fmt.Println(err)
		return
	}
	if err := frame.Bind[c.Velocity, Motion](f); err != nil {
		fmt.Println(err)
		return
	}
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)

	place, motion, _, _, _ := ships.Get(ship)
	fmt.Println(*place, *motion)
	// Output: {4 4} {3 4}
}
