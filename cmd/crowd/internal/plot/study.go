package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// study holds the runs of a sweep.
type study struct {
	axes  []*axis
	runs  []row
	ok    []row // runs that succeeded
	seeds axis  // of the runs that succeeded
}

type axis struct {
	name    string
	values  []string // ascending if numeric, otherwise in order of appearance
	numeric bool     // all values are numbers that can be drawn
}

func (a *axis) of(r row) string { return r.Table.Text(r.i, a.name) }

func axisNames(axes []*axis) []string {
	names := []string{} // not nil, which would be null in JSON
	for _, a := range axes {
		names = append(names, a.name)
	}
	return names
}

// newStudy returns the study of all files. A run has no value on an axis that its table lacks.
func newStudy(files []*file) (*study, error) {
	s, seen := &study{seeds: axis{name: "seed"}}, map[string]bool{}
	for _, f := range files {
		for _, name := range f.Table.Columns[1:slices.Index(f.Table.Columns, "seed")] {
			if !slices.Contains(axisNames(s.axes), name) {
				s.axes = append(s.axes, &axis{name: name})
			}
		}
	}
	for _, f := range files {
		for i := range f.Table.Rows {
			r := row{file: f, i: i}
			s.runs = append(s.runs, r)
			if f.Table.Text(i, "status") != string(results.OK) {
				continue
			}
			s.ok = append(s.ok, r)
			key := r.key(s.axes) + s.seeds.of(r)
			if seen[key] {
				return nil, atFile(f.Name, lineError{i + 2, fmt.Errorf("there are two runs of this point with seed %s", s.seeds.of(r))})
			}
			seen[key] = true
		}
	}
	for _, a := range s.axes {
		a.gather(s.runs)
	}
	s.seeds.gather(s.ok)
	return s, nil
}

func (a *axis) gather(runs []row) {
	seen := map[string]bool{}
	for _, r := range runs {
		if text := a.of(r); text != "" && !seen[text] {
			seen[text] = true
			a.values = append(a.values, text)
		}
	}
	if a.numeric = !slices.ContainsFunc(a.values, func(text string) bool { return math.IsNaN(number(text)) }); a.numeric {
		slices.SortFunc(a.values, compareCells)
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

// means returns the mean of a metric of the successful runs with the same key, in the unit of the files. It
// omits runs without a key.
func means[K comparable](s *study, metric string, key func(row) (k K, ok bool)) map[K]float64 {
	values, all := map[K][]float64{}, map[K]float64{}
	for _, r := range s.ok {
		k, ok := key(r)
		if x, measured := r.Table.Number(r.i, metric); ok && measured {
			values[k] = append(values[k], x)
		}
	}
	for k, of := range values {
		all[k] = stat.Mean(of, nil)
	}
	return all
}

func orNaN[K comparable](all map[K]float64, k K) float64 {
	if x, ok := all[k]; ok {
		return x
	}
	return math.NaN()
}

// effect returns the mean of a metric at each level of an axis: over the runs of each seed, then over the
// seeds. With several seeds, it adds the 95% confidence interval by Student's t.
func (s *study) effect(a *axis, l *levels, metric string) (all Points) {
	type cell struct {
		level int
		seed  string
	}
	ofSeeds := means(s, metric, func(r row) (cell, bool) {
		level, ok := l.of[a.of(r)]
		return cell{level, s.seeds.of(r)}, ok
	})
	for level := range l.names {
		var of []float64
		for _, seed := range s.seeds.values {
			if x, ok := ofSeeds[cell{level, seed}]; ok {
				of = append(of, x*metricOf(metric).Scale())
			}
		}
		if len(of) == 0 {
			continue
		}
		mean, deviation := stat.MeanStdDev(of, nil)
		at := At(float64(level), mean)
		if l.at != nil {
			at.X = l.at[level]
		}
		if n := float64(len(of)); n > 1 {
			half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * deviation / math.Sqrt(n)
			at.Low, at.High = mean-half, mean+half
		}
		all = append(all, at)
	}
	return all
}

// grid returns the mean of a metric at each pair of levels, or NaN where no run has the metric. The rows are
// the levels of y.
func (s *study) grid(x, y *axis, across, up *levels, metric string) (cells grid) {
	all := means(s, metric, func(r row) ([2]int, bool) {
		k, inX := across.of[x.of(r)]
		i, inY := up.of[y.of(r)]
		return [2]int{i, k}, inX && inY
	})
	for i := range up.names {
		cells = append(cells, nil)
		for k := range across.names {
			cells[i] = append(cells[i], orNaN(all, [2]int{i, k})*metricOf(metric).Scale())
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
	l, n := &levels{names: a.values, of: map[string]int{}}, len(a.values)
	if l.binned = a.numeric && n > 8 && !s.crossed([]*axis{a}); l.binned {
		l.names, n = nil, min(limit, n/4)
	}
	for i := range n {
		values := a.values[i*len(a.values)/n : (i+1)*len(a.values)/n]
		for _, value := range values {
			l.of[value] = i
		}
		last := len(values) - 1
		if a.numeric {
			l.at = append(l.at, (number(values[last/2])+number(values[(last+1)/2]))/2)
		}
		if l.binned {
			l.names = append(l.names, cli.Number(number(values[0]))+"–"+cli.Number(number(values[last])))
		}
	}
	return l
}

type candidate struct {
	row  // a run of the point
	x, y float64
	best bool // no other point is better in one metric and no worse in the other
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
	type cell struct{ point, task string }
	of := func(r row) (cell, bool) { return cell{r.key(without(s.axes, over)), r.key(over)}, true }
	xs, ys, tasks := means(s, x.metric, of), means(s, y.metric, of), float64(s.points(over))
	at, seen := map[string]int{}, map[cell]bool{}
	for _, r := range s.runs {
		c, _ := of(r)
		if seen[c] {
			continue
		}
		i, known := at[c.point]
		if !known {
			i, all = len(all), append(all, candidate{row: r})
		}
		at[c.point], seen[c] = i, true
		all[i].x += orNaN(xs, c) / tasks
		all[i].y += orNaN(ys, c) / tasks
	}
	left = len(all)
	all = slices.DeleteFunc(all, func(c candidate) bool { return math.IsNaN(c.x) || math.IsNaN(c.y) })
	markBest(all, x, y)
	return all, left - len(all), nil
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
