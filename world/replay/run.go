package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

// Apply does to a world what an input says.
type Apply func(w *world.World, name string, data json.RawMessage) error

// Diverged is the error of a replay that gave another hash than the recording.
type Diverged struct {
	Step      int    // the first one that did; 0: before the first
	Want, Got uint64 // the hash of the recording, and of the replay
}

// Error says where.
func (d *Diverged) Error() string {
	if d.Step == 0 {
		return fmt.Sprintf("the world is not the recorded one before the first step: its hash is %016x, and was %016x", d.Got, d.Want)
	}
	return fmt.Sprintf("step %d differs: the hash is %016x, and was %016x", d.Step, d.Got, d.Want)
}

// Run runs all steps again. A world without entities gets the state from the beginning of the
// recording; one with entities must be as it was then. The configuration must be the same but for Workers and BatchRows,
// and sources must be added again, before or after. Apply is called for each input, before its step; nil: there must be none.
//
// The error is a *Diverged after the first step whose hash is another one, with the world as it then is; or
// that of Apply or of the context, which ends the run between two steps.
func (r *Recording) Run(ctx context.Context, w *world.World, apply Apply) error {
	if err := r.begin(w); err != nil {
		return err
	}
	return r.RunOn(ctx, w, 0, r.Steps(), apply)
}

// begin brings a world to where the recording begins.
func (r *Recording) begin(w *world.World) error {
	if empty(w) {
		_, state, err := r.State(0)
		if err != nil {
			return err
		}
		if _, err := w.Restore(state); err != nil {
			return err
		}
	}
	return r.check(w, 0)
}

// RunOn is Run from after a step, where the world is already, to another one.
func (r *Recording) RunOn(ctx context.Context, w *world.World, from, to int, apply Apply) error {
	if from < 0 || to > r.Steps() {
		return fmt.Errorf("steps from %d to %d, want 0 to %d", from, to, r.Steps())
	}
	for step := from + 1; step <= to; step++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.Apply(w, step, apply); err != nil {
			return err
		}
		if err := w.Step(); errors.Is(err, world.ErrInterrupted) {
			return err
		} // any other is that of a step that was done, as when it was recorded
		if err := r.check(w, step); err != nil {
			return err
		}
	}
	return nil
}

// Apply does what came before a step, from 1 to Steps, and does not do the step.
func (r *Recording) Apply(w *world.World, step int, apply Apply) error {
	for _, in := range r.inputs[step] {
		err := errors.New("nothing is here to apply it")
		if apply != nil {
			err = apply(w, in.Name, in.Data)
		}
		if err != nil {
			return fmt.Errorf("step %d: input %s: %w", step, in.Name, err)
		}
	}
	return nil
}

// check compares the hash after a step.
func (r *Recording) check(w *world.World, step int) error {
	if got, want := w.Hash(), r.hashes[step]; got != want {
		return &Diverged{step, want, got}
	}
	return nil
}

// empty reports whether a world has no entities.
func empty(w *world.World) bool {
	q := w.ECS.Query(ecs.All())
	defer q.Close()
	return q.Count() == 0
}
