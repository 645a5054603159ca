package cli

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
)

// Profiles say which profiles are served and written, as flags of the command line.
type Profiles struct {
	Profile map[string]string `mapsep:"none" placeholder:"KIND=FILE" help:"Write a profile: cpu or trace of the steps, or heap after the run; http=HOST:PORT serves profiles to go tool pprof while running, at a loopback address such as 127.0.0.1:6060, and http-anywhere at any. May be repeated."`

	Pprof         string `kong:"-"` // address at which profiles are served; empty: they are not
	PprofAnywhere bool   `kong:"-"` // the address may be one that other machines reach

	CPUProfile, MemProfile, Trace string `kong:"-"` // files; empty: none
}

// profileKinds are what --profile takes.
var profileKinds = []string{"cpu", "heap", "http", "http-anywhere", "trace"}

// read reads --profile.
func (o *Profiles) read() error {
	for _, kind := range slices.Sorted(maps.Keys(o.Profile)) {
		to := o.Profile[kind]
		switch kind {
		case "cpu":
			o.CPUProfile = to
		case "heap":
			o.MemProfile = to
		case "trace":
			o.Trace = to
		case "http", "http-anywhere":
			o.Pprof, o.PprofAnywhere = to, kind != "http"
		default:
			return fmt.Errorf("--profile is of the kind %q, %s", kind, suggest.OneOf(kind, profileKinds))
		}
		if to == "" {
			return fmt.Errorf("--profile %s is empty, want %[1]s=FILE", kind)
		}
	}
	return nil
}

// Start starts what records the steps, or is served beside them, in
// which systems are told apart by their labels. Calling stop twice is harmless. What
// goes wrong with writing, the files know.
func (o *Profiles) Start(e *Console, w *world.World, cpu, steps *output.File) (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, f := range stops {
			f()
		}
		stops = nil
	}
	if o.Pprof != "" {
		end, err := o.serveProfiles(e)
		if err != nil {
			return stop, err
		}
		stops = append(stops, end)
	}
	if o.Pprof != "" || o.CPUProfile != "" || o.Trace != "" {
		w.SetLabels(context.Background())
	}
	if cpu != nil {
		if err := pprof.StartCPUProfile(cpu); err != nil {
			stop()
			return stop, err
		}
		stops = append(stops, pprof.StopCPUProfile)
	}
	if steps != nil {
		if err := trace.Start(steps); err != nil {
			stop()
			return stop, err
		}
		stops = append(stops, trace.Stop)
	}
	return stop, nil
}

// Guard returns what run returns. If run panics that is an error, and if it
// neither returns within the grace time after the context ended it is left
// behind, and that is an error too.
func Guard[T any](ctx context.Context, grace time.Duration, run func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				stack := debug.Stack()
				if worker, is := p.(*frame.Panic); is {
					p, stack = worker.Value, worker.Stack
				}
				r.err = fmt.Errorf("panic: %v, %s", p, panicPlace(stack))
			}
			done <- r
		}()
		r.value, r.err = run()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.value, r.err
	case <-time.After(grace):
		return *new(T), fmt.Errorf("does not end: %v, and %v more", context.Cause(ctx), grace)
	}
}

// panicPlace returns the file and line of a panic from the stack of the deferred
// function that recovered it.
func panicPlace(stack []byte) string {
	_, after, _ := strings.Cut(string(stack), "\npanic(")
	for line := range strings.Lines(after) {
		line = strings.TrimSpace(line)
		if place, _, ok := strings.Cut(line, " +0x"); ok && !strings.Contains(place, "/runtime/") {
			return place
		}
	}
	return "unknown location"
}
