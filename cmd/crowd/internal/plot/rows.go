package plot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// figure is what pictures call a column, and which way it is better.
type figure struct {
	words, unit string
	scale       float64 // from the column to the unit; 0: 1
	better      float64 // above 0: more is; below 0: less is; 0: neither, or it depends
}

// figures are those of reports, and of benches and sweeps beside them. Others are called by their columns.
var figures = func() map[string]figure {
	all := map[string]figure{
		"seconds":             {"time of a run", "s", 1, -1},
		"us_per_agent_second": {"cost", "µs per agent and simulated second", 1, -1},
		"agents_per_second":   {"agents moved per second", "1/s", 1, 0},
		"spread":              {"spread of the samples", "%", 100, 0},
		"speed_up":            {"speed-up", "", 1, 0},
	}
	for _, f := range slices.Concat(report.OfLine, report.OfArea, report.OfReport) {
		if f.Name != "" {
			all[f.Column[strings.LastIndexByte(f.Column, '.')+1:]] = figure{f.Name, f.Unit, f.Scale(), float64(f.Better)}
		}
	}
	return all
}()

// chief are the figures that say most about a crowd, the first ones first.
var chief = []string{
	"mean_arrival_time", "path_ratio", "arrived_share", "collisions", "obstacle_collisions", "ns_per_agent_step", "speed_up", "real_time_factor",
	"step_p50_ns", "step_p99_ns", "bytes_per_agent", "allocs_per_step", "under_threat", "p95_arrival_time", "centers_inside", "time_ratio", "energy",
	"nearest_p50", "wiggle", "reversals", "acceleration", "order", "skipped_row_steps",
}

// figureOf returns the figure of a column: of lines and areas by the last part of its name, such as
// lines[0].flow.
func figureOf(column string) figure {
	f, known := figures[column]
	if i := strings.LastIndexByte(column, '.'); i >= 0 && !known {
		if f, known = figures[column[i+1:]]; known {
			f.words += ", " + column[:i]
		}
	}
	if !known {
		f.words = cli.Shorten(strings.ReplaceAll(strings.TrimPrefix(column, SetPrefix), "_", " "), 50)
	}
	f.scale = cmp.Or(f.scale, 1)
	return f
}

// axis is the label of an axis.
func (f figure) axis() string {
	if f.unit == "" {
		return f.words
	}
	return f.words + " (" + f.unit + ")"
}

// row is a row of the table of a file.
type row struct {
	*File
	i    int
	name string
}

// number returns a figure in the unit of pictures; NaN: there is none.
func (r row) number(column string) float64 {
	if x, ok := r.Table.Number(r.i, column); ok {
		return x * figureOf(column).scale
	}
	return math.NaN()
}

// group is rows of one color.
type group struct {
	name string
	rows []row
}

// values returns a figure of the rows that have it.
func values(groups []*group, column string) (all []float64) {
	for _, g := range groups {
		for _, r := range g.rows {
			if x := r.number(column); !math.IsNaN(x) {
				all = append(all, x)
			}
		}
	}
	return all
}

// noun is what a row is.
func (p *drawing) noun() string {
	return cmp.Or(map[Kind]string{RunKind: "run", ScoreKind: "scene", BenchKind: "result"}[p.kind], "row")
}

// rows returns the rows of all files. Names tell those of one file apart.
func (p *drawing) rows() (all []row) {
	for _, f := range p.files {
		var names []string
		for i := range f.Table.Rows {
			name := cmp.Or(f.Table.Text(i, "file"), f.Table.Text(i, "name"), f.Table.Text(i, "scene"), fmt.Sprintf("row %d", i+1))
			if f.Bench != nil {
				name = strings.ReplaceAll(f.Bench.Results[i].Label(), " by crowd", "")
			} else if p.kind == RunKind {
				name = p.runName(f, i)
			}
			names = append(names, name)
		}
		for i, name := range ShortNames(names, ".xml", ".toml", ".scenario") {
			all = append(all, row{f, i, name})
		}
	}
	return all
}

