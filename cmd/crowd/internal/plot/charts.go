package plot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

func (p *drawing) distributions() (*Sheet, error) {
	return p.each(func(groups []*group, column string) *Panel {
		panel := NewPanel(p.style, "", metricOf(column).Axis(), "share of "+p.noun()+"s up to this value, %").log(p.Log, false)
		for i, g := range groups {
			line, look := p.series(i, g.name), Joined
			sorted := slices.Sorted(slices.Values(values([]*group{g}, column)))
			if len(sorted) < 50 {
				look |= Marked
			}
			for k, x := range sorted {
				line.Points = append(line.Points, At(x, 100*float64(k+1)/float64(len(sorted))))
			}
			panel.AddSeries(look, line)
		}
		panel.Y.Min, panel.Y.Max = 0, 100
		return panel
	})
}

// pairs returns a function that draws --y against --x: a dot for each row if look is Marked, otherwise the
// median and quartiles of --y at each value of --x.
func pairs(look SeriesLook) func(*drawing) (*Sheet, error) {
	return func(p *drawing) (*Sheet, error) { return p.pairs(look) }
}

func (p *drawing) pairs(look SeriesLook) (*Sheet, error) {
	groups, err := p.prepare(p.X, p.Y)
	if err != nil {
		return nil, err
	}
	panel := NewPanel(p.style, "", metricOf(p.X).Axis(), metricOf(p.Y).Axis()).log(p.Log, p.Log)
	left, n := 0, 0
	for i, g := range groups {
		s, at := p.series(i, g.name), map[float64][]float64{}
		for _, r := range g.rows {
			x, y := r.number(p.X), r.number(p.Y)
			if panel.has(x, y) {
				s.Points, at[x], n = append(s.Points, At(x, y)), append(at[x], y), n+1
			} else if !math.IsNaN(x) && !math.IsNaN(y) {
				left++
			}
		}
		if look != Marked {
			s.Points = nil
			for x, ys := range at {
				q := cli.Quartiles(ys)
				s.Points = append(s.Points, Point{X: x, Y: q[1], Low: q[0], High: q[2]})
			}
		}
		panel.AddSeries(look, s)
	}
	if left > 0 {
		p.note("%s left out: logarithmic axes have no values of 0 or less", cli.Plural(left, p.noun()))
	}
	if n == 0 {
		return nil, fmt.Errorf("%s: no %s has numbers that can be drawn for both %s and %s", p.files[0].Name, p.noun(), p.X, p.Y)
	}
	return p.picture(1, panel), nil
}

// rowBars draws a bar for each row. Bars of rows with the same name in several groups are side by side. Runs
// are not grouped if every group has only one run.
func (p *drawing) rowBars() (*Sheet, error) {
	return p.each(func(groups []*group, column string) *Panel {
		if p.kind == RunKind && !slices.ContainsFunc(groups, func(g *group) bool { return len(g.rows) > 1 }) {
			groups = []*group{{rows: p.rows()}}
		}
		rows, names := barRows{}, make([]string, len(groups))
		for k, g := range groups {
			names[k] = g.name
			for _, r := range g.rows {
				rows.set(r.name, k, len(groups), r.number(column))
			}
		}
		return p.bars("", metricOf(column).Axis(), names, rows)
	})
}

// barRows maps the name of a row to its metric in each series; NaN means none.
type barRows map[string][]float64

func (b barRows) set(name string, series, of int, x float64) {
	if b[name] == nil {
		b[name] = slices.Repeat([]float64{math.NaN()}, of)
	}
	b[name][series] = x
}

// highest returns the highest metric of a row, or -Inf if all are NaN.
func (b barRows) highest(name string) float64 {
	return slices.Max(append(slices.DeleteFunc(slices.Clone(b[name]), math.IsNaN), math.Inf(-1)))
}

// bars draws a horizontal bar for each series of each row, the highest row first. It omits rows without a
// number and all rows after the first 60. On a logarithmic axis, which has no 0, it draws dots instead.
func (p *drawing) bars(title, axis string, series []string, rows barRows) *Panel {
	const most = 60
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(rows)), func(name string) bool { return math.IsInf(rows.highest(name), -1) })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rows.highest(b), rows.highest(a)) })
	if n := len(names); n > most {
		p.note("only the highest %d of %s", most, cli.Plural(n, p.noun()))
		names = names[:most]
	}
	panel := NewPanel(p.style, title, axis, "").log(p.Log, false)
	wide, n := max(3, 20/vg.Length(len(series))), float64(len(names))
	for k, of := range series {
		panel.Label(of, Swatch(p.style.Line(k)))
		values, dots := make(plotter.Values, len(names)), Series{Color: k, Glyph: k}
		offset := wide * (vg.Length(len(series)-1)/2 - vg.Length(k))
		for i, name := range names {
			x, at := rows[name][k], At(rows[name][k], -float64(i))
			if math.IsNaN(x) {
				continue
			}
			values[len(names)-1-i], dots.Points = x, append(dots.Points, at)
			if len(series) <= 6 && !p.Log || len(series) == 1 {
				panel.write(at, short(x), vg.Point{X: 6, Y: offset - 3}, p.style.text(9, p.style.Ink))
				panel.lines.Horizontal.Color = nil // a line would strike through the number
			}
		}
		if chart, err := plotter.NewBarChart(values, wide*0.8); p.Log {
			panel.AddSeries(Marked, dots)
		} else if err == nil {
			chart.Horizontal, chart.XMin, chart.Offset, chart.Color, chart.LineStyle.Width = true, 1-n, offset, p.style.Line(k), 0
			panel.Add(chart)
		}
	}
	panel.names(&panel.Y, names, -1)
	panel.High = 60 + max(18, (wide+1)*vg.Length(len(series)))*vg.Length(n)
	return panel
}

