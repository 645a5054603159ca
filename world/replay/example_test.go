package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"gonum.org/v1/gonum/spatial/r2"
)

// Click is a player's input: it sends an agent to a place.
type Click struct {
	Agent uint64
	To    r2.Vec
}

// applyClick applies a click, in the game and in a replay.
func applyClick(w *world.World, _ string, data json.RawMessage) error {
	var click Click
	if err := json.Unmarshal(data, &click); err != nil {
		return err
	}
	e, ok := w.Entity(click.Agent)
	if !ok {
		return fmt.Errorf("there is no agent %d", click.Agent)
	}
	w.SetDestination(e, click.To)
	return nil
}

// A game records its inputs. Later, or on another machine, the recording is replayed in a world with
// the same configuration.
func Example() {
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	config := world.Default()
	game, err := world.New(config)
	check(err)
	defer game.Close()
	check(game.Spawn(3, []any{c.Target{}, c.Arrival{Gain: 2, SlowingRadius: 3}, c.Limits{MaxSpeed: 1.5, MaxForce: 9}}, nil))

	var file bytes.Buffer
	rec, err := replay.NewRecorder(&file, game, replay.Options{About: "level 3", SaveEvery: 600})
	check(err)
	for step := range 100 {
		if step == 50 { // the player clicks
			click := Click{Agent: 2, To: r2.Vec{X: 10}}
			check(rec.Input("click", click))
			e, _ := game.Entity(click.Agent)
			game.SetDestination(e, click.To)
		}
		check(rec.Step())
	}
	check(rec.Close())

	again, err := world.New(config)
	check(err)
	defer again.Close()
	recording, err := replay.Open(bytes.NewReader(file.Bytes()))
	check(err)
	check(recording.Run(context.Background(), again, applyClick))
	fmt.Println("the same,", recording.Steps(), "steps of", string(recording.About))
	// Output: the same, 100 steps of "level 3"
}

// Two recordings of a game diverge. Compare finds the step, the agent and the component.
func ExampleCompare() {
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	config := world.Default()
	record := func(to r2.Vec) *replay.Recording { // agent 2 is sent there
		game, err := world.New(config)
		check(err)
		defer game.Close()
		check(game.Spawn(3, []any{c.Target{}, c.Arrival{Gain: 2, SlowingRadius: 3}, c.Limits{MaxSpeed: 1.5, MaxForce: 9}}, nil))
		var file bytes.Buffer
		rec, err := replay.NewRecorder(&file, game, replay.Options{SaveEvery: 20})
		check(err)
		for step := range 100 {
			if step == 50 {
				click := Click{Agent: 2, To: to}
				check(rec.Input("click", click))
				e, _ := game.Entity(click.Agent)
				game.SetDestination(e, click.To)
			}
			check(rec.Step())
		}
		check(rec.Close())
		r, err := replay.Open(bytes.NewReader(file.Bytes()))
		check(err)
		return r
	}

	a, b := record(r2.Vec{X: 10}), record(r2.Vec{Y: 10})
	restore := func(_ int, state io.Reader) (*world.World, error) {
		w, err := world.New(config)
		check(err)
		_, err = w.Restore(state)
		return w, err
	}
	p, err := replay.Compare(context.Background(),
		replay.Side{Recording: a, Restore: restore, Apply: applyClick},
		replay.Side{Recording: b, Restore: restore, Apply: applyClick})
	check(err)
	if p != nil && p.Difference != nil { // p is nil if the recordings are the same
		fmt.Printf("step %d, agent %d\n", p.Step, p.Difference.Agent)
		for _, f := range p.Difference.Fields {
			fmt.Printf("%s.%s: %s and %s\n", f.Component, f.Field, f.A, f.B)
		}
	}
	// Output:
	// step 51, agent 2
	// Position.X: 0.0008333333333333334 and 0
	// Position.Y: 0 and 0.0008333333333333334
	// Target.X: 10 and 0
	// Target.Y: 0 and 10
	// Velocity.X: 0.05 and 0
	// Velocity.Y: 0 and 0.05
}