// groups returns the rows by file, or by the values of the column of --by. A single file needs no name.
func (p *drawing) groups() (all []*group, err error) {
	numeric := p.By != ""
	for _, r := range p.rows() {
		name := r.Label
		if p.By == "folder" && r.Table.Text(r.i, p.By) == "" {
			name = path.Dir(r.Table.Text(r.i, "file"))
		} else if p.By != "" {
			name = cli.Shorten(r.Table.Text(r.i, p.By), 50)
		} else if len(p.files) == 1 {
			name = ""
		}
		k := slices.IndexFunc(all, func(g *group) bool { return g.name == name })
		if k < 0 {
			_, err := strconv.ParseFloat(name, 64)
			k, all, numeric = len(all), append(all, &group{name: name}), numeric && err == nil
		}
		all[k].rows = append(all[k].rows, r)
	}
	switch {
	case p.By == "":
		return all, nil
	case len(all) == 1 && all[0].name == "":
		return nil, p.missing("--by", p.By, append(p.columns(false), "folder"))
	case len(all) > mostLines:
		return nil, fmt.Errorf("--by %s makes %d groups, want at most %d", p.By, len(all), mostLines)
	}
	slices.SortStableFunc(all, func(a, b *group) int {
		x, _ := strconv.ParseFloat(a.name, 64)
		y, _ := strconv.ParseFloat(b.name, 64)
		if numeric {
			return cmp.Compare(x, y)
		}
		return strings.Compare(a.name, b.name)
	})
	for _, g := range all {
		if g.name == "" {
			g.name = "without " + p.By
		} else if numeric || g.name == "true" || g.name == "false" {
			g.name = strings.ReplaceAll(p.By, "_", " ") + " " + g.name
		}
	}
	return all, nil
}

// columns returns the columns of all files, or those that have numbers.
func (p *drawing) columns(numeric bool) (all []string) {
	for _, f := range p.files {
		names := f.Table.Figures()
		if !numeric {
			names = f.Table.Columns
		}
		all = append(all, slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(all, name) })...)
	}
	return all
}

// missing is the error for a column that is not among names.
func (p *drawing) missing(flag, name string, names []string) error {
	short, in := cli.Shorten(name, 40), p.files[0].Name
	if len(p.files) > 1 {
		in = "these files"
	}
	what := "nothing called " + short
	if slices.Contains(p.columns(false), name) {
		what = short + " has no numbers"
	}
	return fmt.Errorf("%s: %s in %s; there are: %s", flag, what, in, list(names))
}

// list writes up to 100 names.
func list(names []string) string {
	var all []string
	for _, name := range names[:min(len(names), 100)] {
		all = append(all, cli.Shorten(name, 40))
	}
	return strings.Join(all, ", ") + map[bool]string{true: ", …"}[len(names) > 100]
}

// prepare returns the groups, and counts the rows that lack one of the figures.
func (p *drawing) prepare(columns ...string) ([]*group, error) {
	for i, name := range columns {
		flag := []string{"--x", "--y"}[i]
		if name == "" {
			return nil, fmt.Errorf("%s is missing, want one of: %s", flag, list(p.columns(true)))
		} else if !slices.ContainsFunc(p.files, func(f *File) bool { return f.Table.Numeric(name) }) {
			return nil, p.missing(flag, name, p.columns(true))
		}
	}
	groups, err := p.groups()
	rows := len(p.rows())
	for _, column := range columns {
		n := rows - len(values(groups, column))
		text, words := fmt.Sprintf("not measured in %s of %s: ", cli.Thousands(n), cli.Plural(rows, p.noun())), figureOf(column).words
		if i := slices.IndexFunc(p.notes, func(note string) bool { return strings.HasPrefix(note, text) }); n > 0 && i >= 0 {
			p.notes[i] = fmt.Sprintf("%s, %q", p.notes[i], words)
		} else if n > 0 {
			p.note("%s%q", text, words)
		}
	}
	return groups, err
}

