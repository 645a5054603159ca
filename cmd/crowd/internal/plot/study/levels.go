package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
)

// Levels are the steps of an axis at which figures are compared: its values, or bins of them.
type Levels struct {
	Names  []string
	At     []float64 // where each stands: its value, or the median of those in a bin; nil: words
	Binned bool
	of     []int // the level of each value
}

// mostLevels is how many values are compared one by one, although few points share them.
const mostLevels = 8

// Levels returns the levels of an axis. Values that are scattered, as designs other than grids do,
// are cut by quantiles into at most as many bins as are asked for, which have about the same number of values.
func (s *Study) Levels(axis, most int) *Levels {
	a := s.Axes[axis]
	l := &Levels{Names: a.Values, At: a.Numbers, of: make([]int, len(a.Values))}
	for i := range l.of {
		l.of[i] = i
	}
	if a.Numbers == nil || len(a.Values) <= mostLevels || s.crossed([]int{axis}) {
		return l
	}
	n := min(most, len(a.Values)/4)
	l.Names, l.At, l.Binned = nil, nil, true
	for bin := range n {
		from, to := bin*len(a.Values)/n, (bin+1)*len(a.Values)/n
		for i := from; i < to; i++ {
			l.of[i] = bin
		}
		l.At = append(l.At, (a.Numbers[(from+to-1)/2]+a.Numbers[(from+to)/2])/2)
		l.Names = append(l.Names, fmt.Sprintf("%s–%s", Short(a.Numbers[from]), Short(a.Numbers[to-1])))
	}
	return l
}

// Short writes a number with three digits.
func Short(x float64) string {
	return numbers.Figure(roundTo(x, 3))
}

func roundTo(x float64, digits int) float64 {
	if x == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-float64(digits-1))
	return math.Round(x/unit) * unit
}

// Geometric tells whether numbers in order stand evenly on a logarithmic axis rather than on a
// linear one: where their median is.
func Geometric(sorted []float64) bool {
	n := len(sorted)
	if n < 3 || sorted[0] <= 0 || sorted[n-1] < 2*sorted[0] {
		return false
	}
	lo, hi := sorted[0], sorted[n-1]
	median := (sorted[(n-1)/2] + sorted[n/2]) / 2
	return median < (math.Sqrt(lo*hi)+(lo+hi)/2)/2
}

// crossed tells whether each combination of values of some axes goes with each of the others.
func (s *Study) crossed(axes []int) bool {
	some, rest := map[string]bool{}, map[string]bool{}
	for _, p := range s.Points {
		a, b := s.split(p, axes)
		some[a], rest[b] = true, true
	}
	return len(some)*len(rest) == len(s.Points)
}

// split returns what a point is on some axes, and on all others.
func (s *Study) split(p *Point, axes []int) (some, rest string) {
	a, b := make([]int, 0, len(axes)), make([]int, 0, len(p.At))
	for i, v := range p.At {
		if slices.Contains(axes, i) {
			a = append(a, v)
		} else {
			b = append(b, v)
		}
	}
	return fmt.Sprint(a), fmt.Sprint(b)
}
