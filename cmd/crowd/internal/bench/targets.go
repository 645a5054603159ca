package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/8f878440/crowd/benchmarks"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// measured is an event while targets are measured: the next measurement, a result, or the end.
type measured struct {
	next        string
	done, takes time.Duration // estimates of the work done and of all work
	target      *benchmarks.Target
	end         bool
	err         error
}

// Targets is crowd bench targets.
type Targets struct {
	Quick bool `help:"Use small crowds and short samples."`
}

// Help shows examples.
func (Targets) Help() string {
	return "Examples:\n\n    crowd bench targets\n    crowd bench targets --quick"
}

// Run measures the project's performance targets, and prints each as soon as it is measured.
func (o *Targets) Run(ctx context.Context, e *cli.Console) error {
	news := make(chan measured)
	tell := func(m measured) {
		select {
		case news <- m:
		case <-ctx.Done(): // writeMeasured has returned
		}
	}
	go func() {
		_, err := benchmarks.Targets(ctx, o.Quick, benchmarks.Follow{
			Turn:   func(what string, done, takes time.Duration) { tell(measured{next: what, done: done, takes: takes}) },
			Target: func(t benchmarks.Target) { tell(measured{target: &t}) },
		})
		tell(measured{end: true, err: err})
	}()
	return writeMeasured(ctx, e, news)
}

// writeMeasured prints targets as they come, and shows progress.
func writeMeasured(ctx context.Context, e *cli.Console, news <-chan measured) error {
	if err := benchmarks.WriteTargetsHead(e.Out, cli.Processor()); err != nil {
		return err
	}
	bar, rows := &cli.Progress{}, 0
	defer func() { bar.Clear() }()
	for {
		select {
		case <-ctx.Done():
			bar.Clear()
			cli.Fprintf(e.Out, "\nIncomplete: interrupted after %s.\n", cli.Plural(rows, "target"))
			return errors.New("interrupted before all targets were measured")
		case m := <-news:
			switch {
			case m.end:
				return m.err
			case m.target != nil:
				bar.Clear()
				if err := m.target.WriteRow(e.Out); err != nil {
					return err
				}
				rows++
			case m.done == 0:
				e.Log.Info(fmt.Sprintf("this takes about %s, more on a slower machine", minutes(m.takes)))
				bar = e.Progress(m.next, int(m.takes.Seconds()), "second", false)
			default:
				bar.At(m.next, int(m.done.Seconds()))
			}
		}
	}
}

// minutes formats a duration in whole minutes or seconds.
func minutes(d time.Duration) string {
	if d < 2*time.Minute {
		return cli.Plural(int(d.Round(time.Second).Seconds()), "second")
	}
	return cli.Plural(int(d.Round(time.Minute).Minutes()), "minute")
}

// calibration is work that is the same in every version: a plain loop that no change of the systems
// affects. Its cost next to a sample shows how fast the machine was at that time.
type calibration struct{ runner benchmarks.Runner }

const (
	calibrationAgents = 50_000
	calibrationSteps  = 10
)

// measure returns the current cost of the calibration, in nanoseconds per agent and step.
func (y *calibration) measure() float64 {
	if y.runner == nil {
		y.runner = newCalibration()
	}
	y.runner.Reset()
	y.runner.Step()
	start := time.Now()
	for range calibrationSteps {
		y.runner.Step()
	}
	return float64(time.Since(start).Nanoseconds()) / calibrationSteps / calibrationAgents
}

func newCalibration() benchmarks.Runner {
	w, err := benchmarks.ByName("W2")
	if err != nil {
		panic(err) // W2 exists
	}
	r, err := w.Start("plain", calibrationAgents, 1)
	if err != nil {
		panic(err)
	}
	return r
}

// byCalibration returns the samples divided by those of the calibration, as far as there are any.
func (r *Result) byCalibration() []float64 {
	relative := make([]float64, min(len(r.Samples), len(r.Calibration)))
	for i := range relative {
		relative[i] = r.Samples[i] / r.Calibration[i]
	}
	return relative
}
