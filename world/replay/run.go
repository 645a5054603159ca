package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

// Apply applies an input to a world.
type Apply func(w *world.World, name string, data json.RawMessage) error

// Diverged is the error of a replay whose hash differs from that of the recording.
type Diverged struct {
	Step      int    // first step after which the hash differs; 0 means before the first step
	Want, Got uint64 // hashes of the recording and of the replay
}

func (d *Diverged) Error() string {
	if d.Step == 0 {
		return fmt.Sprintf("the world differs before the first step: hash %016x, want %016x", d.Got, d.Want)
	}
	return fmt.Sprintf("step %d differs: hash %016x, want %016x", d.Step, d.Got, d.Want)
}

// Run replays all steps. A world without entities gets the initial state of the recording; any other world
// must already be in that state. The configuration must be that of the recorded world, except for Workers and
// BatchRows. Sources must be added again before Run; if one of them spawns agents as soon as it is added, the
// host must restore the initial state itself before it adds that source. Run calls apply for each input,
// before the step of that input. If there are no inputs, apply may be nil.
//
// Run stops when a hash first differs, and returns a *Diverged. It also returns errors from reading,
// world.World.Restore and apply, world.ErrInterrupted and, if ctx is done before a step, ctx.Err().
func (r *Recording) Run(ctx context.Context, w *world.World, apply Apply) error {
	q := w.ECS.Query(ecs.All())
	empty := q.Count() == 0
	q.Close()
	if empty {
		_, state, err := r.State(0)
		if err != nil {
			return err
		}
		if _, err := w.Restore(state); err != nil {
			return err
		}
	}
	if err := r.check(w, 0); err != nil {
		return err
	}
	return r.RunOn(ctx, w, 0, r.Steps(), apply)
}

// RunOn is like Run, but replays only some of the steps. The parameter from, at least 0, is the step after
// which RunOn begins. RunOn does not check that the world has the state after that step. The parameter to, at
// most Steps, is the last step.
func (r *Recording) RunOn(ctx context.Context, w *world.World, from, to int, apply Apply) error {
	if from < 0 || to > r.Steps() {
		return fmt.Errorf("range of steps is %d to %d, want a range within 0 to %d", from, to, r.Steps())
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
		} // other errors also occurred during recording
		if err := r.check(w, step); err != nil {
			return err
		}
	}
	return nil
}

// Apply applies the inputs that precede a step, in order, up to the first error, which it returns. Steps
// count from 1. If there are no inputs, apply may be nil.
func (r *Recording) Apply(w *world.World, step int, apply Apply) error {
	for _, in := range r.inputs[step] {
		err := errors.New("apply is nil, want a function")
		if apply != nil {
			err = apply(w, in.Name, in.Data)
		}
		if err != nil {
			return fmt.Errorf("step %d: input %s: %w", step, in.Name, err)
		}
	}
	return nil
}

func (r *Recording) check(w *world.World, step int) error {
	if got, want := w.Hash(), r.hashes[step]; got != want {
		return &Diverged{step, want, got}
	}
	return nil
}
