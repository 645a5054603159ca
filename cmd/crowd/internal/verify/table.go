package verify

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/world/scene"
)

// Row is a metric of an experiment, with its expected and measured values.
type Row struct {
	Model    scene.Model `json:"model"`
	Suite    string      `json:"suite"`
	Name     string      `json:"name"`
	Expected string      `json:"expected"`
	Measured *float64    `json:"measured"` // nil if there is no finite value
	Passed   bool        `json:"passed"`
	Note     string      `json:"note"`

	notes  []string // parts of Note
	reason string   // why the default model does not pass
	law    string   // expectation without measured values; empty means Expected
	missed bool     // real people miss the expectation too
	absent bool     // the tested feature is not supported
}

func (r *Row) asExpected() bool { return r.Passed || r.missed || r.absent }

// expectation is a condition on a measured value. NaN meets none of the expectations below.
type expectation struct {
	text  string
	holds func(x float64) bool
}

func between(lo, hi float64) expectation {
	return expectation{fmt.Sprintf("%.3g–%.3g", lo, hi), func(x float64) bool { return lo <= x && x <= hi }}
}

func about(want, tolerance float64) expectation {
	e := between(want-tolerance, want+tolerance)
	e.text = fmt.Sprintf("%.2f ± %.2g", want, tolerance)
	return e
}

func atMost(most float64) expectation {
	return expectation{fmt.Sprintf("≤ %.3g", most), func(x float64) bool { return x <= most }}
}

func atLeast(least float64) expectation {
	return expectation{fmt.Sprintf("≥ %.3g", least), func(x float64) bool { return x >= least }}
}

func above(least float64) expectation {
	return expectation{fmt.Sprintf("> %.3g", least), func(x float64) bool { return x > least }}
}

func exactly(n int) expectation {
	return expectation{fmt.Sprint(n), func(x float64) bool { return x == float64(n) }}
}

func (e expectation) in(unit string) expectation {
	e.text += " " + unit
	return e
}

func judge(name string, e expectation, measured float64, notes ...string) Row {
	r := Row{Name: name, Expected: e.text, Passed: e.holds(measured), notes: notes, Note: strings.Join(notes, "; ")}
	if !math.IsNaN(measured) && !math.IsInf(measured, 0) {
		r.Measured = &measured
	}
	return r
}

func absent(name, why string) Row {
	r := Row{Name: name, Expected: "–", absent: true}
	return r.noted("not supported: " + why)
}

// missedByPeople returns the row as one that real people miss too, with the reason as a note, unless the row
// passed.
func (r Row) missedByPeople(why string) Row {
	if r.Passed {
		return r
	}
	r.missed = true
	return r.noted(why)
}

// because returns the row with the reason why the default model fails, unless the row passed.
func (r Row) because(why string) Row {
	if !r.Passed {
		r.reason = why
	}
	return r
}

// by returns the row with a model and a suite and, for the default model, with the reason as a note.
func (r Row) by(m scene.Model, suite string) Row {
	r.Model, r.Suite = m, suite
	if m == scene.DefaultModel && r.reason != "" {
		return r.noted(r.reason)
	}
	return r
}

func (r Row) noted(why string) Row {
	r.notes = append(r.notes, why)
	r.Note = strings.Join(r.notes, "; ")
	return r
}

func meanOf[T any](results []T, metric func(*T) float64) float64 {
	sum := 0.
	for i := range results {
		sum += metric(&results[i])
	}
	return sum / float64(len(results))
}

func mean(values []float64) float64 {
	return meanOf(values, func(x *float64) float64 { return *x })
}

func leastOf[T any](results []T, count func(*T) int) float64 {
	least := math.MaxInt
	for i := range results {
		least = min(least, count(&results[i]))
	}
	return float64(least)
}

func mostOf[T any](results []T, count func(*T) int) float64 {
	return -leastOf(results, func(t *T) int { return -count(t) })
}

// of returns a note such as "mean of 3 seeds", or "one seed".
func of(what string, seeds int) string {
	if seeds == 1 {
		return "one seed"
	}
	return fmt.Sprintf("%s of %d seeds", what, seeds)
}

