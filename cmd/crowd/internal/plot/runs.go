package plot

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// runChief are the figures by which runs are compared, and runSettings say what was run.
var (
	runChief = []string{
		"ns_per_agent_step", "real_time_factor", "step_p50_ns", "step_p99_ns", "bytes_per_agent", "under_threat", "arrived_share", "mean_arrival_time",
		"p95_arrival_time", "collisions", "obstacle_collisions", "centers_inside", "path_ratio", "time_ratio", "energy", "nearest_p50", "wiggle",
		"reversals", "acceleration", "order", "skipped_row_steps",
	}
	runSettings = []string{"scene", "agents", "steps", "workers", "seed", "dt"}
)

// runName names a run by its file, and several in a file by what differs.
func (p *drawing) runName(f *File, i int) string {
	if len(f.Table.Rows) == 1 {
		return f.Label
	}
	var parts []string
	if len(p.files) > 1 {
		parts = append(parts, f.Label)
	}
	for _, column := range f.Table.Columns {
		name, set := strings.CutPrefix(column, SetPrefix)
		if value := f.Table.Text(i, column); value != "" && !f.Table.Same(column) && (set || slices.Contains(runSettings, column)) {
			parts = append(parts, strings.TrimPrefix(name+" "+value, "scene "))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), fmt.Sprintf("run %d", i+1))
}

// runs returns the runs and their names if they are not too many, and begins their picture: the caption says
// what all have in common.
func (p *drawing) runs(most int, of string) (runs []row, names []string, s *Sheet, err error) {
	if runs = p.rows(); len(runs) > most {
		return nil, nil, nil, fmt.Errorf("%d runs, and %s of at most %d are drawn side by side: want fewer files, or --what histogram, scatter or curve", len(runs), of, most)
	}
	for _, r := range runs {
		names = append(names, r.name)
	}
	if s = (&Sheet{Title: cli.Plural(len(runs), "run")}); len(runs) == 1 {
		s.Title = names[0]
	}
	var parts []string
	for _, column := range append(runSettings[:5:5], "cpu") {
		text := runs[0].Table.Text(runs[0].i, column)
		if text != "" && !slices.ContainsFunc(runs, func(r row) bool { return r.Table.Text(r.i, column) != text }) {
			parts = append(parts, strings.TrimPrefix(column+" "+cli.Shorten(cli.Commas(text), 60), "cpu "))
		}
	}
	s.Caption = []string{strings.Join(parts, ", ")}
	return runs, names, s, nil
}

// systems draws the cost of each system.
func (p *drawing) systems(runs []row, names []string) *Panel {
	rows, most := barRows{}, 0.
	for k, r := range runs {
		for i := 0; ; i++ {
			name, x := r.Table.Text(r.i, fmt.Sprintf("systems[%d].name", i)), r.number(fmt.Sprintf("systems[%d].ns_per_agent", i))
			if name == "" {
				break
			}
			rows.set(k, cli.Shorten(name, 30), x)
			most = max(most, rows.highest(cli.Shorten(name, 30)))
		}
	}
	for name := range rows {
		if rows.highest(name) < 0.02*most {
			delete(rows, name)
			p.note("systems below 2 %% of the costliest are left out")
		}
	}
	return p.bars("Cost of the systems", "processor time (ns per agent and step)", names, rows)
}

// runOverview draws the systems, and beside them a table of the main figures; of many runs the figures alone.
func (p *drawing) runOverview() (*Sheet, error) {
	if len(p.rows()) > 4 {
		return p.runFigures()
	}
	runs, names, s, err := p.runs(4, "the systems")
	if err != nil {
		return nil, err
	}
	table := NewPanel(p.style, "", "", "")
	var words []string
	for i, name := range runFigureNames(runs) {
		words = append(words, figureOf(name).axis())
		for k, r := range runs {
			style, text := p.style.Text(10, p.style.Line(k)), "–"
			if style.XAlign = draw.XRight; len(runs) == 1 {
				style.Color = p.style.Ink
			}
			if x := r.number(name); !math.IsNaN(x) {
				text = cli.Figure(x)
			}
			table.Write(Points{At(float64(k+1), -float64(i))}, []string{text}, vg.Point{Y: -3}, style)
		}
	}
	table.Table(words, len(runs))
	s.Columns, s.Panels = 2, []*Panel{p.systems(runs, names), table}
	s.ShareLegend()
	return s, nil
}

// runSystems draws the systems alone.
func (p *drawing) runSystems() (*Sheet, error) {
	runs, names, s, err := p.runs(6, "the systems")
	if err == nil {
		s.Panels = []*Panel{p.systems(runs, names)}
		s.ShareLegend()
	}
	return s, err
}

// runFigureNames returns up to 15 main figures that runs have and that are not 0 in all.
func runFigureNames(runs []row) []string {
	names := slices.DeleteFunc(slices.Clone(runChief), func(name string) bool {
		return !slices.ContainsFunc(runs, func(r row) bool {
			x := r.number(name)
			return !math.IsNaN(x) && (x != 0 || strings.HasSuffix(name, "collisions"))
		})
	})
	return names[:min(len(names), 15)]
}

// runFigures draws a panel for each of the main figures, with a bar for each run.
func (p *drawing) runFigures() (*Sheet, error) {
	runs, names, s, err := p.runs(mostBars, "the figures")
	if err != nil {
		return nil, err
	}
	for _, name := range runFigureNames(runs) {
		panel, figures := NewPanel(p.style, "", figureOf(name).axis(), ""), []float64(nil)
		panel.Log(p.Log, false)
		for _, r := range runs {
			figures = append(figures, r.number(name))
		}
		panel.AddBars(shorten(names), figures)
		s.Panels = append(s.Panels, panel)
	}
	if s.Columns = min(3, len(s.Panels)); len(s.Panels) == 0 {
		err = errors.New("the reports have none of the main figures: want --x COLUMN")
	}
	return s, err
}

// runWorkers draws how busy each worker was, and its share of the agents.
func (p *drawing) runWorkers() (*Sheet, error) {
	runs, names, s, err := p.runs(6, "the workers")
	if err != nil {
		return nil, err
	}
	for _, of := range [][2]string{{"busy_share", "time at work (% of that of the agents' part of a step)"}, {"rows_share", "agents processed (% of all)"}} {
		rows := barRows{}
		for k, r := range runs {
			for i := 0; !math.IsNaN(r.number(fmt.Sprintf("perf.workers[%d].%s", i, of[0]))); i++ {
				rows.set(k, fmt.Sprintf("worker %d", i+1), 100*r.number(fmt.Sprintf("perf.workers[%d].%s", i, of[0])))
			}
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("nothing about workers in %s: want the report of run -v --json", p.files[0].Name)
		}
		s.Panels = append(s.Panels, p.bars("", of[1], names, rows))
	}
	s.Columns = 2
	s.ShareLegend()
	return s, nil
}
