// Package run does the steps of a scene and measures them, scores many scenes, and saves a run so
// that another process can continue it.
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

// MaxSteps is 19 days of simulated time at 60 steps a second: more is a slip.
const MaxSteps = 100_000_000

// Patience is how long a step may be waited for after Ctrl-C. When the last one
// took longer, or there was none, the next one can be ended in the middle.
var Patience = 300 * time.Millisecond

// State is how far a run is, beside its world and its report.
type State struct {
	Steps int
	Trace hash.Trace
}

// Begin returns the state of a run before its first step.
func Begin(w *world.World) *State {
	state := &State{}
	state.Trace.Add(w.Hash())
	return state
}

// Run does the steps of a scene, or those until the context ends or all are out, and
// fills in the report. After each step it calls after, if that is not nil, with the
// number of steps done; what that takes is not measured. With all it does the other steps
// too when all are out.
//
// A step that the context ends in the middle is as if it had not begun.
func Run(ctx context.Context, s *scene.Scene, w *world.World, r *report.Report, all bool, after func(step int) error) error {
	return GoOn(ctx, s, w, r, Begin(w), all, after)
}

// GoOn is Run for a run that is in a state, which it brings up to date before it calls after.
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
		if err == world.ErrInterrupted { // and as before the step
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
	w.DropCheckpoint() // it is no part of what an agent takes
	r.AllocsPerStep = allocations.perStep()
	r.Fill(s, w, state.Steps, times)
	r.BesideSeconds = max(0, time.Since(began).Seconds()-times.Seconds())
	r.TraceHash = fmt.Sprintf("%016x", state.Trace.Sum())
	return nil
}

// Arm lets the context end the next step if it is likely to take long, until
// disarm is called. All that it takes is not in the step's time.
func Arm(ctx context.Context, w *world.World, last time.Duration) (disarm func()) {
	if last < Patience {
		if last < Patience/4 { // no step is likely to need its memory again
			w.DropCheckpoint()
		}
		return func() {}
	}
	w.Checkpoint()
	stop := context.AfterFunc(ctx, w.Interrupt)
	return func() { stop() }
}

// Build makes the world of a scene, until the context ends.
func Build(ctx context.Context, s *scene.Scene, o scene.Options) (*world.World, error) {
	o.Context = ctx
	w, err := s.Build(o)
	return w, cli.While(ctx, err, "building "+s.Name)
}

// Prepare builds the world of a scene and begins its report. Args are the command line
// that asks for it.
func Prepare(ctx context.Context, s *scene.Scene, o scene.Options, args []string) (*world.World, *report.Report, error) {
	return prepare(s, o, args, func() (*world.World, error) { return Build(ctx, s, o) })
}

// PrepareSaved is Prepare for the world that was saved in a stream.
func PrepareSaved(ctx context.Context, s *scene.Scene, o scene.Options, args []string, in io.Reader) (*world.World, *report.Report, error) {
	return prepare(s, o, args, func() (*world.World, error) {
		o.Context = ctx
		w, err := s.Resume(o, in)
		return w, cli.While(ctx, err, "building "+s.Name)
	})
}

func prepare(s *scene.Scene, o scene.Options, args []string, build func() (*world.World, error)) (*world.World, *report.Report, error) {
	start := time.Now()
	w, err := build()
	if err != nil {
		return nil, nil, err
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	r := report.Begin(s, w, strings.Join(append([]string{"crowd"}, args...), " "))
	r.Workers, r.SetupSeconds = workers, time.Since(start).Seconds()
	return w, r, nil
}

// allocations counts objects that steps allocate, after some steps in which buffers
// grow to their size. Steps in which the Go runtime starts a thread of its own are left
// out: it allocates for that, and may do so where it reads how many objects there are.
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

// threads returns how many threads the Go runtime has started.
func threads() int {
	n, _ := runtime.ThreadCreateProfile(nil)
	return n
}
