package plot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

type study struct {
	axes         []*axis
	runs         []row
	ok           []row // runs that succeeded
	failed, dead int
	seeds        map[string]bool // of the runs that succeeded
}

type axis struct {
	name    string
	values  []string  // ascending if numbers is not nil, otherwise in order of appearance
	numbers []float64 // values as numbers; nil unless all are numbers that can be drawn
}

func (a *axis) of(r row) string { return r.Table.Text(r.i, a.name) }

func axisNames(axes []*axis) []string {
	names := []string{} // not nil, which would be null in JSON
	for _, a := range axes {
		names = append(names, a.name)
	}
	return names
}

// A run has no value on an axis that its table lacks.
func newStudy(files []*file) (*study, error) {
	s, seen := &study{seeds: map[string]bool{}}, map[string]bool{}
	for _, f := range files {
		for _, name := range f.Table.Columns[1:slices.Index(f.Table.Columns, "seed")] {
			if !slices.Contains(axisNames(s.axes), name) {
				s.axes = append(s.axes, &axis{name: name})
			}
		}
	}
	for _, f := range files {
		for i := range f.Table.Rows {
			if err := s.add(row{file: f, i: i}, seen); err != nil {
				return nil, atFile(f.Name, lineError{i + 2, err})
			}
		}
	}
	for _, a := range s.axes {
		a.gather(s.runs)
	}
	return s, nil
}

// The map seen holds the points and seeds of the runs that succeeded so far.
func (s *study) add(r row, seen map[string]bool) error {
	seed, key := r.Table.Text(r.i, "seed"), r.key(s.axes)
	if _, err := strconv.ParseUint(seed, 10, 64); err != nil {
		return fmt.Errorf("seed is %q, want a whole number", seed)
	}
	s.runs = append(s.runs, r)
	switch status := results.Status(r.Table.Text(r.i, "status")); status {
	case results.OK:
		if seen[key+seed] {
			return fmt.Errorf("there are two runs of this point with seed %s", seed)
		}
		s.ok, seen[key+seed], s.seeds[seed] = append(s.ok, r), true, true
	case results.Failed:
		s.failed++
	case results.Dead:
		s.dead++
	default:
		return fmt.Errorf("status is %q, want ok, failed or dead", status)
	}
	return nil
}

func (a *axis) gather(runs []row) {
	known, numbers := map[string]float64{}, true
	for _, r := range runs {
		text := a.of(r)
		if _, ok := known[text]; ok || text == "" {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		numbers = numbers && err == nil && cli.Drawable(x)
		known[text], a.values = x, append(a.values, text)
	}
	if numbers {
		slices.SortStableFunc(a.values, func(s, t string) int { return cmp.Compare(known[s], known[t]) })
		for _, text := range a.values {
			a.numbers = append(a.numbers, known[text])
		}
	}
}

func (r row) key(axes []*axis) string {
	var b strings.Builder
	for _, a := range axes {
		fmt.Fprintf(&b, "%q,", a.of(r))
	}
	return b.String()
}

func without(axes, others []*axis) []*axis {
	return slices.DeleteFunc(slices.Clone(axes), func(a *axis) bool { return slices.Contains(others, a) })
}

func (s *study) varies() []*axis {
	return slices.DeleteFunc(slices.Clone(s.axes), func(a *axis) bool { return len(a.values) < 2 })
}

func (s *study) points(axes []*axis) int {
	all := map[string]bool{}
	for _, r := range s.runs {
		all[r.key(axes)] = true
	}
	return len(all)
}

// crossed reports whether every combination of values of the given axes occurs with every combination of
// values of the other axes.
func (s *study) crossed(axes []*axis) bool {
	return s.points(axes)*s.points(without(s.axes, axes)) == s.points(s.axes)
}

// span returns the range of a metric in the successful runs, and how many lack it. If all lack it, least is
// greater than most.
func (s *study) span(metric string) (least, most float64, missing int) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, r := range s.ok {
		if x, ok := r.Table.Number(r.i, metric); ok {
			least, most = min(least, x), max(most, x)
		} else {
			missing++
		}
	}
	return least, most, missing
}

// effect returns the mean of a metric at each level of an axis: over the runs of each seed, then over the
// seeds. With several seeds, it adds the 95% confidence interval by Student's t.
func (s *study) effect(a *axis, l *levels, metric string) (all Points) {
	seeds := make([]map[string][]float64, len(l.names))
	for _, r := range s.ok {
		if level, ok := l.of[a.of(r)]; ok && !math.IsNaN(r.number(metric)) {
			if seeds[level] == nil {
				seeds[level] = map[string][]float64{}
			}
			seed := r.Table.Text(r.i, "seed")
			seeds[level][seed] = append(seeds[level][seed], r.number(metric))
		}
	}
	for level, of := range seeds {
		var means []float64
		for _, seed := range slices.Sorted(maps.Keys(of)) {
			means = append(means, stat.Mean(of[seed], nil))
		}
		if n := float64(len(means)); n > 0 {
			mean, deviation := stat.MeanStdDev(means, nil)
			at := At(float64(level), mean)
			if l.at != nil {
				at.X = l.at[level]
			}
			if n > 1 {
				half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * deviation / math.Sqrt(n)
				at.Low, at.High = mean-half, mean+half
			}
			all = append(all, at)
		}
	}
	return all
}

