package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var runSettings = []string{"scene", "agents", "steps", "workers", "seed", "dt"}

func (p *drawing) runName(f *file, i int) string {
	if len(f.Table.Rows) == 1 {
		return f.Label
	}
	var parts []string
	if len(p.files) > 1 {
		parts = append(parts, f.Label)
	}
	for _, column := range f.Table.Columns {
		name, set := strings.CutPrefix(column, setPrefix)
		if value := f.Table.Text(i, column); value != "" && !f.Table.same(column) && (set || slices.Contains(runSettings, column)) {
			parts = append(parts, strings.TrimPrefix(name+" "+value, "scene "))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), fmt.Sprintf("run %d", i+1))
}

// settings returns the settings that all runs share or, for benchmark results, those of each of the first
// four files.
func (p *drawing) settings() (lines []string) {
	if p.kind == BenchKind {
		for _, f := range p.files[:min(len(p.files), 4)] {
			text := cli.Shorten(f.Bench.Setting(), 120)
			if len(p.files) > 1 {
				text = f.Label + ": " + text
			}
			lines = append(lines, text)
		}
	}
	if p.kind != RunKind {
		return lines
	}
	var parts []string
	for _, column := range append(runSettings[:5:5], "cpu") {
		text := p.files[0].Table.Text(0, column)
		if text != "" && !slices.ContainsFunc(p.rows(), func(r row) bool { return r.Table.Text(r.i, column) != text }) {
			parts = append(parts, strings.TrimPrefix(column+" "+cli.Shorten(cli.Commas(text), 60), "cpu "))
		}
	}
	return []string{strings.Join(parts, ", ")}
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
func (p *drawing) runOverview() (*Sheet, error) {
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
	return p.picture(2, systems, table), nil
}

// benchSeries returns a series for each name in each file, without points whose X is 0.
func (p *drawing) benchSeries(of func(*bench.File, *bench.Result) (name string, at Point)) (all []Series) {
	for _, f := range p.files {
		for i := range f.Bench.Results {
			name, at := of(f.Bench, &f.Bench.Results[i])
			if name = cli.Shorten(name, 60); len(p.files) > 1 {
				name = f.Label + ": " + name
			}
			k := slices.IndexFunc(all, func(s Series) bool { return s.Name == name })
			if k < 0 && at.X > 0 {
				k, all = len(all), append(all, p.series(len(all), name))
			}
			if at.X > 0 {
				all[k].Points = append(all[k].Points, at)
			}
		}
	}
	return all
}

// cost draws the cost of each result, with error bars as long as the interquartile range.
func (p *drawing) cost() (*Panel, error) {
	least, most := math.Inf(1), 0.
	all := p.benchSeries(func(_ *bench.File, r *bench.Result) (string, Point) {
		y, half := r.NsPerAgentStep, r.NsPerAgentStep*r.Spread
		least, most = min(least, y), max(most, y)
		return fmt.Sprintf("%s, %s, %s", r.Name, r.By, cli.Plural(r.Workers, "worker")), Point{X: float64(r.Agents), Y: y, Low: y - half, High: y + half}
	})
	panel := NewPanel(p.style, "Cost of a step", "number of agents", "cost, ns per agent per step").log(true, p.Log || most > 30*least)
	panel.AddSeries(Joined|Marked|Barred, all...)
	return panel.fromZero(), nil
}

// speedUp draws the speed-ups, with error bars of ± bench.File.SpeedUpSpread. It returns nil if no result has
// a speed-up.
func (p *drawing) speedUp() (*Panel, error) {
	panel := NewPanel(p.style, "Speed-up over one worker", "number of workers", "speed-up")
	most := 1.
	all := p.benchSeries(func(f *bench.File, r *bench.Result) (name string, at Point) {
		name = r.Name + ", " + cli.Plural(r.Agents, "agent")
		if r.SpeedUp != nil {
			up, half := *r.SpeedUp, f.SpeedUpSpread(r)
			at, most = Point{X: float64(r.Workers), Y: up, Low: max(up-half, 0), High: up + half}, max(most, float64(r.Workers))
		}
		return name, at
	})
	if len(all) == 0 {
		return nil, nil
	}
	panel.AddSeries(Joined, Series{Name: "ideal", Color: -1, Dash: 1, Points: Points{At(1, 1), At(most, most)}})
	panel.AddSeries(Joined|Marked|Barred, all...)
	return panel.fromZero(), nil
}