// writeTable prints the rows of a suite, each distinct note, and what is missing.
func writeTable(w io.Writer, name string, rows []Row, missing string) error {
	var notes []string
	marked := make([]string, len(rows))
	for i, r := range rows {
		var marks []string
		for _, note := range r.notes {
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
			marks = append(marks, strconv.Itoa(slices.Index(notes, note)+1))
		}
		marked[i] = r.Name
		if len(marks) > 0 {
			marked[i] += " [" + strings.Join(marks, ",") + "]"
		}
	}
	t := cli.NewTable(w)
	t.Head("%s\texpected\tmeasured\tpassed", name)
	for i, r := range rows {
		t.Verdict(r.style(), r.verdict(), "%s\t%s\t%s", marked[i], r.Expected, r.value())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i, note := range notes {
		t.Row("["+strconv.Itoa(i+1)+"]", "%s", note)
	}
	if missing != "" {
		t.Row("", "%s", missing)
	}
	t.Row("", "")
	return t.Flush()
}

func (r *Row) value() string {
	if r.Measured == nil {
		return "–"
	}
	x := *r.Measured
	if x == float64(int(x)) {
		return strconv.Itoa(int(x))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func (r *Row) verdict() string {
	if r.Passed {
		return "yes"
	}
	if r.absent {
		return "not supported"
	}
	return "no"
}

func (r *Row) style() cli.Style {
	switch {
	case r.Passed:
		return cli.Good
	case r.missed, r.absent:
		return cli.Warning
	}
	return cli.Bad
}

// Colors and glyphs of curves.
const (
	agents   = 0
	others   = 1 // agents of a second kind
	expected = 2
	people   = 6
)

type curve struct {
	plot.Series
	look plot.SeriesLook
}

// line returns a curve without the points whose y is NaN.
func line(name string, color int, look plot.SeriesLook, xs, ys []float64) curve {
	c := curve{plot.Series{Name: name, Color: color, Glyph: color}, look}
	for i := range xs {
		if !math.IsNaN(ys[i]) {
			c.Points = append(c.Points, plot.At(xs[i], ys[i]))
		}
	}
	return c
}

// addCurves draws curves, with both axes starting at 0.
func addCurves(p *plot.Panel, curves ...curve) {
	p.X.Min, p.Y.Min = 0, 0
	for _, c := range curves {
		p.AddSeries(c.look, c.Series)
	}
}

func counts(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = float64(i + 1)
	}
	return all
}

// cumulated returns the sorted values and, for each, the share of values up to it.
func cumulated(values []float64) (sorted, shares []float64) {
	sorted = slices.Sorted(slices.Values(values))
	shares = counts(len(sorted))
	for i := range shares {
		shares[i] /= float64(len(sorted))
	}
	return sorted, shares
}

// guideline is a suite of independent tests, such as those of RiMEA.
type guideline struct {
	title  string
	seeds  int
	tests  []test // a nil test is omitted
	judged []func() []Row
	charts []chart
}

// test plans experiments, and returns a function that judges them after they have run.
type test func(g *guideline, p *plan) func() []Row

// chart is a panel of the number of people out, over time.
type chart struct {
	title string
	lines []chartLine
}

type chartLine struct {
	name string
	of   []evacuation // only the first is drawn
}

func (g *guideline) plan(p *plan) {
	for _, plan := range g.tests {
		if plan != nil {
			g.judged = append(g.judged, plan(g, p))
		}
	}
}

// long returns t or, with --quick, nil.
func (o *Options) long(t test) test {
	if o.Quick {
		return nil
	}
	return t
}

func (g *guideline) rows() (rows []Row) {
	for _, judge := range g.judged {
		rows = append(rows, judge()...)
	}
	return rows
}

func (g *guideline) missing() string { return "" }

func (g *guideline) chart(title string, lines ...chartLine) {
	g.charts = append(g.charts, chart{title, lines})
}

func (g *guideline) picture(style *plot.Style) *plot.Sheet {
	s := &plot.Sheet{Style: style, Title: g.title, Columns: 2, Caption: []string{"People out, with the first seed."}}
	for _, c := range g.charts {
		p := plot.NewPanel(style, c.title, "time, s", "people out")
		var all []curve
		for i, l := range c.lines {
			times := slices.DeleteFunc(slices.Clone(l.of[0].Out), math.IsNaN)
			slices.Sort(times)
			all = append(all, line(l.name, i, plot.Joined|plot.Stepped, times, counts(len(times))))
		}
		addCurves(p, all...)
		s.Panels = append(s.Panels, p)
	}
	return s
}

func fixed(rows ...Row) test {
	return func(*guideline, *plan) func() []Row { return func() []Row { return rows } }
}

// one returns a test of the mean of a metric over the given number of seeds, but at most the guideline's.
func one(name string, e expectation, seeds int, metric func(run) (float64, error)) test {
	return func(g *guideline, p *plan) func() []Row {
		seeds := min(seeds, g.seeds)
		all := repeat(p, seeds, metric)
		return func() []Row {
			return []Row{judge(name, e, mean(all), of("mean", seeds))}
		}
	}
}

func slowest(all []evacuation) float64 { return meanOf(all, (*evacuation).All) }

func unfinished(all []evacuation) float64 {
	n := 0
	for i := range all {
		n += len(all[i].Out) - all[i].Left()
	}
	return float64(n)
}
