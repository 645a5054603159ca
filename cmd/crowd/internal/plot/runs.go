package plot

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// runChief are the figures by which runs are compared.
var runChief = []string{
	"ns_per_agent_step", "real_time_factor", "step_p50_ns", "step_p99_ns", "bytes_per_agent", "under_threat", "arrived_share", "mean_arrival_time",
	"p95_arrival_time", "collisions", "obstacle_collisions", "centers_inside", "path_ratio", "time_ratio", "energy", "nearest_p50", "wiggle",
	"reversals", "acceleration", "order", "skipped_row_steps",
}

// runSettings are the columns that say what was run.
var runSettings = []string{"scene", "agents", "workers", "seed", "steps", "dt"}

// runName names a run by what differs in its file.
func runName(f *data.File, i int) string {
	var parts []string
	for _, column := range f.Table.Columns {
		name, set := strings.CutPrefix(column, data.SetPrefix)
		if value := f.Table.Text(i, column); value != "" && !f.Table.Same(column) && (set || slices.Contains(runSettings, column)) {
			parts = append(parts, strings.TrimPrefix(name+" "+value, "scene "))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), fmt.Sprintf("run %d", i+1))
}

// runs returns the runs if they are not too many, and begins their picture: the title names them, and the
// caption says what all have in common.
func (p *drawing) runs(most int, of string) ([]row, *sheet.Sheet, error) {
	runs := p.rows()
	if len(runs) > most {
		return nil, nil, fmt.Errorf("%d runs, and %s of at most %d are drawn side by side: want fewer files, or --what histogram, scatter or curve", len(runs), of, most)
	}
	s := &sheet.Sheet{Title: numbers.Plural(len(runs), "run"), Columns: 1}
	if len(runs) == 1 {
		s.Title = runs[0].name
	}
	var parts []string
	for _, column := range append(runSettings[:5:5], "cpu") {
		text := runs[0].Table.Text(runs[0].i, column)
		if text != "" && !slices.ContainsFunc(runs, func(r row) bool { return r.Table.Text(r.i, column) != text }) {
			parts = append(parts, strings.TrimPrefix(column+" "+terminal.Shorten(numbers.Commas(text), 60), "cpu "))
		}
	}
	s.Caption = []string{strings.Join(parts, ", ")}
	return runs, s, nil
}

// systems draws the cost of each system, the highest first. Those below 0.5 % of it have no bar.
func (p *drawing) systems(runs []row) *sheet.Panel {
	panel := sheet.NewPanel(p.style, "Cost of the systems", "processor time (ns per agent and step)", "")
	panel.Log(p.Log, false)
	b := &bars{series: len(runs)}
	for k, r := range runs {
		panel.Label(r.name, sheet.Swatch{Color: p.style.Line(k)})
		for i := 0; r.Table.Text(r.i, fmt.Sprintf("systems[%d].name", i)) != ""; i++ {
			b.add(k, r.Table.Text(r.i, fmt.Sprintf("systems[%d].name", i)), r.number(fmt.Sprintf("systems[%d].ns_per_agent", i)))
		}
	}
	b.sort()
	const most = 14
	for len(b.names) > 0 && b.most(b.names[len(b.names)-1]) < 0.005*b.most(b.names[0]) {
		b.names = b.names[:len(b.names)-1]
	}
	if n := len(b.names); n > most {
		others := fmt.Sprintf("%d others", n-most)
		for _, name := range b.names[most:] {
			for k, x := range b.figures[name] {
				if sum := b.figures[others]; !math.IsNaN(x) && (sum == nil || math.IsNaN(sum[k])) {
					b.add(k, others, x)
				} else if !math.IsNaN(x) {
					sum[k] += x
				}
			}
		}
		b.names = append(b.names[:most], others)
	}
	b.draw(panel)
	return panel
}

