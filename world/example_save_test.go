//go:build !tiny

package world_test

import (
	"bytes"
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Hunger is a component of the game, and Village a resource.
type (
	Hunger  struct{ Level float64 }
	Village struct {
		Name  string
		Chief ecs.Entity
	}
)

// A small game with its own component and resource continues in a new world.
func ExampleWorld_Save() {
	config := world.Default()
	config.Dt = 0.5
	config.Saved = []any{Hunger{}, &Village{}}
	game, err := world.New(config)
	if err != nil {
		panic(err)
	}
	defer game.Close()
	villager := []any{c.Target{Vec: r2.Vec{X: 10}}, c.Limits{MaxSpeed: 1}, c.KinematicSeek{Gain: 1}, Hunger{Level: 0.3}}
	if err := game.Spawn(3, villager, nil); err != nil {
		panic(err)
	}
	chief, _ := game.Entity(2)
	ecs.AddResource(game.ECS, &Village{Name: "Oakham", Chief: chief})
	_ = game.Step()

	var file bytes.Buffer
	if err := game.Save(&file); err != nil {
		panic(err)
	}
	again, err := world.New(config)
	if err != nil {
		panic(err)
	}
	defer again.Close()
	if _, err := again.Restore(&file); err != nil {
		panic(err)
	}
	village := ecs.GetResource[Village](again.ECS)
	hunger := (*Hunger)(again.ECS.Get(village.Chief, ecs.ComponentID[Hunger](again.ECS)))
	fmt.Printf("%s at %.1f s, its chief has hunger %.1f\n", village.Name, again.Clock.Time, hunger.Level)
	_, _ = game.Step(), again.Step()
	fmt.Println("the same a step later:", game.Hash() == again.Hash())
	// Output:
	// Oakham at 0.5 s, its chief has hunger 0.3
	// the same a step later: true
}
