package experiment

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/stat"
)

// Crossing is a person's first crossing of a line.
type Crossing struct {
	Time   float64 // s, interpolated between frames
	Person int     // index in Recording.People
}

// Crossings returns each person's first crossing of the line from a to b, ordered by time.
func (r *Recording) Crossings(a, b r2.Vec) []Crossing {
	var all []Crossing
	along := vec.Sub(b, a)
	for i := range r.People {
		p := &r.People[i]
		for k := 1; k < len(p.At); k++ {
			d0, d1 := vec.Cross(along, vec.Sub(p.At[k-1], a)), vec.Cross(along, vec.Sub(p.At[k], a))
			if (d0 >= 0) == (d1 >= 0) {
				continue
			}
			share := d0 / (d0 - d1)
			at := vec.AddScaled(p.At[k-1], share, vec.Sub(p.At[k], p.At[k-1]))
			if u := vec.Dot(vec.Sub(at, a), along); u < 0 || u > vec.Norm2(along) {
				continue
			}
			all = append(all, Crossing{(float64(p.First+k-1) + share) * r.Dt, i})
			break
		}
	}
	slices.SortFunc(all, func(x, y Crossing) int {
		return cmp.Or(cmp.Compare(x.Time, y.Time), cmp.Compare(x.Person, y.Person))
	})
	return all
}

// middleOf returns a share of the crossings from the middle of the list.
func middleOf(all []Crossing, share float64) []Crossing {
	cut := int(math.Round(float64(len(all)) * (1 - share) / 2))
	return all[cut : len(all)-cut]
}

// Flow returns (N − 1)/Δt in people/s, where Δt is the time between the first and the last of N crossings, or
// NaN if N < 2.
func Flow(all []Crossing) float64 {
	if len(all) < 2 {
		return math.NaN()
	}
	return float64(len(all)-1) / (all[len(all)-1].Time - all[0].Time)
}

func timeGaps(all []Crossing) []float64 {
	var gaps []float64
	for i := 1; i < len(all); i++ {
		gaps = append(gaps, all[i].Time-all[i-1].Time)
	}
	return gaps
}

// bursts returns the mean number of successive crossings by one group, or NaN without crossings.
func (r *Recording) bursts(all []Crossing) float64 {
	if len(all) == 0 {
		return math.NaN()
	}
	runs := 1
	for i := 1; i < len(all); i++ {
		if r.People[all[i].Person].Group != r.People[all[i-1].Person].Group {
			runs++
		}
	}
	return float64(len(all)) / float64(runs)
}

// KolmogorovSmirnov returns the largest difference between the empirical distributions of two samples.
func KolmogorovSmirnov(a, b []float64) float64 {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return stat.KolmogorovSmirnov(a, nil, b, nil)
}

// Cost is the cost of a step of a model.
type Cost struct {
	Step float64 // ns per agent
	Dt   float64 // s, length of the step
}

// MeasureCost times the first 10 s of the built-in scene bottleneck with one worker. It uses the shortest
// time of each step in several runs, because other programs may disturb a run.
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

// timeSteps returns the time of each step, the number of agents summed over the steps, and the length of a
// step in seconds.
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
		agents += s.Agents() - w.Departed()
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
