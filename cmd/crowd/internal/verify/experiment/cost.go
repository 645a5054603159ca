package experiment

import (
	"context"
	"time"

	"github.com/8f878440/crowd/world/scene"
)

// Cost is what a step costs.
type Cost struct {
	Step float64 // ns, of an agent
	Dt   float64 // s, the length of the step
}

// MeasureCost measures the first 10 s of the built-in scene bottleneck by a model, with one
// worker. Of each step the least of several runs counts: the machine may do other things, too.
func MeasureCost(ctx context.Context, by scene.Model) (Cost, error) {
	const runs = 3
	var least []time.Duration
	var c Cost
	for range runs {
		took, rows, dt, err := timeSteps(ctx, by)
		if err != nil {
			return c, err
		}
		if least == nil {
			least = took
		}
		sum := time.Duration(0)
		for i := range least {
			least[i] = min(least[i], took[i])
			sum += least[i]
		}
		c = Cost{float64(sum.Nanoseconds()) / float64(max(rows, 1)), dt}
	}
	return c, nil
}

// timeSteps returns how long the steps of a run take, how many agents do one in all, and the
// length of a step in seconds.
func timeSteps(ctx context.Context, by scene.Model) (took []time.Duration, agents int, dt float64, err error) {
	const seconds = 10.
	s, err := scene.Named("bottleneck")
	if err != nil {
		return nil, 0, 0, err
	}
	if err := s.SetModel(by); err != nil {
		return nil, 0, 0, err
	}
	w, err := s.Build(scene.Options{Workers: 1, Context: ctx})
	if err != nil {
		return nil, 0, 0, err
	}
	defer w.Close()
	for range int(seconds/s.Dt + 0.5) {
		agents += s.Agents() - w.Left()
		start := time.Now()
		if err := w.Step(); err != nil {
			return nil, 0, 0, err
		}
		took = append(took, time.Since(start))
		if err := ctx.Err(); err != nil {
			return nil, 0, 0, err
		}
	}
	return took, agents, s.Dt, nil
}
