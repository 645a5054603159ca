package plot

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"gonum.org/v1/plot/vg"
)

// runChief are the figures by which runs are compared.
var runChief = []string{
	"ns_per_agent_step", "real_time_factor", "step_p50_ns", "step_p99_ns", "bytes_per_agent", "under_threat", "arrived_share", "mean_arrival_time",
	"p95_arrival_time", "collisions", "obstacle_collisions", "centers_inside", "path_ratio", "time_ratio", "energy", "nearest_p50", "wiggle",
	"reversals", "acceleration", "order", "skipped_row_steps",
}

// runFigureNames returns those of runChief that runs have, and are not 0 in all.
func runFigureNames(runs []runReport) []string {
	return slices.DeleteFunc(slices.Clone(runChief), func(name string) bool {
		return !slices.ContainsFunc(runs, func(r runReport) bool {
			x, ok := r.number(name)
			return ok && (x != 0 || strings.HasSuffix(name, "collisions"))
		})
	})
}

// figuresTable writes the chief figures, a column for each run.
func (p *drawing) figuresTable(runs []runReport) *sheet.Panel {
	t := &sheet.TextTable{Style: p.style, Head: []string{""}, Colors: p.style.Several(len(runs))}
	for _, r := range runs {
		name := r.name
		if len(runs) == 1 {
			name = ""
		}
		t.Head = append(t.Head, name)
	}
	for _, name := range runFigureNames(runs) {
		m := measureOf(name)
		row := []string{m.axis()}
		for _, r := range runs {
			cell := "–"
			if x, ok := r.number(name); ok {
				cell = numbers.Figure(m.of(x))
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	out := sheet.NewPanel(p.style, "", "", "")
	out.Paint = t.Draw
	return out
}

// runFigures draws a panel for each of the chief figures, and in it a bar for each
// run.
func (p *drawing) runFigures() (*sheet.Sheet, error) {
	runs := p.runs()
	if len(runs) > mostBars {
		return nil, fmt.Errorf("%d runs, and the figures of at most %d are drawn beside one another: want --what histogram, scatter or curve", len(runs), mostBars)
	}
	s := p.runSheet(runs)
	names := runFigureNames(runs)
	if len(names) == 0 {
		return nil, errors.New("the reports have none of the chief figures: want --x COLUMN")
	}
	names = names[:min(len(names), 15)]
	s.Columns = min(3, len(names))
	s.Row = max(150, vg.Length(80+20*len(runs))) * sheet.Pixel
	for _, name := range names {
		m := measureOf(name)
		var rows []sheet.Row
		for _, r := range runs {
			row := sheet.Row{Name: terminal.Shorten(r.name, 28), Figures: missing(1)}
			if x, ok := r.number(name); ok {
				row.Figures[0] = m.of(x)
			}
			rows = append(rows, row)
		}
		out := sheet.NewPanel(p.style, "", m.axis(), "")
		out.AddBars(rows, p.style.Several(1), 0.28, p.Log, false)
		s.Panels = append(s.Panels, out)
	}
	return s, nil
}
