package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// A guard stands still for no apparent reason. Diagnose finds the reasons.
func Example_embedDiagnose() {
	w := ecs.NewWorld()
	guard := w.NewEntity()
	systems.Add(&w, guard, c.Position{}, c.Velocity{}, c.Limits{MaxSpeed: 1.5}, c.Seek{Gain: 2})

	f := frame.New(&systems.Seek{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	for _, problem := range systems.Diagnose(f, &w, guard) {
		fmt.Println(problem)
	}
	// Output:
	// Seek ignores it, because it lacks components.Target
	// Limits.MaxForce is 0 N: no force has an effect
}
