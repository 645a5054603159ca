package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// A whole crowd uses the game's own types.
func Example_bindOwnTypesInAWorld() {
	w := ecs.NewWorld()
	config := world.Default()
	config.Dt = 1
	config.Bind = []frame.Binding{
		frame.Bound[c.Position, Place](),
		frame.Bound[c.Velocity, Motion](),
	}
	crowd, err := world.Attach(&w, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer crowd.Close()

	ship := []any{c.Target{Vec: r2.Vec{X: 31, Y: 40}}, c.Limits{MaxSpeed: 5}, c.KinematicSeek{Gain: 1}}
	err = crowd.Spawn(2, append(ship, Motion{X: 1}), func(r *world.Rows) {
		for i, place := 0, world.Column[Place](r); i < r.Len; i++ {
			place[i].X = 1 + 6*float64(i)
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	systems.AddBound(crowd.Frame, &w, w.NewEntity(), append(ship, Place{X: 31}, Motion{})...)
	if err := crowd.Step(); err != nil {
		fmt.Println(err)
		return
	}
	for q := generic.NewFilter2[Place, Motion]().Query(&w); q.Next(); {
		place, motion := q.Get()
		fmt.Printf("at %.1f, %.1f with %.1f, %.1f\n", place.X, place.Y, motion.X, motion.Y)
	}
	// Unordered output:
	// at 4.0, 4.0 with 3.0, 4.0
	// at 9.6, 4.3 with 2.6, 4.3
	// at 31.0, 5.0 with 0.0, 5.0
}
