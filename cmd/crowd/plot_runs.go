package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"gonum.org/v1/plot/vg"
)

// mostRuns is how many runs are drawn in colors of their own.
const mostRuns = 6

// plotRun is the report of a run, and where it comes from.
type plotRun struct {
	plotRow
	parts *runParts
	name  string
}

// runs returns the reports of all files.
func (p *plotting) runs() []plotRun {
	var all []plotRun
	names := p.runNames()
	for _, f := range p.files {
		for i := range f.table.rows {
			all = append(all, plotRun{plotRow{f, i}, &f.runs[i], names[len(all)]})
		}
	}
	return all
}

// runNames calls runs as their files; and several of one file by what differs.
func (p *plotting) runNames() []string {
	var names []string
	for _, f := range p.files {
		for i := range f.table.rows {
			name := f.label
			if len(f.table.rows) > 1 {
				var parts []string
				columns := []string{"scene", "agents", "workers", "seed", "steps", "dt"}
				for _, column := range f.table.columns {
					if strings.HasPrefix(column, setPrefix) {
						columns = append(columns, column)
					}
				}
				for _, column := range columns {
					text := f.table.text(i, column)
					if text == "" || !f.table.differs(column) {
						continue
					}
					n, _ := strconv.Atoi(text)
					switch column {
					case "scene":
					case "agents", "workers", "steps":
						text = numbers.Plural(n, strings.TrimSuffix(column, "s"))
					default:
						text = strings.TrimPrefix(column, setPrefix) + " " + text
					}
					parts = append(parts, text)
				}
				if len(p.files) > 1 {
					parts = append([]string{f.label}, parts...)
				}
				name = strings.Join(parts, ", ")
				if name == "" {
					name = fmt.Sprintf("run %d", i+1)
				}
			}
			names = append(names, name)
		}
	}
	return shortNames(names)
}

// runCaption says what was run, and on what, as far as it is the same in all runs.
func runCaption(runs []plotRun) []string {
	same := func(column string) string {
		text := runs[0].file.table.text(runs[0].row, column)
		for _, r := range runs {
			if r.file.table.text(r.row, column) != text {
				return ""
			}
		}
		return printable(text, 60)
	}
	var parts []string
	for _, c := range []struct{ column, before, after string }{
		{"scene", "scene ", ""}, {"agents", "", " agents"}, {"steps", "", " steps"}, {"workers", "", " workers"}, {"seed", "seed ", ""}, {"cpu", "", ""},
	} {
		text := same(c.column)
		if text == "" {
			continue
		}
		if c.column != "cpu" {
			text = numbers.Commas(text)
		}
		if text == "1" {
			c.after = strings.TrimSuffix(c.after, "s")
		}
		parts = append(parts, c.before+text+c.after)
	}
	return []string{strings.Join(parts, ", ")}
}

// runSheet begins a picture of runs.
func (p *plotting) runSheet(runs []plotRun) *plotSheet {
	title := numbers.Plural(len(runs), "run")
	if len(runs) == 1 {
		title = runs[0].name
	}
	return &plotSheet{style: p.style, title: title, caption: runCaption(runs), columns: 1}
}

// runOverview draws the systems, and beside them the chief figures. Of many runs
// it draws the figures only.
func (p *plotting) runOverview() (*plotSheet, error) {
	runs := p.runs()
	const most = 4
	if len(runs) > most {
		return p.runFigures()
	}
	s := p.runSheet(runs)
	s.columns = 2
	s.panels = []*panel{p.systemsPanel(runs), p.figuresTable(runs)}
	s.row = systemsHeight(runs)
	s.shareLegend()
	return s, nil
}

// runWorkers draws what each worker did.
func (p *plotting) runWorkers() (*plotSheet, error) {
	runs := slices.DeleteFunc(p.runs(), func(r plotRun) bool { return r.parts.Perf == nil || len(r.parts.Perf.Workers) == 0 })
	switch {
	case len(runs) == 0:
		return nil, fmt.Errorf("nothing of workers in %s: want the report of run --perf --json", p.files[0].name)
	case len(runs) > mostRuns:
		return nil, fmt.Errorf("%d runs, and the workers of at most %d are drawn beside one another", len(runs), mostRuns)
	}
	s := p.runSheet(runs)
	s.columns = 2
	most := 0
	for _, r := range runs {
		most = max(most, min(len(r.parts.Perf.Workers), mostBars)*len(runs))
	}
	s.row = max(160, vg.Length(90+24*most)) * pixel
	for _, c := range []struct {
		words string
		of    func(*report.WorkerPerf) float64
	}{
		{"time at work (% of that of the agents' part of a step)", func(w *report.WorkerPerf) float64 { return 100 * w.Busy }},
		{"agents gone over (% of all)", func(w *report.WorkerPerf) float64 { return 100 * w.Rows }},
	} {
		var rows []barRow
		for k, r := range runs {
			for i := range r.parts.Perf.Workers[:min(len(r.parts.Perf.Workers), mostBars)] {
				if i == len(rows) {
					rows = append(rows, barRow{fmt.Sprintf("worker %d", i+1), missing(len(runs))})
				}
				rows[i].figures[k] = c.of(&r.parts.Perf.Workers[i])
			}
		}
		out := newPanel(p.style, "", c.words, "")
		out.bars(rows, p.style.several(len(runs)), 0.13, p.Log, false)
		for k, r := range runs {
			out.label(r.name, swatch{p.style.line(k)})
		}
		s.panels = append(s.panels, out)
	}
	s.shareLegend()
	return s, nil
}
