package plot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
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
	set := slices.DeleteFunc(slices.Clone(f.Table.Columns), func(name string) bool { return !strings.HasPrefix(name, setPrefix) })
	for _, column := range slices.Concat(runSettings, set) {
		if value := f.Table.Text(i, column); value != "" && !f.Table.same(column) {
			parts = append(parts, strings.TrimPrefix(strings.TrimPrefix(column, setPrefix)+" "+value, "scene "))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), fmt.Sprintf("run %d", i+1))
}

// settings returns the settings that all runs share or, for benchmark results, those of each file.
func (p *drawing) settings() (lines []string) {
	if p.kind == BenchKind {
		for _, f := range p.files {
			lines = append(lines, f.Label+": "+cli.Shorten(f.Bench.Setting(), 120))
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

// benchSeries returns a series for each name in each file: the median and quartiles of the points at each X.
func (p *drawing) benchSeries(of func(*bench.File, *bench.Result) (name string, points Points)) (all []Series) {
	for _, f := range p.files {
		for i := range f.Bench.Results {
			name, points := of(f.Bench, &f.Bench.Results[i])
			if name = cli.Shorten(name, 60); len(p.files) > 1 {
				name = f.Label + ": " + name
			}
			k := slices.IndexFunc(all, func(s Series) bool { return s.Name == name })
			if k < 0 && len(points) > 0 {
				k, all = len(all), append(all, p.series(len(all), name))
			}
			if k >= 0 {
				all[k].Points = append(all[k].Points, quartiles(points)...)
			}
		}
	}
	return all
}

func (p *drawing) cost() (*Panel, error) {
	var costs []float64
	all := p.benchSeries(func(_ *bench.File, r *bench.Result) (name string, points Points) {
		for _, ns := range r.Samples {
			points = append(points, At(float64(r.Agents), ns))
		}
		costs = append(costs, r.NsPerAgentStep)
		return fmt.Sprintf("%s, %s, %s", r.Name, r.By, cli.Plural(r.Workers, "worker")), points
	})
	panel := NewPanel(p.style, "Cost of a step", "number of agents", "cost, ns per agent per step").log(true, p.Log || slices.Max(costs) > 30*slices.Min(costs))
	panel.AddSeries(Joined|Marked|Barred, all...)
	return panel.fromZero(), nil
}

// speedUp returns nil if no result has a speed-up.
func (p *drawing) speedUp() (*Panel, error) {
	panel := NewPanel(p.style, "Speed-up over one worker", "number of workers", "speed-up")
	most := 1.
	all := p.benchSeries(func(f *bench.File, r *bench.Result) (name string, points Points) {
		for _, up := range f.SpeedUps(r) {
			points, most = append(points, At(float64(r.Workers), up)), max(most, float64(r.Workers))
		}
		return r.Name + ", " + cli.Plural(r.Agents, "agent"), points
	})
	if len(all) == 0 {
		return nil, nil
	}
	panel.AddSeries(Joined, Series{Name: "ideal", Color: -1, Dash: 1, Points: Points{At(1, 1), At(most, most)}})
	panel.AddSeries(Joined|Marked|Barred, all...)
	return panel.fromZero(), nil
}
