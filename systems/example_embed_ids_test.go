package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

// A crowd that is attached to a world with agents continues their IDs.
func Example_idsGoOn() {
	w := ecs.NewWorld()
	systems.Add(&w, w.NewEntity(), c.Agent{ID: 41}, c.Position{}, c.Velocity{})
	crowd, err := world.Attach(&w, world.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer crowd.Close()

	own := w.NewEntity()
	systems.AddBound(crowd.Frame, &w, own, c.Agent{ID: crowd.NextID()}, c.Position{}, c.Velocity{})
	if err := crowd.SetNextID(crowd.NextID() + 1); err != nil {
		fmt.Println(err)
		return
	}
	if err := crowd.Spawn(1, nil, nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("made by hand:", crowd.ID(own))
	_, spawned := crowd.Entity(43)
	fmt.Println("agent 43 is there:", spawned)

	_, err = world.Attach(&w, world.Default())
	fmt.Println(err)
	// Output:
	// made by hand: 42
	// agent 43 is there: true
	// cannot attach: the world already has a crowd; close it first
}
