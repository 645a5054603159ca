package main

import (
	"context"
	"os"
	"runtime/pprof"
	"runtime/trace"

	"github.com/8f878440/crowd/world"
)

// profile starts what is to be recorded of the steps, or served beside them, in
// which systems are told apart by their labels. Calling stop twice is harmless.
func (c *runCmd) profile(e *env, w *world.World) (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, f := range stops {
			f()
		}
		stops = nil
	}
	if c.Pprof != "" {
		end, err := c.serveProfiles(e)
		if err != nil {
			return stop, err
		}
		stops = append(stops, end)
	}
	if c.Pprof != "" || c.CPUProfile != "" || c.Trace != "" {
		w.SetLabels(context.Background())
	}
	if c.CPUProfile != "" {
		f, err := os.Create(c.CPUProfile)
		if err != nil {
			stop()
			return stop, badInput{err}
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			stop()
			return stop, err
		}
		stops = append(stops, func() { pprof.StopCPUProfile(); f.Close() })
	}
	if c.Trace != "" {
		f, err := os.Create(c.Trace)
		if err != nil {
			stop()
			return stop, badInput{err}
		}
		if err := trace.Start(f); err != nil {
			stop()
			return stop, err
		}
		stops = append(stops, func() { trace.Stop(); f.Close() })
	}
	return stop, nil
}
