// Package run runs and saves scenes, alone or in batches.
package run

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// MaxSteps is the largest number of steps: 19 days at 60 steps per second.
const MaxSteps = 100_000_000

// Patience is the minimum duration of a long step. If the last step took at least as long, Ctrl-C interrupts
// the current step. Otherwise the run ends after the current step.
var Patience = 300 * time.Millisecond

// State is the state of a run besides its world and report.
type State struct {
	Steps int
	Trace hash.Trace
}

// Begin returns the state before the first step.
func Begin(w *world.World) *State {
	state := &State{}
	state.Trace.Add(w.Hash())
	return state
}

// Run runs the steps of a scene and fills in the report. It stops early if ctx is done. If all is false, it
// also stops once all agents have left. If after is not nil, Run calls it after each step, with the number of
// completed steps. If a step or such a call fails, Run returns the error and leaves the report unfilled. The
// field BesideSeconds of r is the time outside the steps.
//
// If ctx interrupts a step, the world keeps the state from before that step.
func Run(ctx context.Context, s *scene.Scene, w *world.World, r *report.Report, all bool, after func(step int) error) error {
	return GoOn(ctx, s, w, r, Begin(w), all, after)
}

// GoOn is like Run, but continues from state, which it updates before it calls the function after.
func GoOn(ctx context.Context, s *scene.Scene, w *world.World, r *report.Report, state *State, all bool, after func(step int) error) error {
	times, allocations := report.NewStepTimes(), allocationsOf(s.Steps-state.Steps)
	took, began := 2*Patience, time.Now()
	for i := 0; state.Steps < s.Steps && (all || r.OutAfter == nil); i++ {
		if ctx.Err() != nil {
			r.Interrupted = true
			break
		}
		disarm := Arm(ctx, w, took)
		allocations.begin(i)
		start := time.Now()
		err := w.Step()
		took = time.Since(start)
		allocations.end(i)
		disarm()
		if err == world.ErrInterrupted {
			step := state.Steps + 1
			r.Interrupted, r.InterruptedStep = true, &step
			break
		}
		if err != nil {
			return err
		}
		times.Add(w.Inspect().StepTime())
		if state.Steps++; state.Steps%hash.TraceEvery == 0 {
			state.Trace.Add(w.Hash())
		}
		if r.OutAfter == nil && s.Ends() && w.Departed() == r.Agents {
			out := w.Clock.Time
			r.OutAfter = &out
		}
		if after != nil {
			if err := after(state.Steps); err != nil {
				return err
			}
		}
	}
	w.DropCheckpoint() // not part of the memory per agent
	r.AllocsPerStep = allocations.perStep()
	r.Fill(s, w, state.Steps, times)
	r.BesideSeconds = max(0, time.Since(began).Seconds()-times.Seconds())
	r.TraceHash = fmt.Sprintf("%016x", state.Trace.Sum())
	return nil
}

// Arm makes w interrupt its next step when ctx is done, unless last, the duration of the last step, is below
// Patience. It may change the checkpoint of w. Call Arm and disarm outside measured times.
func Arm(ctx context.Context, w *world.World, last time.Duration) (disarm func()) {
	if last < Patience {
		if last < Patience/4 { // unlikely to be needed again
			w.DropCheckpoint()
		}
		return func() {}
	}
	w.Checkpoint()
	stop := context.AfterFunc(ctx, w.Interrupt)
	return func() { stop() }
}

// Build builds the world of a scene. It stops with an error if ctx is done.
func Build(ctx context.Context, s *scene.Scene, o scene.Options) (*world.World, error) {
	o.Context = ctx
	w, err := s.Build(o)
	return w, cli.While(ctx, err, "building "+s.Name)
}

// Prepare builds the world of a scene, or, if saved is not nil, reads the world from there. It also begins
// the report for the command line args. The caller must close the world.
func Prepare(ctx context.Context, s *scene.Scene, o scene.Options, args []string, saved io.Reader) (w *world.World, r *report.Report, err error) {
	start := time.Now()
	if o.Context = ctx; saved != nil {
		w, err = s.Resume(o, saved)
	} else {
		w, err = s.Build(o)
	}
	if err != nil {
		return nil, nil, cli.While(ctx, err, "building "+s.Name)
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	r = report.Begin(s, w, strings.Join(append([]string{"crowd"}, args...), " "))
	r.Workers, r.SetupSeconds = workers, time.Since(start).Seconds()
	return w, r, nil
}

// allocations counts the objects allocated in at most 50 steps, after some in which buffers grow. It skips
// steps in which the Go runtime starts a thread, which allocates too.
type allocations struct {
	warm, most int
	counted    int
	objects    uint64
	before     uint64
	threads    int
}

func allocationsOf(steps int) *allocations {
	warm := min(20, steps/4)
	return &allocations{warm: warm, most: min(50, steps-warm)}
}

func (a *allocations) counts(step int) bool { return step >= a.warm && a.counted < a.most }

func (a *allocations) begin(step int) {
	if !a.counts(step) {
		return
	}
	a.threads, a.before = threads(), cli.Mallocs()
}

func (a *allocations) end(step int) {
	if !a.counts(step) {
		return
	}
	if objects := cli.Mallocs() - a.before; threads() == a.threads {
		a.objects += objects
		a.counted++
	}
}

func (a *allocations) perStep() float64 { return float64(a.objects) / float64(max(a.counted, 1)) }

func threads() int {
	n, _ := runtime.ThreadCreateProfile(nil)
	return n
}