// each draws a panel for the figure that is asked for, or for each of the main ones, or of the first ones.
func (p *drawing) each(draw func(groups []*group, column string) *Panel) (*Sheet, error) {
	names := []string{p.X}
	if all := p.columns(true); p.X == "" {
		names = slices.DeleteFunc(slices.Clone(chief), func(name string) bool { return !slices.Contains(all, name) })
		if len(names) < 2 {
			names = all
		}
	}
	var panels []*Panel
	for _, name := range names[:min(len(names), 6)] {
		groups, err := p.prepare(name)
		if err != nil {
			return nil, err
		}
		panels = append(panels, draw(groups, name))
	}
	return p.picture(min(len(panels), 3), panels...), nil
}

// distributions draws in which share of the rows each figure is no higher.
func (p *drawing) distributions() (*Sheet, error) {
	return p.each(func(groups []*group, column string) *Panel {
		panel := NewPanel(p.style, "", figureOf(column).axis(), "share of "+p.noun()+"s with no more (%)").log(p.Log, false)
		for i, g := range groups {
			line, look := Series{Name: g.name, Color: i, Glyph: i, Dash: i / len(p.style.Lines)}, Joined
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

// scatter draws a dot for each row.
func (p *drawing) scatter() (*Sheet, error) { return p.pairs(Marked) }

// curve draws the median of a figure at each value of another, with its quartiles.
func (p *drawing) curve() (*Sheet, error) { return p.pairs(Joined | Marked | Barred) }

func (p *drawing) pairs(look SeriesLook) (*Sheet, error) {
	groups, err := p.prepare(p.X, p.Y)
	if err != nil {
		return nil, err
	}
	panel := NewPanel(p.style, "", figureOf(p.X).axis(), figureOf(p.Y).axis()).log(p.Log, p.Log)
	left, n := 0, 0
	for i, g := range groups {
		s, at := Series{Name: g.name, Color: i, Glyph: i, Dash: i / len(p.style.Lines)}, map[float64][]float64{}
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
		p.note("%s not above 0, and so not on logarithmic axes", cli.Plural(left, p.noun()))
	}
	if n == 0 {
		return nil, fmt.Errorf("no %s of %s has both %s and %s that can be drawn", p.noun(), p.files[0].Name, p.X, p.Y)
	}
	return p.picture(1, panel), nil
}

// rowBars draws figures of each row, the highest first. Rows of several groups with one name are side by side.
func (p *drawing) rowBars() (*Sheet, error) {
	return p.each(func(groups []*group, column string) *Panel {
		if !slices.ContainsFunc(groups, func(g *group) bool { return len(g.rows) > 1 }) { // nothing to put side by side
			groups = []*group{{rows: p.rows()}}
		}
		rows, names := barRows{}, make([]string, len(groups))
		for k, g := range groups {
			names[k] = g.name
			for _, r := range g.rows {
				rows.set(r.name, k, len(groups), r.number(column))
			}
		}
		return p.bars("", figureOf(column).axis(), names, rows)
	})
}

// barRows are the figures of each name, by series; NaN is none.
type barRows map[string][]float64

func (b barRows) set(name string, series, of int, x float64) {
	if b[name] == nil {
		b[name] = slices.Repeat([]float64{math.NaN()}, of)
	}
	b[name][series] = x
}

// highest returns the highest figure of a name.
func (b barRows) highest(name string) float64 {
	return slices.Max(append(slices.DeleteFunc(slices.Clone(b[name]), math.IsNaN), math.Inf(-1)))
}

// bars draws up to 60 rows of figures, the highest first.
func (p *drawing) bars(title, axis string, series []string, rows barRows) *Panel {
	const most = 60
	panel, figures := NewPanel(p.style, title, axis, "").log(p.Log, false), make([][]float64, len(series))
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(rows)), func(name string) bool { return math.IsInf(rows.highest(name), -1) })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rows.highest(b), rows.highest(a)) })
	if n := len(names); n > most {
		p.note("the highest %d of %s", most, cli.Plural(n, p.noun()))
		names = names[:most]
	}
	for k, of := range series {
		panel.Label(of, Swatch(p.style.Line(k)))
		for _, name := range names {
			figures[k] = append(figures[k], rows[name][k])
		}
	}
	panel.bars(names, figures...)
	return panel
}