// runOverview draws the systems, and beside them the main figures; of many runs the figures alone.
func (p *drawing) runOverview() (*sheet.Sheet, error) {
	if len(p.rows()) > 4 {
		return p.runFigures()
	}
	runs, s, err := p.runs(4, "the systems")
	if err != nil {
		return nil, err
	}
	table := sheet.NewPanel(p.style, "", "", "")
	names := p.runFigureNames(runs)
	var words []string
	for i, name := range names {
		f := figureOf(name)
		words = append(words, f.axis())
		for k, r := range runs {
			style := p.style.Text(10, p.style.Line(k))
			if style.XAlign = draw.XRight; len(runs) == 1 {
				style.Color = p.style.Ink
			}
			text := "–"
			if x := r.number(name); !math.IsNaN(x) {
				text = numbers.Figure(x)
			}
			table.Write(sheet.Points{sheet.At(float64(k+1), -float64(i))}, []string{text}, vg.Point{Y: -3}, style)
		}
	}
	table.Table(words, len(runs))
	s.Columns, s.Panels = 2, []*sheet.Panel{p.systems(runs), table}
	s.ShareLegend()
	return s, nil
}

// runSystems draws the systems alone.
func (p *drawing) runSystems() (*sheet.Sheet, error) {
	runs, s, err := p.runs(6, "the systems")
	if err == nil {
		s.Panels = append(s.Panels, p.systems(runs))
		s.ShareLegend()
	}
	return s, err
}

// runFigureNames returns those of runChief that runs have and that are not 0 in all.
func (p *drawing) runFigureNames(runs []row) []string {
	return slices.DeleteFunc(slices.Clone(runChief), func(name string) bool {
		return !slices.ContainsFunc(runs, func(r row) bool {
			x := r.number(name)
			return x != 0 && !math.IsNaN(x) || x == 0 && strings.HasSuffix(name, "collisions")
		})
	})
}

// runFigures draws a panel for each of the main figures, with a bar for each run.
func (p *drawing) runFigures() (*sheet.Sheet, error) {
	runs, s, err := p.runs(mostBars, "the figures")
	if err != nil {
		return nil, err
	}
	names := p.runFigureNames(runs)
	if len(names) == 0 {
		return nil, errors.New("the reports have none of the main figures: want --x COLUMN")
	}
	for _, name := range names[:min(len(names), 15)] {
		panel := sheet.NewPanel(p.style, "", figureOf(name).axis(), "")
		panel.Log(p.Log, false)
		b := &bars{series: 1}
		for _, r := range runs {
			b.add(0, terminal.Shorten(r.name, 28), r.number(name))
		}
		b.draw(panel)
		s.Panels = append(s.Panels, panel)
	}
	s.Columns = min(3, len(names))
	return s, nil
}

// runWorkers draws how busy each worker was, and its share of the agents.
func (p *drawing) runWorkers() (*sheet.Sheet, error) {
	runs, s, err := p.runs(6, "the workers")
	if err != nil {
		return nil, err
	}
	for _, of := range [][2]string{{"busy_share", "time at work (% of that of the agents' part of a step)"}, {"rows_share", "agents processed (% of all)"}} {
		panel, b := sheet.NewPanel(p.style, "", of[1], ""), &bars{series: len(runs)}
		panel.Log(p.Log, false)
		for k, r := range runs {
			panel.Label(r.name, sheet.Swatch{Color: p.style.Line(k)})
			for i := 0; i < mostBars && !math.IsNaN(r.number(fmt.Sprintf("perf.workers[%d].%s", i, of[0]))); i++ {
				b.add(k, fmt.Sprintf("worker %d", i+1), 100*r.number(fmt.Sprintf("perf.workers[%d].%s", i, of[0])))
			}
		}
		if len(b.names) == 0 {
			return nil, fmt.Errorf("nothing about workers in %s: want the report of run --perf --json", p.files[0].Name)
		}
		b.draw(panel)
		s.Panels = append(s.Panels, panel)
	}
	s.Columns = 2
	s.ShareLegend()
	return s, nil
}
