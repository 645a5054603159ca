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

// Profiles is the flag --profile. It determines which profiles are written or served.
type Profiles struct {
	Profile map[string]string `mapsep:"none" placeholder:"KIND=FILE" help:"Write a profile: cpu or trace of the steps, or heap after the run; http=HOST:PORT serves profiles to go tool pprof during the run, at a loopback address such as 127.0.0.1:6060; http-anywhere=HOST:PORT allows any address. May be repeated."`

	address  string // address at which profiles are served; empty means none
	anywhere bool   // whether other machines may be able to reach the address

	CPUProfile, MemProfile, Trace string `kong:"-"` // files; empty means none
}

var profileKinds = []string{"cpu", "heap", "http", "http-anywhere", "trace"}

// read sets the other fields from --profile.
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
			o.address, o.anywhere = to, kind != "http"
		default:
			return fmt.Errorf("--profile: unknown kind %q, %s", kind, suggest.OneOf(kind, profileKinds))
		}
		if to == "" {
			return fmt.Errorf("--profile %s is empty, want %[1]s=FILE", kind)
		}
	}
	return nil
}

// Start serves profiles, if --profile asks for that, and records a CPU profile in cpu and a trace in steps,
// unless these are nil, until stop is called. Profiler labels distinguish the systems of w. Calling stop
// twice, or after an error, is harmless. Write errors are kept in the files.
func (o *Profiles) Start(e *Console, w *world.World, cpu, steps *output.File) (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, f := range stops {
			f()
		}
		stops = nil
	}
	if o.address != "" {
		end, err := o.serveProfiles(e)
		if err != nil {
			return stop, err
		}
		stops = append(stops, end)
	}
	if o.address != "" || o.CPUProfile != "" || o.Trace != "" {
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

// Guard calls run in a new goroutine and returns its results. It turns a panic of run into an error. If
// run is still running when grace has passed since the end of ctx, Guard abandons it and returns an error.
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
		return *new(T), fmt.Errorf("still running %[2]v after the context ended: %[1]v", context.Cause(ctx), grace)
	}
}

// panicPlace returns the file and line of a panic, if they are in the stack of the deferred function that
// recovered it.
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
