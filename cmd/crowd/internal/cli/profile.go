package cli

import (
	"context"
	"runtime/pprof"
	"runtime/trace"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/world"
)

// Profiles say which profiles are served and written, as flags of the command line.
type Profiles struct {
	Pprof         string `name:"pprof" placeholder:"HOST:PORT" help:"Serve profiles to go tool pprof while running, at a loopback address such as 127.0.0.1:6060."`
	PprofAnywhere bool   `name:"pprof-anywhere" help:"Let --pprof listen at an address that other machines reach."`

	CPUProfile string `name:"cpuprofile" placeholder:"FILE" help:"Write a CPU profile of the steps."`
	MemProfile string `name:"memprofile" placeholder:"FILE" help:"Write a heap profile after the run."`
	Trace      string `placeholder:"FILE" help:"Write an execution trace of the steps."`
}

// Start starts what is to be recorded of the steps, or served beside them, in
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
