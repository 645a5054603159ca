// Package study computes what the results of a sweep say: the effect of each axis on a figure, and the
// points that no other beats in two figures.
package study

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Study is the runs of a sweep.
type Study struct {
	Axes    []*Axis
	Points  []*Point
	Figures []string // the names of all
	Runs    int      // with those that are left out
	Failed  int
	Dead    int
}

// Axis is what differs from point to point.
type Axis struct {
	Name    string
	Values  []string  // numbers from the least to the greatest, words as they come
	Numbers []float64 // of the values; nil: they are words
}

// Point is a combination of values.
type Point struct {
	At   []int // which value of each axis; -1: the point has none
	runs []run // those that ended well
}

// run is where the results of a seed are.
type run struct {
	seed  uint64
	table *data.Table
	row   int
}

// Varies returns the axes that have more than one value.
func (s *Study) Varies() (axes []int) {
	for i, a := range s.Axes {
		if len(a.Values) > 1 {
			axes = append(axes, i)
		}
	}
	return axes
}

// Span returns the least and the most of a figure, and how many runs lack it. Without any figure the
// least is more than the most.
func (s *Study) Span(figure string) (least, most float64, missing int) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, p := range s.Points {
		all := values(p, figure)
		missing += len(p.runs) - len(all)
		for _, x := range all {
			least, most = min(least, x), max(most, x)
		}
	}
	return least, most, missing
}

// Seeds returns how many seeds there are.
func (s *Study) Seeds() int {
	seen := map[uint64]bool{}
	for _, p := range s.Points {
		for _, r := range p.runs {
			seen[r.seed] = true
		}
	}
	return len(seen)
}

// values returns a figure of the runs of a point that have it.
func values(p *Point, figure string) (all []float64) {
	for _, r := range p.runs {
		if x, ok := r.table.Number(r.row, figure); ok {
			all = append(all, x)
		}
	}
	return all
}

// Mean is a mean over seeds, and how far the true one may be from it.
type Mean struct {
	Level int
	Mean  float64
	Half  float64 // half the 95 % interval, by Student's t; NaN for one seed
	Seeds int
}

// Effect returns the mean of a figure at each level of an axis: for each seed over the points of that
// level, and of these over the seeds.
func (s *Study) Effect(axis int, levels *Levels, figure string) (all []Mean) {
	bySeed := make([]map[uint64][]float64, len(levels.Names))
	for _, p := range s.Points {
		for _, r := range p.runs {
			if x, ok := r.table.Number(r.row, figure); ok && p.At[axis] >= 0 {
				seeds := &bySeed[levels.of[p.At[axis]]]
				if *seeds == nil {
					*seeds = map[uint64][]float64{}
				}
				(*seeds)[r.seed] = append((*seeds)[r.seed], x)
			}
		}
	}
	for k, seeds := range bySeed {
		var means []float64
		for _, all := range seeds {
			means = append(means, stat.Mean(all, nil))
		}
		slices.Sort(means) // a map has no order, and sums depend on it
		if n := float64(len(means)); n > 0 {
			mean, deviation := stat.MeanStdDev(means, nil)
			m := Mean{Level: k, Mean: mean, Half: math.NaN(), Seeds: len(means)}
			if n > 1 {
				m.Half = distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * deviation / math.Sqrt(n)
			}
			all = append(all, m)
		}
	}
	return all
}

// Grid returns the means of a figure at all pairs of levels of two axes; NaN where there are no runs.
func (s *Study) Grid(x, y int, across, up *Levels, figure string) [][]float64 {
	sums, counts := make([][]float64, len(up.Names)), make([][]float64, len(up.Names))
	for i := range sums {
		sums[i], counts[i] = make([]float64, len(across.Names)), make([]float64, len(across.Names))
	}
	for _, p := range s.Points {
		if all := values(p, figure); p.At[x] >= 0 && p.At[y] >= 0 && len(all) > 0 {
			i, k := up.of[p.At[y]], across.of[p.At[x]]
			sums[i][k], counts[i][k] = sums[i][k]+stat.Mean(all, nil), counts[i][k]+1
		}
	}
	for i := range sums {
		for k := range sums[i] {
			sums[i][k] /= counts[i][k] // 0/0 is NaN
		}
	}
	return sums
}
