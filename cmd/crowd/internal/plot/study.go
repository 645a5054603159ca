package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Study is the runs of a sweep.
type Study struct {
	Axes    []*Axis
	Points  []*Result
	Figures []string // the names of all
	Runs    int      // with those that are left out
	Failed  int
	Dead    int
	Seeds   map[uint64]bool
}

// Axis is what differs from point to point.
type Axis struct {
	Name    string
	Values  []string  // numbers from the least to the greatest, words as they come
	Numbers []float64 // of the values; nil: they are words
	index   map[string]int
}

// Result is a combination of values.
type Result struct {
	At   []int     // which value of each axis; -1: the point has none
	runs []seedRun // those that ended well
}

// seedRun is where the results of a seed are.
type seedRun struct {
	seed  uint64
	table *Table
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
		for _, r := range p.runs {
			if x, ok := r.table.Number(r.row, figure); ok {
				least, most = min(least, x), max(most, x)
			} else {
				missing++
			}
		}
	}
	return least, most, missing
}

// mean returns the mean of a figure over the seeds of a point, NaN if none has it.
func (p *Result) mean(figure string) float64 {
	var all []float64
	for _, r := range p.runs {
		if x, ok := r.table.Number(r.row, figure); ok {
			all = append(all, x)
		}
	}
	return stat.Mean(all, nil)
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
	type key struct {
		level int
		seed  uint64
	}
	values, means := map[key][]float64{}, make([][]float64, len(levels.Names))
	for _, p := range s.Points {
		for _, r := range p.runs {
			if x, ok := r.table.Number(r.row, figure); ok && p.At[axis] >= 0 {
				k := key{levels.of[p.At[axis]], r.seed}
				values[k] = append(values[k], x)
			}
		}
	}
	for k, of := range values {
		means[k.level] = append(means[k.level], stat.Mean(of, nil))
	}
	for level, of := range means {
		slices.Sort(of) // a map has no order, and sums depend on it
		if n := float64(len(of)); n > 0 {
			mean, deviation := stat.MeanStdDev(of, nil)
			half := math.NaN()
			if n > 1 {
				half = distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * deviation / math.Sqrt(n)
			}
			all = append(all, Mean{level, mean, half, len(of)})
		}
	}
	return all
}

// Grid returns the means of a figure at all pairs of levels of two axes; NaN where there are no runs.
func (s *Study) Grid(x, y int, across, up *Levels, figure string) [][]float64 {
	values, grid := map[[2]int][]float64{}, make([][]float64, len(up.Names))
	for _, p := range s.Points {
		if mean := p.mean(figure); p.At[x] >= 0 && p.At[y] >= 0 && !math.IsNaN(mean) {
			k := [2]int{up.of[p.At[y]], across.of[p.At[x]]}
			values[k] = append(values[k], mean)
		}
	}
	for i := range grid {
		for k := range across.Names {
			grid[i] = append(grid[i], stat.Mean(values[[2]int{i, k}], nil))
		}
	}
	return grid
}

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
	l, n := &Levels{Names: a.Values, At: a.Numbers}, len(a.Values)
	if a.Numbers != nil && n > 8 && !s.crossed([]int{axis}) {
		l, n = &Levels{Binned: true}, min(most, n/4)
	}
	for i := range n {
		from, to := i*len(a.Values)/n, (i+1)*len(a.Values)/n
		l.of = append(l.of, slices.Repeat([]int{i}, to-from)...)
		if l.Binned {
			l.At = append(l.At, (a.Numbers[(from+to-1)/2]+a.Numbers[(from+to)/2])/2)
			l.Names = append(l.Names, short(a.Numbers[from])+"–"+short(a.Numbers[to-1]))
		}
	}
	return l
}

// without returns the place of a point without some axes, and on these alone, as keys.
func (p *Result) without(axes []int) (rest, some string) {
	a, b := slices.Clone(p.At), slices.Clone(p.At)
	for i := range a {
		if slices.Contains(axes, i) {
			a[i] = -1
		} else {
			b[i] = -1
		}
	}
	return fmt.Sprint(a), fmt.Sprint(b)
}

