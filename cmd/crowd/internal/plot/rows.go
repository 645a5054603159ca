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
)

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
func (g *group) values(column string) (all []float64) {
	for _, r := range g.rows {
		if x := r.number(column); !math.IsNaN(x) {
			all = append(all, x)
		}
	}
	return all
}

// values returns a figure of all groups.
func values(groups []*group, column string) (all []float64) {
	for _, g := range groups {
		all = append(all, g.values(column)...)
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

// groups returns the rows by file, or by the values of the column of --by.
func (p *drawing) groups() (all []*group, err error) {
	numeric := p.By != ""
	for _, r := range p.rows() {
		name := r.Label
		if p.By == "folder" && r.Table.Text(r.i, p.By) == "" {
			name = path.Dir(r.Table.Text(r.i, "file"))
		} else if p.By != "" {
			name = cli.Shorten(r.Table.Text(r.i, p.By), 50)
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
	case len(all) > MostLines:
		return nil, fmt.Errorf("--by %s makes %d groups, want at most %d", p.By, len(all), MostLines)
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

// check returns an error if a figure is in no file.
func (p *drawing) check(flag, name string) error {
	names := p.columns(true)
	if name == "" {
		return fmt.Errorf("%s is missing, want one of: %s", flag, list(names))
	} else if !slices.ContainsFunc(p.files, func(f *File) bool { return f.Table.Numeric(name) }) {
		return p.missing(flag, name, names)
	}
	return nil
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

// picture makes a picture of rows, with one legend.
func (p *drawing) picture(columns int, panels ...*Panel) *Sheet {
	of := p.files[0].Label
	if len(p.files) > 1 {
		of = cli.Plural(len(p.files), "file")
	}
	s := &Sheet{Title: cli.Plural(len(p.rows()), p.noun()) + " of " + of, Columns: columns, Panels: panels}
	s.ShareLegend()
	return s
}

// prepare checks columns, counts the rows that lack one of them, and returns the groups.
func (p *drawing) prepare(flags ...string) ([]*group, error) {
	for _, flag := range flags {
		if err := p.check(flag, map[string]string{"--x": p.X, "--y": p.Y}[flag]); err != nil {
			return nil, err
		}
	}
	groups, err := p.groups()
	for _, flag := range flags {
		p.noteMissing(groups, map[string]string{"--x": p.X, "--y": p.Y}[flag])
	}
	return groups, err
}

// noteMissing counts the rows that lack a figure.
func (p *drawing) noteMissing(groups []*group, column string) {
	rows := len(p.rows())
	n := rows - len(values(groups, column))
	text, words := fmt.Sprintf("not measured in %s of %s: ", cli.Thousands(n), cli.Plural(rows, p.noun())), figureOf(column).words
	if i := slices.IndexFunc(p.notes, func(note string) bool { return strings.HasPrefix(note, text) }); n > 0 && i >= 0 {
		p.notes[i] = fmt.Sprintf("%s, %q", p.notes[i], words)
	} else if n > 0 {
		p.note("%s%q", text, words)
	}
}

// each draws a panel for the figure that is asked for, or for each of the main ones, or of the first ones.
func (p *drawing) each(draw func(groups []*group, column string) *Panel) (*Sheet, error) {
	all := p.columns(true)
	names := slices.DeleteFunc(slices.Clone(chief), func(name string) bool { return !slices.Contains(all, name) })
	if p.X != "" {
		if err := p.check("--x", p.X); err != nil {
			return nil, err
		}
		names = []string{p.X}
	} else if len(names) < 2 {
		names = all
	}
	groups, err := p.groups()
	if err != nil {
		return nil, err
	}
	var panels []*Panel
	for _, name := range names[:min(len(names), 6)] {
		panels = append(panels, draw(groups, name))
		p.noteMissing(groups, name)
	}
	return p.picture(min(len(panels), 3), panels...), nil
}

// distributions draws in which share of the rows each figure is no higher.
func (p *drawing) distributions() (*Sheet, error) {
	return p.each(func(groups []*group, column string) *Panel {
		panel := NewPanel(p.style, "", figureOf(column).axis(), "share of "+p.noun()+"s with no more (%)")
		above := slices.DeleteFunc(values(groups, column), func(x float64) bool { return x == 0 })
		uneven := len(above) > 2 && slices.Min(above) > 0 && slices.Max(above) > 40*cli.Quantile(above, 0.5)
		panel.Log(p.Log || uneven, false)
		for i, g := range groups {
			line, look := Series{Name: g.name, Color: i, Glyph: i, Dash: i / len(p.style.Lines)}, Joined
			sorted := slices.Sorted(slices.Values(g.values(column)))
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

// histograms draws how often figures have which value: of one figure the share in a panel for each group, of
// several figures the groups on top of each other.
func (p *drawing) histograms() (*Sheet, error) {
	groups, err := p.groups()
	if err != nil || p.X == "" || len(groups) == 1 {
		return p.each(func(groups []*group, column string) *Panel {
			return p.histogram(p.bins(groups, column), groups, groups, column)
		})
	}
	if groups, err = p.prepare("--x"); err != nil {
		return nil, err
	}
	var panels []*Panel
	bins, most := p.bins(groups, p.X), 0.
	for i := range groups {
		panel := p.histogram(bins, groups, groups[i:i+1], p.X)
		panels, most = append(panels, panel), max(most, panel.Y.Max)
	}
	for _, panel := range panels {
		panel.Y.Max, panel.High = most, 180
	}
	return p.picture(min(3, (len(groups)+2)/3), panels...), nil
}

// histogram draws some of all groups.
func (p *drawing) histogram(bins *Bins, all, some []*group, column string) *Panel {
	panel := NewPanel(p.style, "", figureOf(column).axis(), p.noun()+"s")
	panel.Log(bins.Log, false)
	panel.Y.Tick.Marker = Ticks{Whole: true}
	var names []string
	var colors []int
	var counts [][]float64
	for i, g := range all {
		if slices.Contains(some, g) {
			names, colors, counts = append(names, g.name), append(colors, i), append(counts, bins.Count(g.values(column)))
		}
	}
	if n := len(some[0].values(column)); len(some) < len(all) {
		panel.Title.Text, panel.Y.Label.Text = fmt.Sprintf("%s, %s", names[0], cli.Plural(n, p.noun())), "share (%)"
		for k := range counts[0] {
			counts[0][k] *= 100 / float64(max(1, n))
		}
	}
	panel.AddHistograms(bins, bins.Count(values(all, column)), names, colors, counts...)
	return panel
}

// bins returns the bins for all groups, and notes what is beyond them.
func (p *drawing) bins(groups []*group, column string) *Bins {
	all := values(groups, column)
	b := NewBins(all, p.Log)
	if n := len(slices.DeleteFunc(slices.Clone(all), func(x float64) bool { return x > 0 })); b.Log && n > 0 {
		p.note("%s of %s are not above 0, and so not on a logarithmic axis", cli.Thousands(n), column)
	}
	counts := b.Count(all)
	if n := int(counts[0]); n > 0 {
		p.note("%s: %s below %s, down to %s, in the first bar", column, cli.Plural(n, p.noun()), cli.Figure(b.First), cli.Figure(slices.Min(all)))
	}
	if n := int(counts[len(counts)-1]); n > 0 {
		p.note("%s: %s above %s, up to %s, in the last bar", column, cli.Plural(n, p.noun()), cli.Figure(b.Last), cli.Figure(slices.Max(all)))
	}
	return b
}

// rowBars draws a figure of each row, the highest first. Rows of several groups with one name are side by
// side.
func (p *drawing) rowBars() (*Sheet, error) {
	groups, err := p.prepare("--x")
	if err != nil {
		return nil, err
	}
	var names []string
	bars := barRows{}
	for k, g := range groups {
		names = append(names, g.name)
		for _, r := range g.rows {
			bars.set(k, r.name, r.number(p.X))
		}
	}
	return p.picture(1, p.bars("", figureOf(p.X).axis(), names, bars)), nil
}

// barRows are the figures of each name, one for each series; NaN or too few: there is none.
type barRows map[string][]float64

// set sets the figure of a series.
func (b barRows) set(series int, name string, x float64) {
	for len(b[name]) <= series {
		b[name] = append(b[name], math.NaN())
	}
	b[name][series] = x
}

// highest returns the highest figure of a name.
func (b barRows) highest(name string) float64 {
	most := math.Inf(-1)
	for _, x := range b[name] {
		if !math.IsNaN(x) {
			most = max(most, x)
		}
	}
	return most
}

// mostBars is the number of rows that are drawn one by one.
const mostBars = 60

// bars draws rows of figures, the highest first.
func (p *drawing) bars(title, axis string, series []string, rows barRows) *Panel {
	panel, figures := NewPanel(p.style, title, axis, ""), make([][]float64, len(series))
	panel.Log(p.Log, false)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(rows)), func(name string) bool { return math.IsInf(rows.highest(name), -1) })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rows.highest(b), rows.highest(a)) })
	if n := len(names); n > mostBars {
		p.note("the highest %d of %s", mostBars, cli.Plural(n, p.noun()))
		names = names[:mostBars]
	}
	for k, of := range series {
		panel.Label(of, Swatch{Color: p.style.Line(k)})
		for _, name := range names {
			figures[k] = append(figures[k], append(rows[name], slices.Repeat([]float64{math.NaN()}, k+1)...)[k])
		}
	}
	panel.AddBars(names, figures...)
	return panel
}

// scatter draws a dot for each row.
func (p *drawing) scatter() (*Sheet, error) { return p.pairs(Marked) }

// curve draws the median of a figure at each value of another, with its quartiles.
func (p *drawing) curve() (*Sheet, error) {
	return p.pairs(Joined | Marked | Barred)
}

func (p *drawing) pairs(look SeriesLook) (*Sheet, error) {
	groups, err := p.prepare("--x", "--y")
	if err != nil {
		return nil, err
	}
	panel := NewPanel(p.style, "", figureOf(p.X).axis(), figureOf(p.Y).axis())
	panel.Log(p.Log, p.Log)
	left, n := 0, 0
	for i, g := range groups {
		s, at := Series{Name: g.name, Color: i, Glyph: i, Dash: i / len(p.style.Lines)}, map[float64][]float64{}
		for _, r := range g.rows {
			x, y := r.number(p.X), r.number(p.Y)
			if panel.Has(x, y) {
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
