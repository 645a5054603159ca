//go:build !tiny

package systems_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
)

// saving returns the configuration for saving and restoring the small game.
func saving() world.Config {
	config := world.Default()
	config.Bind = []frame.Binding{frame.Bound[c.Position, Position](), frame.Bound[c.Velocity, Velocity]()}
	config.Saved = []any{Patience{}} // all other components of the game
	return config
}

// save writes the state of a world.
func save(w *ecs.World, to io.Writer) error {
	crowd, err := world.Attach(w, saving())
	if err != nil {
		return err
	}
	defer crowd.Close()
	return crowd.Save(to)
}

// restore makes a world from a saved state.
func restore(from io.Reader) (*ecs.World, error) {
	w := ecs.NewWorld()
	crowd, err := world.Attach(&w, saving())
	if err != nil {
		return nil, err
	}
	defer crowd.Close()
	_, err = crowd.Restore(from)
	return &w, err
}

// A game that runs its own frame attaches a crowd to save or restore. The new world continues with the
// same bits.
func Example_saveGame() {
	world := ecs.NewWorld()
	guards := generic.NewMap2[Position, Velocity](&world)
	guard := guards.NewWith(&Position{X: 20}, &Velocity{X: -1.5})
	pillars := generic.NewMap1[Position](&world)
	pillar := pillars.NewWith(&Position{X: 10, Y: -0.5})
	systems.Add(&world, guard, c.Target{}, c.Limits{MaxSpeed: 1.5, MaxForce: 9}, c.Arrival{Gain: 2, SlowingRadius: 3},
		c.ThreatScan{LookAhead: 5}, c.Avoidance{MaxForce: 3}, Patience{Distance: 2})
	systems.Add(&world, pillar, c.Obstacle{Radius: 1})
	walk := func(w *ecs.World) {
		f := frame.New(&sense.Obstacles{}, &systems.Arrival{}, &systems.ThreatScan{}, &systems.Avoidance{}, &systems.Integration{})
		check(errors.Join(frame.Bind[c.Position, Position](f), frame.Bind[c.Velocity, Velocity](f)))
		f.Initialize(w)
		defer f.Finalize(w)
		for range 400 {
			f.Step(w, 1./60)
		}
	}
	walk(&world)
	var file bytes.Buffer
	check(save(&world, &file))
	again, err := restore(&file)
	check(err)
	walk(&world)
	walk(again)

	there := generic.NewMap2[Position, Velocity](again)
	one, _ := guards.Get(guard)
	other, _ := there.Get(guard)
	check(draw("guard", other))
	fmt.Println("the same bits:", *one == *other)
	// Output:
	// guard at 0.8, 0.0
	// the same bits: true
}