func (p *drawing) histograms() (*Sheet, error) {
	return p.each(func(groups []*group, column string) *Panel {
		all := values(groups, column)
		bins := newBins(all, p.Log)
		panel := NewPanel(p.style, "", metricOf(column).Axis(), p.noun()+"s").log(bins.log, false)
		panel.X.Padding, panel.Y.Padding = 0, 0
		counts, charts := make([]float64, len(bins.edges)-1), []plot.Plotter(nil)
		for i, g := range groups {
			h := &plotter.Histogram{FillColor: p.style.Line(i)}
			h.Color, h.LineStyle.Width = p.style.Paper, 0.7
			for _, x := range values([]*group{g}, column) {
				if k, ok := bins.of(x); ok {
					counts[k]++
				}
			}
			for k, n := range counts {
				h.Bins = append(h.Bins, plotter.HistogramBin{Min: bins.edges[k], Max: bins.edges[k+1], Weight: n})
			}
			charts = append(charts, h)
			panel.Label(g.name, h)
		}
		slices.Reverse(charts) // counts are cumulative, so later charts hide parts of earlier charts
		panel.Add(charts...)
		p.noteBeyond(all, bins, column)
		return panel
	})
}

func (p *drawing) noteBeyond(all []float64, b *bins, column string) {
	first, last := b.edges[0], b.edges[len(b.edges)-1]
	var none, beyond int
	for _, x := range all {
		if _, ok := b.of(x); !ok {
			none++
		} else if x < first || x > last {
			beyond++
		}
	}
	if none > 0 {
		p.note("%s of %s left out: a logarithmic axis has no values of 0 or less", cli.Plural(none, "value"), column)
	}
	if beyond > 0 {
		p.note("%s: the first and the last bar include %s outside the range %s to %s; all values are from %s to %s", column, cli.Plural(beyond, p.noun()), cli.Number(first), cli.Number(last), cli.Number(slices.Min(all)), cli.Number(slices.Max(all)))
	}
}

// bins are the bars of a histogram. The first and the last also count the outliers.
type bins struct {
	log   bool
	edges []float64
}

// newBins returns up to about 50 bins, whose width follows the rule of Freedman and Diaconis. The bins are
// logarithmic if log is set, and also if there are at least three values, all positive, of which the middle
// 80% span more than a factor of 40.
func newBins(values []float64, log bool) *bins {
	sorted := slices.Sorted(slices.Values(values))
	quantile := func(q float64) float64 { return cli.Quantile(sorted, q) }
	if log = log || len(sorted) > 2 && sorted[0] > 0 && quantile(0.9) > 40*quantile(0.1); log {
		sorted = slices.DeleteFunc(sorted, func(x float64) bool { return x < tiny })
		for i, x := range sorted {
			sorted[i] = math.Log10(x)
		}
	}
	if len(sorted) == 0 {
		return &bins{log, []float64{1, 2}}
	}
	if lo, hi := quantile(0.1), quantile(0.9); !log && lo < hi { // omit the outliers
		near := slices.DeleteFunc(slices.Clone(sorted), func(x float64) bool { return x < lo-3*(hi-lo) || x > hi+3*(hi-lo) })
		if sorted[len(sorted)-1]-sorted[0] > 2*(near[len(near)-1]-near[0]) {
			sorted = near
		}
	}
	lo, hi := sorted[0], sorted[len(sorted)-1]
	width := 2 * (quantile(0.75) - quantile(0.25)) / math.Cbrt(float64(len(sorted)))
	width = picture.RoundBelow(min(max(width, (hi-lo)/20), (hi-lo)/3))
	first, n := math.Floor(lo/width)*width, 0.
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) {
		width = max(1e-3*math.Abs(hi), 1)
		first, n = lo-2.5*width, 5
	} else if !log && width <= 1 && !slices.ContainsFunc(sorted, func(x float64) bool { return x != math.Trunc(x) }) {
		width, first = 1, lo-0.5
	}
	b := &bins{log: log}
	for i := range int(max(n, math.Floor((hi-first)/width+1+1e-9))) + 1 {
		edge := first + float64(i)*width
		if log {
			edge = math.Pow(10, min(max(edge, -300), 300))
		}
		b.edges = append(b.edges, edge)
	}
	return b
}

// of returns the index of the bin of x, and reports whether there is one. On a logarithmic axis, values below
// tiny have none.
func (b *bins) of(x float64) (k int, ok bool) {
	k, found := slices.BinarySearch(b.edges, x+1e-9*(b.edges[1]-b.edges[0]))
	if !found {
		k--
	}
	return min(max(k, 0), len(b.edges)-2), !b.log || x >= tiny
}
