package bench

import (
	"time"

	"github.com/8f878440/crowd/benchmarks"
)

// yardstick is work that is the same in every version: a plain loop that no change
// to the systems touches. What it costs next to a sample tells how fast the machine
// was just then.
type yardstick struct{ runner benchmarks.Runner }

const (
	yardAgents = 50_000
	yardSteps  = 10
)

// measure returns what the yardstick costs now, in nanoseconds an agent and step.
func (y *yardstick) measure() float64 {
	if y.runner == nil {
		y.runner = newYardstick()
	}
	y.runner.Reset()
	y.runner.Step()
	start := time.Now()
	for range yardSteps {
		y.runner.Step()
	}
	return float64(time.Since(start).Nanoseconds()) / yardSteps / yardAgents
}

func newYardstick() benchmarks.Runner {
	w, err := benchmarks.ByName("W2")
	if err != nil {
		panic(err) // it is among the workloads
	}
	r, err := w.Start("plain", yardAgents, 1)
	if err != nil {
		panic(err)
	}
	return r
}

// byYardstick returns the samples as multiples of the yardstick's, as many as have
// one.
func (r *Result) byYardstick() []float64 {
	relative := make([]float64, min(len(r.Samples), len(r.Yardstick)))
	for i := range relative {
		relative[i] = r.Samples[i] / r.Yardstick[i]
	}
	return relative
}
