package main

import (
	"context"
	"runtime/pprof"
	"runtime/trace"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/world"
)

// profile starts what is to be recorded of the steps, or served beside them, in
// which systems are told apart by their labels. Calling stop twice is harmless. What
// goes wrong with writing, the files know.
func (c *runCmd) profile(e *console.Console, w *world.World, files *runFiles) (stop func(), err error) {
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
	if files.cpuProfile != nil {
		if err := pprof.StartCPUProfile(files.cpuProfile); err != nil {
			stop()
			return stop, err
		}
		stops = append(stops, pprof.StopCPUProfile)
	}
	if files.trace != nil {
		if err := trace.Start(files.trace); err != nil {
			stop()
			return stop, err
		}
		stops = append(stops, trace.Stop)
	}
	return stop, nil
}
