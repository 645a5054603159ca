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

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// row is a row of the table of a file.
type row struct {
	*data.File
	i    int
	name string
}

// number returns a figure in the unit that it is written in; NaN: there is none.
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

// noun is what a row is.
func (p *drawing) noun() string {
	return cmp.Or(map[data.Kind]string{data.RunKind: "run", data.ScoreKind: "scene", data.BenchKind: "result"}[p.kind], "row")
}

// rows returns the rows of all files, with names that tell them apart.
func (p *drawing) rows() (all []row) {
	var names []string
	for _, f := range p.files {
		for i := range f.Table.Rows {
			name := cmp.Or(f.Table.Text(i, "file"), f.Table.Text(i, "name"), f.Table.Text(i, "scene"), fmt.Sprintf("row %d", i+1))
			switch {
			case f.Bench != nil:
				name = strings.ReplaceAll(f.Bench.Results[i].Label(), " by crowd", "")
			case p.kind == data.RunKind && len(f.Table.Rows) == 1:
				name = f.Label
			case p.kind == data.RunKind:
				if name = runName(f, i); len(p.files) > 1 {
					name = f.Label + ", " + name
				}
			}
			all, names = append(all, row{f, i, ""}), append(names, name)
		}
	}
	perFile := 0 // names of different files may be equal: they are one row of bars
	for _, f := range p.files {
		for i, name := range data.ShortNames(names[perFile:perFile+len(f.Table.Rows)], ".xml", ".toml", ".scenario") {
			all[perFile+i].name = name
		}
		perFile += len(f.Table.Rows)
	}
	return all
}

