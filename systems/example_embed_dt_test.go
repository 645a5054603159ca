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

// The step may be as long as the last picture took. The game owns the clock: it
// sets Dt before a step, and calls Advance after it.
func Example_changeDt() {
	w := ecs.NewWorld()
	clock := &frame.Clock{}
	ecs.AddResource(&w, clock)
	balls := generic.NewMap2[c.Position, c.Velocity](&w)
	ball := balls.NewWith(&c.Position{}, &c.Velocity{Vec: r2.Vec{X: 8}})
	f := frame.New(&systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	for _, dt := range []float64{0.25, 0.5, 0, 0.25} {
		clock.Dt = dt
		f.Update(&w)
		clock.Advance()
		position, _ := balls.Get(ball)
		fmt.Printf("after %v s at %v m\n", clock.Time, position.X)
	}
	// Output:
	// after 0.25 s at 2 m
	// after 0.75 s at 6 m
	// after 0.75 s at 6 m
	// after 1 s at 8 m
}
