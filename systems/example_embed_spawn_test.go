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

// Between two steps, the game may spawn and remove entities freely; the frame finds the new rows.
func Example_spawnAndRemove() {
	w := ecs.NewWorld()
	drops := generic.NewMap2[c.Position, c.Velocity](&w)
	falling := &c.Velocity{Vec: r2.Vec{Y: -2}}
	f := frame.New(&systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	var rain []ecs.Entity
	for range 5 {
		rain = append(rain, drops.NewWith(&c.Position{Vec: r2.Vec{Y: 5}}, falling))
		f.Step(&w, 1)
		if position, _ := drops.Get(rain[0]); position.Y < 0 {
			w.RemoveEntity(rain[0])
			rain = rain[1:]
		}
		fmt.Print(len(rain), " ")
	}
	fmt.Println("drops, rows in the last step:", f.Stats().Rows)
	// Output: 1 2 2 2 2 drops, rows in the last step: 3
}
