package plot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rowBars draws a bar for each row. Bars of rows with the same name in several groups are side by side. Runs
// are not grouped if every group has only one run.
func (p *drawing) rowBars() ([]*Panel, error) {
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
// number and all rows after the first 60.
func (p *drawing) bars(title, axis string, series []string, rows barRows) *Panel {
	const most = 60
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(rows)), func(name string) bool { return math.IsInf(rows.highest(name), -1) })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rows.highest(b), rows.highest(a)) })
	if n := len(names); n > most {
		p.note("only the highest %d of %s", most, cli.Plural(n, p.noun()))
		names = names[:most]
	}
	panel := NewPanel(p.style, title, axis, "")
	wide, n := max(3, 20/vg.Length(len(series))), float64(len(names))
	for k, of := range series {
		values := make(plotter.Values, len(names))
		offset := wide * (vg.Length(len(series)-1)/2 - vg.Length(k))
		for i, name := range names {
			x := rows[name][k]
			if math.IsNaN(x) {
				continue
			}
			values[len(names)-1-i] = x
			if len(series) <= 6 {
				panel.write(At(x, -float64(i)), cli.Number(x), vg.Point{X: 6, Y: offset - 3}, p.style.text(9, p.style.Ink))
				panel.lines.Horizontal.Color = nil // a line would strike through the number
			}
		}
		if chart, err := plotter.NewBarChart(values, wide*0.8); err == nil {
			chart.Horizontal, chart.XMin, chart.Offset, chart.Color, chart.LineStyle.Width = true, 1-n, offset, p.style.Line(k), 0
			panel.Add(chart)
			panel.Label(of, Swatch(chart.Color))
		}
	}
	panel.names(&panel.Y, names, -1)
	panel.High = 60 + max(18, (wide+1)*vg.Length(len(series)))*vg.Length(n)
	return panel
}

func (p *drawing) systems(runs []row) *Panel {
	rows, names, most := barRows{}, []string(nil), 0.
	for k, r := range runs {
		names = append(names, map[bool]string{true: r.name}[len(runs) > 1])
		for i := 0; r.Table.Text(r.i, fmt.Sprintf("systems[%d].name", i)) != ""; i++ {
			name := cli.Shorten(r.Table.Text(r.i, fmt.Sprintf("systems[%d].name", i)), 30)
			rows.set(name, k, len(runs), r.number(fmt.Sprintf("systems[%d].ns_per_agent", i)))
			most = max(most, rows.highest(name))
		}
	}
	for name := range rows {
		if rows.highest(name) < 0.02*most {
			delete(rows, name)
			p.note("systems below 2%% of the costliest are left out")
		}
	}
	return p.bars("Cost of the systems", "processor time, ns per agent per step", names, rows)
}

// runOverview draws the cost of the systems and a table of the main metrics. The table omits metrics that are
// 0 or missing in all runs. For more than six runs, runOverview calls rowBars.
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
	table.X.LineStyle.Width, table.legend = 0, systems.legend
	return []*Panel{systems, table}, nil
}