// grid returns the mean of a metric at each pair of levels, or NaN where no run has the metric. The rows are
// the levels of y.
func (s *study) grid(x, y *axis, across, up *levels, metric string) (cells grid) {
	values := map[[2]int][]float64{}
	for _, r := range s.ok {
		k, inX := across.of[x.of(r)]
		i, inY := up.of[y.of(r)]
		if z := r.number(metric); inX && inY && !math.IsNaN(z) {
			values[[2]int{i, k}] = append(values[[2]int{i, k}], z)
		}
	}
	for i := range up.names {
		cells = append(cells, nil)
		for k := range across.names {
			cells[i] = append(cells[i], stat.Mean(values[[2]int{i, k}], nil))
		}
	}
	return cells
}

// levels are the values of an axis at which metrics are compared, or bins of values.
type levels struct {
	names  []string
	at     []float64 // value of each level, or median of a bin; nil for words
	binned bool
	of     map[string]int // level of each value
}

// levels returns the values of an axis, or at most limit quantiles if the axis has more than 8 numbers and is
// not crossed with the others.
func (s *study) levels(a *axis, limit int) *levels {
	l, n := &levels{names: a.values, at: a.numbers, of: map[string]int{}}, len(a.values)
	if a.numbers != nil && n > 8 && !s.crossed([]*axis{a}) {
		l.names, l.at, l.binned, n = nil, nil, true, min(limit, n/4)
	}
	for i := range n {
		from, to := i*len(a.values)/n, (i+1)*len(a.values)/n
		for _, value := range a.values[from:to] {
			l.of[value] = i
		}
		if l.binned {
			l.at = append(l.at, (a.numbers[(from+to-1)/2]+a.numbers[(from+to)/2])/2)
			l.names = append(l.names, short(a.numbers[from])+"–"+short(a.numbers[to-1]))
		}
	}
	return l
}

type candidate struct {
	row  // a run of the point
	x, y float64
	best bool // no other point is better in one metric and no worse in the other
}

type goal struct {
	metric string
	more   bool
}

func (g goal) better() string { return map[bool]string{true: "more", false: "less"}[g.more] }

// Smaller losses are better.
func (g goal) loss(x float64) float64 {
	if g.more {
		return -x
	}
	return x
}

// tasks returns the axes that define the task of a crowd: scene and agents, if they vary and are crossed with
// all others.
func (s *study) tasks() (axes []*axis) {
	for _, a := range s.varies() {
		if (a.name == "scene" || a.name == "agents") && s.crossed(append(slices.Clone(axes), a)) {
			axes = append(axes, a)
		}
	}
	return axes
}

// candidates returns the means of two metrics over the seeds and the given axes, for each point on the other
// axes. It omits, and counts, points that lack a metric at a value of the given axes: their means might cover
// only the easier tasks.
func (s *study) candidates(x, y goal, over []*axis) (all []candidate, left int, err error) {
	if !s.crossed(over) {
		return nil, 0, fmt.Errorf("--over %s: values are not crossed with the other axes, so means would be of different tasks", strings.Join(axisNames(over), ","))
	}
	byPoint, order := map[string]map[string][]row{}, []row(nil) // runs by point and task
	for _, r := range s.runs {
		key := r.key(without(s.axes, over))
		if byPoint[key] == nil {
			byPoint[key], order = map[string][]row{}, append(order, r)
		}
		byPoint[key][r.key(over)] = append(byPoint[key][r.key(over)], r)
	}
	for _, r := range order {
		c, tasks := candidate{row: r}, byPoint[r.key(without(s.axes, over))]
		for _, task := range slices.Sorted(maps.Keys(tasks)) {
			c.x, c.y = c.x+mean(tasks[task], x.metric), c.y+mean(tasks[task], y.metric)
		}
		c.x, c.y = c.x/float64(len(tasks)), c.y/float64(len(tasks))
		if !math.IsNaN(c.x) && !math.IsNaN(c.y) {
			all = append(all, c)
		}
	}
	markBest(all, x, y)
	return all, len(order) - len(all), nil
}

// mean returns NaN if no run has the metric.
func mean(runs []row, metric string) float64 {
	var all []float64
	for _, r := range runs {
		if x, ok := r.Table.Number(r.i, metric); ok {
			all = append(all, x)
		}
	}
	return stat.Mean(all, nil)
}

// markBest sorts candidates by their first metric, the best first, and marks the Pareto front: those that are
// better in the second metric than all before them, or equal to one on the front.
func markBest(all []candidate, gx, gy goal) {
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(gx.loss(a.x), gx.loss(b.x)), cmp.Compare(gy.loss(a.y), gy.loss(b.y)))
	})
	least, at := math.Inf(1), math.Inf(1) // smallest loss in the second metric, and its candidate's loss in the first
	for i := range all {
		x, y := gx.loss(all[i].x), gy.loss(all[i].y)
		all[i].best = y < least || y == least && x == at // equal candidates do not dominate each other
		if y < least {
			least, at = y, x
		}
	}
}
