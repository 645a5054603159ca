package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/gonum/stat"
)

// Levels are the steps of an axis at which figures are compared: its values, or bins of them.
type Levels struct {
	Names  []string
	At     []float64 // the value of each, or the median of those in a bin; nil: words
	Binned bool
	of     []int // the level of each value
}

// Levels returns the levels of an axis. It cuts scattered values, as of designs other than grids, by
// quantiles into at most so many bins of about as many values each.
func (s *Study) Levels(axis, most int) *Levels {
	a := s.Axes[axis]
	l := &Levels{Names: a.Values, At: a.Numbers, of: make([]int, len(a.Values))}
	for i := range l.of {
		l.of[i] = i
	}
	if a.Numbers == nil || len(a.Values) <= 8 || s.crossed([]int{axis}) {
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
		l.Names = append(l.Names, Short(a.Numbers[from])+"–"+Short(a.Numbers[to-1]))
	}
	return l
}

// Short writes a number with three digits.
func Short(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	return numbers.Figure(rounded)
}

// Geometric reports whether sorted numbers stand more evenly on a logarithmic axis than on a linear one,
// by where their median is.
func Geometric(sorted []float64) bool {
	n := len(sorted)
	if n < 3 || sorted[0] <= 0 || sorted[n-1] < 2*sorted[0] {
		return false
	}
	lo, hi := sorted[0], sorted[n-1]
	return (sorted[(n-1)/2]+sorted[n/2])/2 < (math.Sqrt(lo*hi)+(lo+hi)/2)/2
}

// crossed reports whether each combination of values of some axes goes with each of the others.
func (s *Study) crossed(axes []int) bool {
	some, rest := map[string]bool{}, map[string]bool{}
	for _, p := range s.Points {
		a, b := split(p, axes)
		some[a], rest[b] = true, true
	}
	return len(some)*len(rest) == len(s.Points)
}

// split returns what a point is on some axes, and on all others.
func split(p *Point, axes []int) (some, rest string) {
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

// Candidate is a point in the plane of two figures.
type Candidate struct {
	At   []int // which value of each axis; -1: it has none, or is a mean over them
	X, Y float64
	Best bool // no other is better in one figure and no worse in the other
}

// Goal is a figure, and whether more of it is better.
type Goal struct {
	Figure string
	More   bool
}

// Tasks returns the axes that say what a crowd does rather than how: scene and agents, as far as they
// vary and each of their combinations goes with each of the others.
func (s *Study) Tasks() (axes []int) {
	for _, i := range s.Varies() {
		if name := s.Axes[i].Name; (name == "scene" || name == "agents") && s.crossed(append(slices.Clone(axes), i)) {
			axes = append(axes, i)
		}
	}
	return axes
}

// Candidates returns the means of two figures over seeds, and over some axes, which must go with all
// others. It leaves out and counts the points that lack a figure anywhere on these axes: their means
// would be those of easier tasks.
func (s *Study) Candidates(x, y Goal, over []int) (all []Candidate, left int, err error) {
	if !s.crossed(over) {
		var names []string
		for _, i := range over {
			names = append(names, s.Axes[i].Name)
		}
		return nil, 0, fmt.Errorf("--over %s: not each of its values goes with each point of the other axes, so that means are of different tasks", strings.Join(names, ","))
	}
	type sum struct{ x, y []float64 }
	groups := map[string]*sum{}
	for _, p := range s.Points {
		_, rest := split(p, over)
		if groups[rest] == nil {
			groups[rest] = &sum{}
			all = append(all, Candidate{At: slices.Clone(p.At)})
			for _, i := range over {
				all[len(all)-1].At[i] = -1
			}
		}
		g := groups[rest]
		g.x, g.y = append(g.x, stat.Mean(values(p, x.Figure), nil)), append(g.y, stat.Mean(values(p, y.Figure), nil))
	}
	for i := range all {
		_, rest := split(&Point{At: all[i].At}, over)
		all[i].X, all[i].Y = stat.Mean(groups[rest].x, nil), stat.Mean(groups[rest].y, nil)
	}
	n := len(all)
	all = slices.DeleteFunc(all, func(c Candidate) bool { return math.IsNaN(c.X) || math.IsNaN(c.Y) })
	markBest(all, x.More, y.More)
	return all, n - len(all), nil
}

// markBest sorts candidates by their first figure, the best first, and marks those that no other beats:
// from the best on, each that is better in the second figure than all before.
func markBest(all []Candidate, moreX, moreY bool) {
	loss := func(x float64, more bool) float64 {
		if more {
			return -x
		}
		return x
	}
	slices.SortStableFunc(all, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(loss(a.X, moreX), loss(b.X, moreX)), cmp.Compare(loss(a.Y, moreY), loss(b.Y, moreY)))
	})
	least, at := math.Inf(1), math.Inf(1) // in the second figure, and where in the first
	for i := range all {
		x, y := loss(all[i].X, moreX), loss(all[i].Y, moreY)
		all[i].Best = y < least || y == least && x == at // equal ones do not beat each other
		if y < least {
			least, at = y, x
		}
	}
}
