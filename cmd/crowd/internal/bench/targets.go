package bench

import (
	"context"
	"errors"
	"time"

	"github.com/8f878440/crowd/benchmarks"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Targets is the command crowd bench targets.
type Targets struct {
	Quick bool `help:"Run fewer rounds, and do not measure the speed of a million agents."`
}

// Help returns examples.
func (Targets) Help() string {
	return "Examples:\n\n    crowd bench targets\n    crowd bench targets --quick"
}

// Run measures the project's performance targets, and prints each result as soon as it is known.
func (o *Targets) Run(ctx context.Context, e *cli.Console) error {
	takes := "three to five minutes"
	if o.Quick {
		takes = "40 seconds"
	}
	e.Log.Info("this takes " + takes + ", longer on a slower machine")
	if err := benchmarks.WriteTargetsHead(e.Out, cli.Processor()); err != nil {
		return err
	}
	n := 0
	err := benchmarks.Targets(ctx, o.Quick, func(t benchmarks.Target) error {
		n++
		return t.WriteRow(e.Out)
	})
	if err != nil && ctx.Err() != nil {
		cli.Fprintf(e.Out, "\nIncomplete: interrupted after %s.\n", cli.Plural(n, "target"))
		return errors.New("interrupted before all targets were measured")
	}
	return err
}

// calibration is a plain loop that no change to the systems affects. Its cost shows how fast the machine was
// just before a sample.
type calibration struct{ runner benchmarks.Runner }

const (
	calibrationAgents = 50_000
	calibrationSteps  = 10
)

// measure returns the cost in nanoseconds per agent per step.
func (y *calibration) measure() float64 {
	if y.runner == nil {
		w, err := benchmarks.ByName("W2")
		if err == nil {
			y.runner, err = w.Start("plain", calibrationAgents, 1)
		}
		if err != nil {
			panic(err) // W2 exists
		}
	}
	y.runner.Reset()
	y.runner.Step()
	start := time.Now()
	for range calibrationSteps {
		y.runner.Step()
	}
	return float64(time.Since(start).Nanoseconds()) / calibrationSteps / calibrationAgents
}

// byCalibration returns each sample divided by its calibration. It omits samples without one.
func (r *Result) byCalibration() []float64 {
	relative := make([]float64, min(len(r.Samples), len(r.Calibration)))
	for i := range relative {
		relative[i] = r.Samples[i] / r.Calibration[i]
	}
	return relative
}
