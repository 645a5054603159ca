package main

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

func (p *plotting) runSystems() (*plotSheet, error) {
	runs := p.runs()
	if len(runs) > mostRuns {
		return nil, fmt.Errorf("%d runs, and the systems of at most %d are drawn beside one another: want fewer files, or --what figures", len(runs), mostRuns)
	}
	s := p.runSheet(runs)
	s.panels = []*panel{p.systemsPanel(runs)}
	s.row = systemsHeight(runs)
	s.shareLegend()
	return s, nil
}

// mostSystems is how many systems have bars of their own.
const mostSystems = 14

// systemsHeight is what makes bars of systemsPanel thick enough.
func systemsHeight(runs []plotRun) vg.Length {
	names := map[string]bool{}
	for _, r := range runs {
		for _, system := range r.parts.Systems {
			names[system.Name] = true
		}
	}
	lines := min(len(names), mostSystems+1) * (len(runs) + 1)
	return max(plotHeight-60*pixel, vg.Length(110+12*lines)*pixel)
}

// systemsPanel draws what systems cost, the dearest first.
func (p *plotting) systemsPanel(runs []plotRun) *panel {
	var rows []barRow
	for k, r := range runs {
		for _, system := range r.parts.Systems {
			if !drawable(system.NsPerAgent) {
				continue
			}
			name := printable(system.Name, 30)
			i := slices.IndexFunc(rows, func(row barRow) bool { return row.name == name })
			if i < 0 {
				i, rows = len(rows), append(rows, barRow{name, missing(len(runs))})
			}
			rows[i].figures[k] = system.NsPerAgent
		}
	}
	slices.SortStableFunc(rows, func(a, b barRow) int {
		if highest(a.figures) > highest(b.figures) {
			return -1
		}
		return 1
	})
	if len(rows) > mostSystems {
		others := barRow{fmt.Sprintf("%d others", len(rows)-mostSystems), missing(len(runs))}
		for _, row := range rows[mostSystems:] {
			for k, x := range row.figures {
				switch {
				case math.IsNaN(x):
				case math.IsNaN(others.figures[k]):
					others.figures[k] = x
				default:
					others.figures[k] += x
				}
			}
		}
		rows = append(rows[:mostSystems], others)
	}
	out := newPanel(p.style, "Cost of the systems", "processor time (ns per agent and step)", "")
	if len(rows) == 0 {
		out.Title.Text = "No system was measured"
		rows = []barRow{{"", missing(len(runs))}}
	}
	out.bars(rows, p.style.several(len(runs)), 0.13, p.Log, false)
	for k, r := range runs {
		out.label(r.name, swatch{p.style.line(k)})
	}
	return out
}
