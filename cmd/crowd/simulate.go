package main

import (
	"context"
	"fmt"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/memory"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// patience is how long a step may be waited for after Ctrl-C. When the last one
// took longer, or there was none, the next one can be ended in the middle.
var patience = 300 * time.Millisecond

// simulate does the steps of a scene, or those until the context ends, and fills
// in the report. After each step it calls after, if that is not nil, with the
// number of steps done; what that takes is not measured.
//
// A step that the context ends in the middle is as if it had not begun.
func simulate(ctx context.Context, s *scene.Scene, w *world.World, r *report, after func(step int) error) error {
	times, allocations := newStepTimes(), allocationsOf(s.Steps)
	var trace systems.Trace
	trace.Add(w.Hash())
	took := 2 * patience
	for i := range s.Steps {
		if ctx.Err() != nil {
			r.Interrupted = true
			break
		}
		disarm := arm(ctx, w, took)
		allocations.begin(i)
		start := time.Now()
		err := w.Step()
		took = time.Since(start)
		allocations.end(i)
		disarm()
		if err == world.ErrInterrupted { // and as before the step
			step := i + 1
			r.Interrupted, r.InterruptedStep = true, &step
			break
		}
		if err != nil {
			return err
		}
		times.add(w.StepTime())
		if (i+1)%systems.TraceEvery == 0 {
			trace.Add(w.Hash())
		}
		if after != nil {
			if err := after(i + 1); err != nil {
				return err
			}
		}
	}
	w.DropCheckpoint() // it is no part of what an agent takes
	r.AllocsPerStep = allocations.perStep()
	r.fill(s, w, times)
	r.TraceHash = fmt.Sprintf("%016x", trace.Sum())
	return nil
}

// arm lets the context end the next step if it is likely to take long, until
// disarm is called. All that it takes is not in the step's time.
func arm(ctx context.Context, w *world.World, last time.Duration) (disarm func()) {
	if last < patience {
		if last < patience/4 { // no step is likely to need its memory again
			w.DropCheckpoint()
		}
		return func() {}
	}
	w.Checkpoint()
	stop := context.AfterFunc(ctx, w.Interrupt)
	return func() { stop() }
}

// allocations counts objects that steps allocate, after some steps in which buffers
// grow to their size.
type allocations struct {
	warm, most int
	counted    int
	objects    uint64
}

func allocationsOf(steps int) *allocations {
	warm := min(20, steps/4)
	return &allocations{warm: warm, most: min(50, steps-warm)}
}

func (a *allocations) counts(step int) bool { return step >= a.warm && a.counted < a.most }

func (a *allocations) begin(step int) {
	if a.counts(step) {
		a.objects -= memory.Mallocs()
	}
}

func (a *allocations) end(step int) {
	if a.counts(step) {
		a.objects += memory.Mallocs()
		a.counted++
	}
}

func (a *allocations) perStep() float64 { return float64(a.objects) / float64(max(a.counted, 1)) }