// histograms draws how often figures have which value, the groups on top of each other.
func (p *drawing) histograms() (*Sheet, error) {
	return p.each(func(groups []*group, column string) *Panel {
		all := values(groups, column)
		bins := newBins(all, p.Log)
		panel := NewPanel(p.style, "", figureOf(column).axis(), p.noun()+"s").log(bins.log, false)
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
		slices.Reverse(charts) // the lower ones hide the lower parts of the higher ones
		panel.Add(charts...)
		p.noteBeyond(all, bins, column)
		return panel
	})
}

// noteBeyond counts the values that are beyond the bars of a histogram.
func (p *drawing) noteBeyond(all []float64, b *bins, column string) {
	first, last := b.edges[0], b.edges[len(b.edges)-1]
	var none, below, above int
	for _, x := range all {
		if _, ok := b.of(x); !ok {
			none++
		} else if x < first {
			below++
		} else if x > last {
			above++
		}
	}
	if none > 0 {
		p.note("%s of %s are not above 0, and so not on a logarithmic axis", cli.Thousands(none), column)
	}
	if below > 0 {
		p.note("%s: %s below %s, down to %s, in the first bar", column, cli.Plural(below, p.noun()), cli.Figure(first), cli.Figure(slices.Min(all)))
	}
	if above > 0 {
		p.note("%s: %s above %s, up to %s, in the last bar", column, cli.Plural(above, p.noun()), cli.Figure(last), cli.Figure(slices.Max(all)))
	}
}

// bins are the bars of a histogram. Values far from all others are in the first and last one.
type bins struct {
	log   bool
	edges []float64
}

// newBins returns bins by the rule of Freedman and Diaconis, rounded: 5 to 50. They are logarithmic on demand, or
// if the middle 80 % of the values span more than a factor of 40.
func newBins(values []float64, log bool) *bins {
	sorted := slices.Sorted(slices.Values(values))
	quantile := func(q float64) float64 { return cli.Quantile(sorted, q) }
	if log = log || len(sorted) > 2 && sorted[0] > 0 && quantile(0.9) > 40*quantile(0.1); log {
		sorted = slices.DeleteFunc(sorted, func(x float64) bool { return x <= 0 })
		for i, x := range sorted {
			sorted[i] = math.Log10(x)
		}
	}
	if len(sorted) == 0 {
		return &bins{log, []float64{1, 2}}
	}
	if lo, hi := quantile(0.1), quantile(0.9); !log && lo < hi { // without what is farther away than three times the middle spans
		near := slices.DeleteFunc(slices.Clone(sorted), func(x float64) bool { return x < lo-3*(hi-lo) || x > hi+3*(hi-lo) })
		if sorted[len(sorted)-1]-sorted[0] > 2*(near[len(near)-1]-near[0]) {
			sorted = near
		}
	}
	lo, hi := sorted[0], sorted[len(sorted)-1]
	width := 2 * (quantile(0.75) - quantile(0.25)) / math.Cbrt(float64(len(sorted)))
	width = niceStep(min(max(width, (hi-lo)/50), (hi-lo)/5))
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
			edge = math.Pow(10, edge)
		}
		b.edges = append(b.edges, edge)
	}
	return b
}

// of returns the bin of a value. Values that are not above 0 have none on a logarithmic axis.
func (b *bins) of(x float64) (k int, ok bool) {
	k, found := slices.BinarySearch(b.edges, x+1e-9*(b.edges[1]-b.edges[0]))
	if !found {
		k--
	}
	return min(max(k, 0), len(b.edges)-2), !b.log || x > 0
}
