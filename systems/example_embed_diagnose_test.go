package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
)

// A guard stands still, and nothing says why. Diagnose does.
func Example_embedDiagnose() {
	w := ecs.NewWorld()
	guard := w.NewEntity()
	systems.Add(&w, guard, c.Position{}, c.Velocity{}, c.Limits{MaxSpeed: 1.5}, c.Seek{Gain: 2})

	frame := systems.NewFrame(&systems.Seek{}, &systems.Integration{})
	frame.Initialize(&w)
	defer frame.Finalize(&w)
	for _, problem := range frame.Diagnose(&w, guard) {
		fmt.Println(problem)
	}
	// Output:
	// Seek leaves it out, because it lacks components.Target
	// Limits.MaxForce is 0 N: no force has an effect
}