// groups returns the rows by file, or by the values of the column of --by.
func (p *drawing) groups() (all []*group, err error) {
	numeric, found := true, false
	for _, r := range p.rows() {
		name := r.Label
		if p.By != "" {
			if name = r.Table.Text(r.i, p.By); p.By == "folder" && name == "" {
				name = path.Dir(r.Table.Text(r.i, "file"))
			}
			found = found || name != ""
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
	case !found:
		return nil, p.noColumn("--by", p.By, append(p.columns(false), "folder"))
	case len(all) > sheet.MostLines:
		return nil, fmt.Errorf("--by %s makes %d groups, want at most %d", p.By, len(all), sheet.MostLines)
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
		switch name := terminal.Shorten(g.name, 50); {
		case name == "":
			g.name = "without " + p.By
		case numeric || name == "true" || name == "false":
			g.name = strings.ReplaceAll(p.By, "_", " ") + " " + name
		default:
			g.name = name
		}
	}
	return all, nil
}

// columns returns the columns of all files, or those that have numbers.
func (p *drawing) columns(numeric bool) (all []string) {
	for _, f := range p.files {
		names := f.Table.Columns
		if numeric {
			names = f.Table.Numeric()
		}
		for _, name := range names {
			if !slices.Contains(all, name) && !strings.Contains(name, "[") {
				all = append(all, name)
			}
		}
	}
	return all
}

// check returns an error if a figure is in no file.
func (p *drawing) check(flag, name string) error {
	if name == "" {
		return fmt.Errorf("%s is missing, want one of: %s", flag, list(p.columns(true)))
	}
	for _, r := range p.rows() {
		if !math.IsNaN(r.number(name)) {
			return nil
		}
	}
	return p.noColumn(flag, name, p.columns(true))
}

func (p *drawing) noColumn(flag, name string, names []string) error {
	in, text := p.files[0].Name, "nothing called "+terminal.Shorten(name, 40)
	if len(p.files) > 1 {
		in = "these files"
	}
	if slices.Contains(p.columns(false), name) {
		text = fmt.Sprintf("%s has no numbers", terminal.Shorten(name, 40))
		return fmt.Errorf("%s: %s in %s; there are: %s", flag, text, in, list(names))
	}
	return fmt.Errorf("%s: %s in %s; there are: %s", flag, text, in, list(names))
}

// list writes up to 100 names.
func list(names []string) string {
	var all []string
	for _, name := range names[:min(len(names), 100)] {
		all = append(all, terminal.Shorten(name, 40))
	}
	if len(names) > len(all) {
		all = append(all, "…")
	}
	return strings.Join(all, ", ")
}

// noteMissing counts the rows that lack a figure.
func (p *drawing) noteMissing(groups []*group, column string) {
	rows, found := 0, 0
	for _, g := range groups {
		rows, found = rows+len(g.rows), found+len(g.values(column))
	}
	text, words := fmt.Sprintf("not measured in %s of %s: ", numbers.Thousands(rows-found), numbers.Plural(rows, p.noun())), figureOf(column).words
	if i := slices.IndexFunc(p.notes, func(note string) bool { return strings.HasPrefix(note, text) }); found < rows && i >= 0 {
		p.notes[i] = fmt.Sprintf("%s, %q", p.notes[i], words)
	} else if found < rows {
		p.note("%s%q", text, words)
	}
}

// picture begins a picture of rows.
func (p *drawing) picture(columns int, panels ...*sheet.Panel) *sheet.Sheet {
	title := p.files[0].Label
	if len(p.files) > 1 {
		title = numbers.Plural(len(p.files), "file")
	}
	return &sheet.Sheet{Title: numbers.Plural(len(p.rows()), p.noun()) + " of " + title, Columns: columns, Panels: panels}
}

// each draws a panel for the figure that is asked for, or for each of the main ones, or of the first ones.
func (p *drawing) each(draw func(groups []*group, column string) *sheet.Panel) (*sheet.Sheet, error) {
	all, names := p.columns(true), []string{p.X}
	if p.X == "" {
		names = slices.DeleteFunc(slices.Clone(chief), func(name string) bool { return !slices.Contains(all, name) })
		if len(names) < 2 {
			names = all
		}
		names = names[:min(len(names), 6)]
	} else if err := p.check("--x", p.X); err != nil {
		return nil, err
	}
	groups, err := p.groups()
	if err != nil {
		return nil, err
	}
	s := p.picture(min(len(names), 3))
	for _, name := range names {
		s.Panels = append(s.Panels, draw(groups, name))
		p.noteMissing(groups, name)
	}
	s.ShareLegend()
	return s, nil
}

// distributions draws in which share of the rows each figure is no higher.
func (p *drawing) distributions() (*sheet.Sheet, error) {
	return p.each(func(groups []*group, column string) *sheet.Panel {
		panel := sheet.NewPanel(p.style, "", figureOf(column).axis(), "share of "+p.noun()+"s with no more (%)")
		var all []float64
		for _, g := range groups {
			all = append(all, g.values(column)...)
		}
		panel.Log(p.Log || uneven(all), false)
		for i, g := range groups {
			values := slices.Sorted(slices.Values(g.values(column)))
			line := sheet.Series{Name: g.name, Color: i, Dash: i / len(p.style.Lines)}
			for k, x := range values {
				if k == 0 || panel.LogX && values[k-1] <= 0 && x > 0 { // zeros are to the left of a logarithmic axis
					line.Points = append(line.Points, sheet.At(x, 100*float64(k)/float64(len(values))))
				}
				line.Points = append(line.Points, sheet.At(x, 100*float64(k+1)/float64(len(values))))
			}
			panel.AddSeries(sheet.Joined|sheet.Stepped, line)
		}
		panel.Y.Min, panel.Y.Max = 0, 100
		return panel
	})
}

// histograms draws how often figures have which value: of one figure a panel for each group with the same
// axes, of several figures the groups on top of each other.
func (p *drawing) histograms() (*sheet.Sheet, error) {
	if p.X != "" {
		if err := p.check("--x", p.X); err != nil {
			return nil, err
		}
		if groups, err := p.groups(); err != nil {
			return nil, err
		} else if len(groups) > 1 {
			return p.histogramEach(groups)
		}
	}
	return p.each(func(groups []*group, column string) *sheet.Panel {
		bins, all := p.bins(groups, column)
		panel := sheet.NewPanel(p.style, "", figureOf(column).axis(), p.noun()+"s")
		panel.Log(bins.Log, false)
		var names []string
		var colors []int
		var counts [][]float64
		for i, g := range groups {
			names, colors, counts = append(names, g.name), append(colors, i), append(counts, bins.Count(g.values(column)))
		}
		panel.AddHistograms(bins, all, names, colors, counts...)
		panel.Y.Tick.Marker = sheet.Ticks{Whole: true}
		return panel
	})
}

// histogramEach draws which share of each group has which value.
func (p *drawing) histogramEach(groups []*group) (*sheet.Sheet, error) {
	bins, all := p.bins(groups, p.X)
	s, most := p.picture(min(3, (len(groups)+2)/3)), 0.
	for i, g := range groups {
		values := g.values(p.X)
		counts := bins.Count(values)
		for k := range counts {
			counts[k] *= 100 / float64(max(1, len(values)))
			most = max(most, counts[k])
		}
		panel := sheet.NewPanel(p.style, fmt.Sprintf("%s, %s", g.name, numbers.Plural(len(values), p.noun())), figureOf(p.X).axis(), "share (%)")
		panel.Log(bins.Log, false)
		panel.AddHistograms(bins, all, []string{g.name}, []int{i}, counts)
		s.Panels = append(s.Panels, panel)
	}
	for _, panel := range s.Panels {
		panel.Y.Max, panel.High = most, 180
	}
	p.noteMissing(groups, p.X)
	s.ShareLegend()
	return s, nil
}

// bins returns the bins for all groups and the counts of all, and notes what is beyond them.
func (p *drawing) bins(groups []*group, column string) (*sheet.Bins, []float64) {
	var values []float64
	for _, g := range groups {
		values = append(values, g.values(column)...)
	}
	b := sheet.NewBins(values, p.Log)
	all := b.Count(values)
	sum := 0.
	for _, n := range all {
		sum += n
	}
	if left := len(values) - int(sum); left > 0 {
		p.note("%s of %s are not above 0, and so not on a logarithmic axis", numbers.Thousands(left), column)
	}
	if n := int(all[0]); n > 0 {
		p.note("%s: %s below %s, down to %s, in the first bar", column, numbers.Plural(n, p.noun()), numbers.Figure(b.First), numbers.Figure(slices.Min(values)))
	}
	if n := int(all[len(all)-1]); n > 0 {
		p.note("%s: %s above %s, up to %s, in the last bar", column, numbers.Plural(n, p.noun()), numbers.Figure(b.Last), numbers.Figure(slices.Max(values)))
	}
	return b, all
}

// mostBars is the number of rows that are drawn one by one.
const mostBars = 60

// rowBars draws a figure of each row, the highest first. Rows of several groups with one name are side by
// side.
func (p *drawing) rowBars() (*sheet.Sheet, error) {
	if err := p.check("--x", p.X); err != nil {
		return nil, err
	}
	groups, err := p.groups()
	if err != nil {
		return nil, err
	}
	panel := sheet.NewPanel(p.style, "", figureOf(p.X).axis(), "")
	panel.Log(p.Log, false)
	bars := &bars{series: len(groups)}
	for k, g := range groups {
		panel.Label(g.name, sheet.Swatch{Color: p.style.Line(k)})
		for _, r := range g.rows {
			bars.add(k, r.name, r.number(p.X))
		}
	}
	bars.sort()
	if n := len(bars.names); n > mostBars {
		p.note("the highest %d of %s", mostBars, numbers.Plural(n, p.noun()))
		bars.names = bars.names[:mostBars]
	}
	bars.draw(panel)
	p.noteMissing(groups, p.X)
	s := p.picture(1, panel)
	s.ShareLegend()
	return s, nil
}

// pairs returns a panel of two figures, and their values in each group.
func (p *drawing) pairs() (*sheet.Panel, []sheet.Series, error) {
	if err := cmp.Or(p.check("--x", p.X), p.check("--y", p.Y)); err != nil {
		return nil, nil, err
	}
	groups, err := p.groups()
	if err != nil {
		return nil, nil, err
	}
	panel := sheet.NewPanel(p.style, "", figureOf(p.X).axis(), figureOf(p.Y).axis())
	panel.Log(p.Log, p.Log)
	var all []sheet.Series
	left, n := 0, 0
	for i, g := range groups {
		s := sheet.Series{Name: g.name, Color: i, Glyph: i, Dash: i / len(p.style.Lines)}
		for _, r := range g.rows {
			x, y := r.number(p.X), r.number(p.Y)
			if panel.Has(x, y) {
				s.Points, n = append(s.Points, sheet.At(x, y)), n+1
			} else if !math.IsNaN(x) && !math.IsNaN(y) {
				left++
			}
		}
		all = append(all, s)
	}
	p.noteMissing(groups, p.X)
	p.noteMissing(groups, p.Y)
	if left > 0 {
		p.note("%s not above 0, and so not on logarithmic axes", numbers.Plural(left, p.noun()))
	}
	if n == 0 {
		err = fmt.Errorf("no %s of %s has both %s and %s that can be drawn", p.noun(), p.files[0].Name, p.X, p.Y)
	}
	return panel, all, err
}

// scatter draws a dot for each row.
func (p *drawing) scatter() (*sheet.Sheet, error) {
	panel, all, err := p.pairs()
	if err != nil {
		return nil, err
	}
	panel.AddSeries(sheet.Marked, all...)
	s := p.picture(1, panel)
	s.ShareLegend()
	return s, nil
}

// curve draws the median of a figure at each value of another, with its quartiles.
func (p *drawing) curve() (*sheet.Sheet, error) {
	panel, all, err := p.pairs()
	if err != nil {
		return nil, err
	}
	for i := range all {
		at := map[float64][]float64{}
		for _, q := range all[i].Points {
			at[q.X] = append(at[q.X], q.Y)
		}
		all[i].Points = nil
		for _, x := range slices.Sorted(maps.Keys(at)) {
			q := quantile.Quartiles(at[x])
			all[i].Points = append(all[i].Points, sheet.Point{X: x, Y: q[1], Low: q[0], High: q[2]})
		}
	}
	panel.AddSeries(sheet.Joined|sheet.Marked|sheet.Barred, all...)
	s := p.picture(1, panel)
	s.ShareLegend()
	return s, nil
}

// bars are rows of figures by their names, with a figure for each series.
type bars struct {
	names   []string
	figures map[string][]float64
	series  int
}

// add adds a figure to the series k. A name that is there again in the series is numbered.
func (b *bars) add(k int, name string, x float64) {
	if b.figures == nil {
		b.figures = map[string][]float64{}
	}
	if b.figures[name] == nil {
		b.names, b.figures[name] = append(b.names, name), slices.Repeat([]float64{math.NaN()}, b.series)
	}
	b.figures[name][k] = x
}

// most returns the highest figure of a name.
func (b *bars) most(name string) float64 {
	most := math.Inf(-1)
	for _, x := range b.figures[name] {
		if !math.IsNaN(x) {
			most = max(most, x)
		}
	}
	return most
}

// sort sorts the rows, the highest first, and drops those without figures.
func (b *bars) sort() {
	b.names = slices.DeleteFunc(b.names, func(name string) bool { return math.IsInf(b.most(name), -1) })
	slices.SortStableFunc(b.names, func(a, c string) int { return cmp.Compare(b.most(c), b.most(a)) })
}

// draw draws the bars.
func (b *bars) draw(panel *sheet.Panel) {
	series := make([][]float64, b.series)
	for _, name := range b.names {
		for k, x := range b.figures[name] {
			series[k] = append(series[k], x)
		}
	}
	panel.AddBars(b.names, series...)
}

// uneven reports whether values are so far apart that a logarithmic axis is better.
func uneven(values []float64) bool {
	above := slices.DeleteFunc(slices.Clone(values), func(x float64) bool { return x == 0 })
	return len(above) > 2 && slices.Min(above) > 0 && slices.Max(above) > 40*quantile.Of(above, 0.5)
}
