// Package study works out what the table of a sweep says: what each axis does to a figure, and
// which points are best where two figures pull in different directions.
package study

import (
	"math"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
)

// Study is the runs of a sweep.
type Study struct {
	Axes    []*Axis
	Points  []*Point
	Figures []string // the names of all that have numbers
	Runs    int      // with those that are left out
	Failed  int
	Dead    int

	wanted []string // the figures that are kept
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
	Runs []Run // that went to their end
}

// Run is what one seed gave.
type Run struct {
	Seed    uint64
	figures []float64 // NaN: not measured
}

// Varies returns the axes that have more than one value.
func (s *Study) Varies() (all []int) {
	for i, a := range s.Axes {
		if len(a.Values) > 1 {
			all = append(all, i)
		}
	}
	return all
}

// Has tells whether a figure was measured in any run.
func (s *Study) Has(figure string) bool {
	least, most := s.span(figure)
	return least <= most
}

// Differs tells whether a figure is not the same in all runs.
func (s *Study) Differs(figure string) bool {
	least, most := s.span(figure)
	return least < most
}

// Missing returns how many runs that went to their end have no such figure.
func (s *Study) Missing(figure string) (n int) {
	for _, p := range s.Points {
		for i := range p.Runs {
			if math.IsNaN(s.figure(&p.Runs[i], figure)) {
				n++
			}
		}
	}
	return n
}

// Seeds returns how many seeds there are.
func (s *Study) Seeds() int {
	seen := map[uint64]bool{}
	for _, p := range s.Points {
		for i := range p.Runs {
			seen[p.Runs[i].Seed] = true
		}
	}
	return len(seen)
}

func (s *Study) span(figure string) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, p := range s.Points {
		for i := range p.Runs {
			if x := s.figure(&p.Runs[i], figure); !math.IsNaN(x) {
				least, most = min(least, x), max(most, x)
			}
		}
	}
	return least, most
}

// figure returns a figure of a run, NaN if it was not measured.
func (s *Study) figure(r *Run, name string) float64 {
	if i := slices.Index(s.wanted, name); i >= 0 {
		return r.figures[i]
	}
	return math.NaN()
}

// number reads a cell.
func number(text string) (float64, bool) {
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && numbers.Drawable(x)
}

// mean returns the mean of values, NaN of none.
func mean(values []float64) float64 {
	sum := 0.
	for _, x := range values {
		sum += x / float64(len(values))
	}
	if len(values) == 0 {
		return math.NaN()
	}
	return sum
}
