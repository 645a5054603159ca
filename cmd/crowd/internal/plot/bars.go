package plot

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// AddBars draws rows of bars from the top down, with names on the axis and figures beside the bars.
// Each series has a figure for each row; NaN is none. There are dots in place of bars on a
// logarithmic axis, which has no 0, and for more than six series.
func (p *Panel) AddBars(names []string, series ...[]float64) {
	wide, pitch, dots := vg.Length(10), vg.Length(10*len(series)+6), p.LogX || len(series) > 6
	if dots || len(series) == 1 {
		wide, pitch = 14, 18
	}
	p.Y.Padding = 0
	for k, figures := range series {
		values, points, texts := make(plotter.Values, len(names)), make(Points, len(names)), make([]string, len(names))
		for i, x := range figures {
			if points[i], texts[i] = At(x, -float64(i)), "–"; !math.IsNaN(x) {
				values[len(names)-1-i], texts[i] = x, Short(x)
			} else if !dots {
				points[i].X = 0
			}
		}
		offset := wide * (vg.Length(len(series)-1)/2 - vg.Length(k))
		if chart, err := plotter.NewBarChart(values, wide); dots {
			offset = 0
			p.AddSeries(Marked, Series{Color: k, Glyph: k, Points: points})
		} else if err == nil {
			chart.Horizontal, chart.XMin, chart.Offset, chart.Color, chart.LineStyle.Width = true, 1-float64(len(names)), offset, p.style.Line(k), 0
			p.Add(chart)
		}
		if !dots || len(series) == 1 {
			p.Write(points, texts, vg.Point{X: 6, Y: offset - 3}, p.style.Text(9, p.style.Ink))
		}
	}
	if !dots {
		p.X.Min = min(p.X.Min, 0)
	}
	p.Names(&p.Y, names, -1)
	p.High, p.Y.Tick.Length, p.Y.LineStyle.Width = 60+pitch*vg.Length(len(names)), 0, 0
}

// Short writes a figure with three digits, or more where it is whole.
func Short(x float64) string {
	if a := math.Abs(x); a >= 1e-4 && a < 1000 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return cli.Figure(x)
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

// barRows are the figures of each name, by series.
type barRows map[string]map[int]float64

// set sets the figure of a series, if there is one.
func (b barRows) set(series int, name string, x float64) {
	if b[name] == nil {
		b[name] = map[int]float64{}
	}
	if !math.IsNaN(x) {
		b[name][series] = x
	}
}

// highest returns the highest figure of a name.
func (b barRows) highest(name string) float64 {
	most := math.Inf(-1)
	for _, x := range b[name] {
		most = max(most, x)
	}
	return most
}

// mostBars is the number of rows that are drawn one by one.
const mostBars = 60

// bars draws rows of figures, the highest first.
func (p *drawing) bars(title, axis string, series []string, rows barRows) *Panel {
	panel, figures := NewPanel(p.style, title, axis, ""), make([][]float64, len(series))
	panel.Log(p.Log, false)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(rows)), func(name string) bool { return len(rows[name]) == 0 })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rows.highest(b), rows.highest(a)) })
	if n := len(names); n > mostBars {
		p.note("the highest %d of %s", mostBars, cli.Plural(n, p.noun()))
		names = names[:mostBars]
	}
	for k, of := range series {
		panel.Label(of, Swatch{Color: p.style.Line(k)})
		for _, name := range names {
			x, ok := rows[name][k]
			if !ok {
				x = math.NaN()
			}
			figures[k] = append(figures[k], x)
		}
	}
	panel.AddBars(names, figures...)
	return panel
}
