package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/plot/vg"
)

// runChief are the figures by which runs are compared.
var runChief = []string{
	"ns_per_agent_step", "real_time_factor", "step_p50_ns", "step_p99_ns", "bytes_per_agent", "under_threat", "arrived_share", "mean_arrival_time",
	"p95_arrival_time", "collisions", "obstacle_collisions", "centers_inside", "path_ratio", "time_ratio", "energy", "nearest_p50", "mean_acceleration",
	"order", "skipped_row_steps",
}

// runFigureNames returns those of runChief that runs have, and are not 0 in all.
func runFigureNames(runs []plotRun) []string {
	return slices.DeleteFunc(slices.Clone(runChief), func(name string) bool {
		return !slices.ContainsFunc(runs, func(r plotRun) bool {
			x, ok := r.number(name)
			return ok && (x != 0 || strings.HasSuffix(name, "collisions"))
		})
	})
}

// figuresTable writes the chief figures, a column for each run.
func (p *plotting) figuresTable(runs []plotRun) *panel {
	t := &textTable{style: p.style, head: []string{""}, colors: p.style.several(len(runs))}
	for _, r := range runs {
		name := r.name
		if len(runs) == 1 {
			name = ""
		}
		t.head = append(t.head, name)
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
		t.rows = append(t.rows, row)
	}
	out := newPanel(p.style, "", "", "")
	out.paint = t.draw
	return out
}

// runFigures draws a panel for each of the chief figures, and in it a bar for each
// run.
func (p *plotting) runFigures() (*plotSheet, error) {
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
	s.columns = min(3, len(names))
	s.row = max(150, vg.Length(80+20*len(runs))) * pixel
	for _, name := range names {
		m := measureOf(name)
		var rows []barRow
		for _, r := range runs {
			row := barRow{printable(r.name, 28), missing(1)}
			if x, ok := r.number(name); ok {
				row.figures[0] = m.of(x)
			}
			rows = append(rows, row)
		}
		out := newPanel(p.style, "", m.axis(), "")
		out.bars(rows, p.style.several(1), 0.28, p.Log, false)
		s.panels = append(s.panels, out)
	}
	return s, nil
}
