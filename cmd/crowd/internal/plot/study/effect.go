package study

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Mean is a mean over seeds, and how far the true one may be from it.
type Mean struct {
	Level int
	Mean  float64
	Half  float64 // half the 95 % interval; NaN: there is one seed
	Seeds int
}

// Effect returns the mean of a figure at each level of an axis that has any: for each seed over the points of
// that level, and of these over the seeds.
func (s *Study) Effect(axis int, levels *Levels, figure string) (all []Mean) {
	bySeed := make([]map[uint64][]float64, len(levels.Names))
	for _, p := range s.Points {
		if p.At[axis] < 0 {
			continue
		}
		k := levels.of[p.At[axis]]
		for i := range p.Runs {
			x := s.figure(&p.Runs[i], figure)
			if math.IsNaN(x) {
				continue
			}
			if bySeed[k] == nil {
				bySeed[k] = map[uint64][]float64{}
			}
			bySeed[k][p.Runs[i].Seed] = append(bySeed[k][p.Runs[i].Seed], x)
		}
	}
	for k, seeds := range bySeed {
		var means []float64
		for _, values := range seeds {
			means = append(means, mean(values))
		}
		slices.Sort(means) // a map has no order, and sums depend on it
		if len(means) > 0 {
			all = append(all, Mean{Level: k, Mean: mean(means), Half: halfInterval(means), Seeds: len(means)})
		}
	}
	return all
}

// halfInterval returns half the 95 % confidence interval of a mean, by Student's t; NaN for fewer
// than two values.
func halfInterval(values []float64) float64 {
	n := float64(len(values))
	if n < 2 {
		return math.NaN()
	}
	middle, square := mean(values), 0.
	for _, x := range values {
		square += (x - middle) * (x - middle)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return t * math.Sqrt(square/(n-1)/n)
}

// Grid returns the means of a figure at all pairs of levels of two axes, over all runs; NaN where
// there are none.
func (s *Study) Grid(x, y int, across, up *Levels, figure string) [][]float64 {
	sums, counts := make([][]float64, len(up.Names)), make([][]float64, len(up.Names))
	for i := range sums {
		sums[i], counts[i] = make([]float64, len(across.Names)), make([]float64, len(across.Names))
	}
	for _, p := range s.Points {
		if v := s.meanOf(p, figure); p.At[x] >= 0 && p.At[y] >= 0 && !math.IsNaN(v) {
			i, k := up.of[p.At[y]], across.of[p.At[x]]
			sums[i][k], counts[i][k] = sums[i][k]+v, counts[i][k]+1
		}
	}
	for i := range sums {
		for k := range sums[i] {
			sums[i][k] /= counts[i][k] // 0/0 is NaN
		}
	}
	return sums
}

// meanOf returns the mean of a figure over the seeds of a point, NaN if none has it.
func (s *Study) meanOf(p *Point, figure string) float64 {
	var values []float64
	for i := range p.Runs {
		if x := s.figure(&p.Runs[i], figure); !math.IsNaN(x) {
			values = append(values, x)
		}
	}
	return mean(values)
}