// crossed reports whether each combination of values of some axes goes with each of the others.
func (s *Study) crossed(axes []int) bool {
	rest, some := map[string]bool{}, map[string]bool{}
	for _, p := range s.Points {
		a, b := p.without(axes)
		rest[a], some[b] = true, true
	}
	return len(some)*len(rest) == len(s.Points)
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

// loss is less for what is better.
func (g Goal) loss(x float64) float64 {
	if g.More {
		return -x
	}
	return x
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
	places, counts := map[string]int{}, []float64(nil)
	for _, p := range s.Points {
		rest, _ := p.without(over)
		i, known := places[rest]
		if !known {
			i, places[rest], counts = len(all), len(all), append(counts, 0)
			all = append(all, Candidate{At: slices.Clone(p.At)})
			for _, axis := range over {
				all[i].At[axis] = -1
			}
		}
		all[i].X, all[i].Y, counts[i] = all[i].X+p.mean(x.Figure), all[i].Y+p.mean(y.Figure), counts[i]+1
	}
	for i, n := range counts {
		all[i].X, all[i].Y = all[i].X/n, all[i].Y/n
	}
	all = slices.DeleteFunc(all, func(c Candidate) bool { return math.IsNaN(c.X) || math.IsNaN(c.Y) })
	markBest(all, x, y)
	return all, len(counts) - len(all), nil
}

// markBest sorts candidates by their first figure, the best first, and marks those that no other beats:
// from the best on, each that is better in the second figure than all before.
func markBest(all []Candidate, gx, gy Goal) {
	slices.SortStableFunc(all, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(gx.loss(a.X), gx.loss(b.X)), cmp.Compare(gy.loss(a.Y), gy.loss(b.Y)))
	})
	least, at := math.Inf(1), math.Inf(1) // in the second figure, and where in the first
	for i := range all {
		x, y := gx.loss(all[i].X), gy.loss(all[i].Y)
		all[i].Best = y < least || y == least && x == at // equal ones do not beat each other
		if y < least {
			least, at = y, x
		}
	}
}

// NewStudy joins tables that crowd sweep wrote. The points of a table that lacks an axis have no value there.
func NewStudy(files []*File) (*Study, error) {
	s, points := &Study{Seeds: map[uint64]bool{}}, map[string]*Result{}
	for _, f := range files {
		for i, name := range f.Table.Columns {
			switch seed := slices.Index(f.Table.Columns, "seed"); {
			case i == 0 || i == seed || i == seed+1 || slices.Contains([]string{"error", "trace_hash", "hash", "machine", "version"}, name):
			case i < seed && s.axis(name) == nil:
				s.Axes = append(s.Axes, &Axis{Name: name, index: map[string]int{}})
			case i > seed && !slices.Contains(s.Figures, name):
				s.Figures = append(s.Figures, name)
			}
		}
		for row := range f.Table.Rows {
			if err := s.add(&f.Table, row, points); err != nil {
				return nil, atFile(f.Name, lineError{row + 2, err})
			}
		}
	}
	for i, a := range s.Axes {
		rank := a.sort()
		for _, p := range s.Points {
			if p.At = append(p.At, slices.Repeat([]int{-1}, len(s.Axes)-len(p.At))...); p.At[i] >= 0 {
				p.At[i] = rank[p.At[i]]
			}
		}
	}
	return s, nil
}

// axis returns an axis by its name, nil if there is none.
func (s *Study) axis(name string) *Axis {
	for _, a := range s.Axes {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// add adds a row of a table to its point.
func (s *Study) add(t *Table, row int, points map[string]*Result) error {
	column := slices.Index(t.Columns, "seed")
	seed, err := strconv.ParseUint(t.Rows[row][column], 10, 64)
	if err != nil {
		return fmt.Errorf("seed is %q, want a whole number", t.Rows[row][column])
	}
	at, last := make([]int, len(s.Axes)), 0 // axes that later tables add are open
	for i, a := range s.Axes {
		text := t.Text(row, a.Name)
		if at[i] = -1; text == "" {
			continue
		}
		value, known := a.index[text]
		if !known {
			value = len(a.Values)
			a.index[text], a.Values = value, append(a.Values, text)
		}
		at[i], last = value, i+1
	}
	key := fmt.Sprint(at[:last])
	p := points[key]
	if p == nil {
		p = &Result{At: at}
		points[key], s.Points = p, append(s.Points, p)
	}
	s.Runs++
	switch status := results.Status(t.Text(row, "status")); status {
	case results.OK:
		if slices.ContainsFunc(p.runs, func(o seedRun) bool { return o.seed == seed }) {
			return fmt.Errorf("the run of this point with seed %d is there twice", seed)
		}
		p.runs, s.Seeds[seed] = append(p.runs, seedRun{seed, t, row}), true
	case results.Failed:
		s.Failed++
	case results.Dead:
		s.Dead++
	default:
		return fmt.Errorf("status is %q, want ok, failed or dead", status)
	}
	return nil
}

// sort sorts the values if all are numbers, and returns where each one went.
func (a *Axis) sort() []int {
	order, all := make([]int, len(a.Values)), make([]float64, len(a.Values))
	words := false
	for k, text := range a.Values {
		x, err := strconv.ParseFloat(text, 64)
		order[k], all[k], words = k, x, words || err != nil || !cli.Drawable(x)
	}
	if !words {
		slices.SortStableFunc(order, func(j, k int) int { return cmp.Compare(all[j], all[k]) })
	}
	values, rank := make([]string, len(order)), make([]int, len(order))
	for k, from := range order {
		if values[k], rank[from] = a.Values[from], k; !words {
			a.Numbers = append(a.Numbers, all[from])
		}
	}
	a.Values = values
	return rank
}
