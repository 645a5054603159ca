package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func (p *drawing) rowBars() ([]*Panel, error) {
	return p.each(func(groups []*group, column string) *Panel {
		var all []bar
		var series []string
		for k, g := range groups {
			series = append(series, g.name)
			for _, r := range g.rows {
				all = append(all, bar{r.name, k, r.number(column)})
			}
		}
		return p.bars("", metricOf(column).Axis(), series, all)
	})
}

type bar struct {
	name   string
	series int
	x      float64 // NaN means none
}

// bars draws horizontal bars. Bars with the same name are together, those with the highest bar first. It
// omits all bars after the first 60.
func (p *drawing) bars(title, axis string, series []string, all []bar) *Panel {
	const most, pitch = 60, vg.Length(18)
	all = slices.DeleteFunc(all, func(b bar) bool { return math.IsNaN(b.x) })
	highest := map[string]float64{}
	for _, b := range all {
		if x, known := highest[b.name]; !known || b.x > x {
			highest[b.name] = b.x
		}
	}
	slices.SortStableFunc(all, func(a, b bar) int {
		return cmp.Or(cmp.Compare(highest[b.name], highest[a.name]), strings.Compare(a.name, b.name))
	})
	if n := len(all); n > most {
		p.note("only the highest %d of %d bars", most, n)
		all = all[:most]
	}
	panel, n := NewPanel(p.style, title, axis, ""), len(all)
	panel.lines.Horizontal.Color = nil // lines would strike through the numbers
	values, names := make([]plotter.Values, len(series)), make([]string, n)
	for k := range series {
		values[k] = make(plotter.Values, n)
	}
	for i, b := range all {
		values[b.series][n-1-i] = b.x
		names[i] = cli.NameIf(i == 0 || all[i-1].name != b.name, b.name)
		panel.write(At(b.x, -float64(i)), cli.Number(b.x), vg.Point{X: 6, Y: -3}, p.style.text(9, p.style.Ink))
	}
	for k, name := range series {
		if chart, err := plotter.NewBarChart(values[k], 0.75*pitch); err == nil {
			chart.Horizontal, chart.XMin, chart.Color, chart.LineStyle.Width = true, float64(1-n), p.style.Line(k), 0
			panel.Add(chart)
			panel.Label(name, Swatch(chart.Color))
		}
	}
	panel.names(&panel.Y, names, -1)
	panel.High = 60 + pitch*vg.Length(n)
	return panel
}

func (p *drawing) systems(runs []row) *Panel {
	var all []bar
	names, most := []string(nil), 0.
	for k, r := range runs {
		names = append(names, cli.NameIf(len(runs) > 1, r.name))
		for i := 0; r.Table.Text(r.i, fmt.Sprintf("systems[%d].name", i)) != ""; i++ {
			name := cli.Shorten(r.Table.Text(r.i, fmt.Sprintf("systems[%d].name", i)), 30)
			b := bar{name, k, r.number(fmt.Sprintf("systems[%d].ns_per_agent", i))}
			all, most = append(all, b), max(most, b.x)
		}
	}
	shown := slices.DeleteFunc(slices.Clone(all), func(b bar) bool {
		return !slices.ContainsFunc(all, func(o bar) bool { return o.name == b.name && o.x >= 0.02*most })
	})
	if len(shown) < len(all) {
		p.note("systems below 2%% of the costliest are left out")
	}
	return p.bars("Cost of the systems", "processor time, ns per agent per step", names, shown)
}

// runOverview draws the cost of the systems and a table of the main metrics. The table omits metrics that are
// 0 or missing in all runs. For more than six runs, it draws rowBars.
func (p *drawing) runOverview() ([]*Panel, error) {
	runs := p.rows()
	if len(runs) > 6 {
		return p.rowBars()
	}
	systems := p.systems(runs)
	table, words := NewPanel(p.style, "", "", ""), []string(nil)
	for _, column := range chief {
		if !slices.ContainsFunc(runs, func(r row) bool { x := r.number(column); return x != 0 && !math.IsNaN(x) }) {
			continue
		}
		words = append(words, metricOf(column).Axis())
		for k, r := range runs {
			style, text := p.style.text(10, p.style.Line(k)), "–"
			if style.XAlign = draw.XRight; len(runs) == 1 {
				style.Color = p.style.Ink
			}
			if x := r.number(column); !math.IsNaN(x) {
				text = cli.Number(x)
			}
			table.write(At(float64(k+1), 1-float64(len(words))), text, vg.Point{Y: 2}, style)
		}
	}
	table.names(&table.Y, words, -1)
	table.Y.Tick.Label.YAlign = draw.YBottom // the lines are below the rows
	table.X.Min, table.X.Max, table.X.Tick.Marker, table.High = 0, float64(len(runs)), plot.ConstantTicks{}, 18*vg.Length(len(words))
	table.X.LineStyle.Width = 0
	return []*Panel{systems, table}, nil
}
