package plot

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"gonum.org/v1/plot/vg"
)

func (p *drawing) runSystems() (*sheet.Sheet, error) {
	runs := p.runs()
	if len(runs) > mostRuns {
		return nil, fmt.Errorf("%d runs, and the systems of at most %d are drawn beside one another: want fewer files, or --what figures", len(runs), mostRuns)
	}
	s := p.runSheet(runs)
	s.Panels = []*sheet.Panel{p.systemsPanel(runs)}
	s.Row = systemsHeight(runs)
	s.ShareLegend()
	return s, nil
}

// leastShare is the share of the dearest system's cost below which a system has no bar.
const leastShare = 0.005

// mostSystems is how many systems have bars of their own.
const mostSystems = 14

// systemsHeight is what makes bars of systemsPanel thick enough.
func systemsHeight(runs []runReport) vg.Length {
	names := map[string]bool{}
	for _, r := range runs {
		for _, system := range r.parts.Systems {
			names[system.Name] = true
		}
	}
	lines := min(len(names), mostSystems+1) * (len(runs) + 1)
	return max(sheet.DefaultHeight-60*sheet.Pixel, vg.Length(110+12*lines)*sheet.Pixel)
}

// systemsPanel draws what systems cost, the dearest first.
func (p *drawing) systemsPanel(runs []runReport) *sheet.Panel {
	var rows []sheet.Row
	for k, r := range runs {
		for _, system := range r.parts.Systems {
			if !numbers.Drawable(system.NsPerAgent) {
				continue
			}
			name := terminal.Shorten(system.Name, 30)
			i := slices.IndexFunc(rows, func(row sheet.Row) bool { return row.Name == name })
			if i < 0 {
				i, rows = len(rows), append(rows, sheet.Row{Name: name, Figures: missing(len(runs))})
			}
			rows[i].Figures[k] = system.NsPerAgent
		}
	}
	slices.SortStableFunc(rows, func(a, b sheet.Row) int {
		if highest(a.Figures) > highest(b.Figures) {
			return -1
		}
		return 1
	})
	rows = slices.DeleteFunc(rows, func(row sheet.Row) bool { return highest(row.Figures) < leastShare*highest(rows[0].Figures) })
	if len(rows) > mostSystems {
		others := sheet.Row{Name: fmt.Sprintf("%d others", len(rows)-mostSystems), Figures: missing(len(runs))}
		for _, row := range rows[mostSystems:] {
			for k, x := range row.Figures {
				switch {
				case math.IsNaN(x):
				case math.IsNaN(others.Figures[k]):
					others.Figures[k] = x
				default:
					others.Figures[k] += x
				}
			}
		}
		rows = append(rows[:mostSystems], others)
	}
	out := sheet.NewPanel(p.style, "Cost of the systems", "processor time (ns per agent and step)", "")
	if len(rows) == 0 {
		out.Title.Text = "No system was measured"
		rows = []sheet.Row{{Figures: missing(len(runs))}}
	}
	out.AddBars(rows, p.style.Several(len(runs)), 0.13, p.Log, false)
	for k, r := range runs {
		out.Label(r.name, sheet.Swatch{Color: p.style.Line(k)})
	}
	return out
}
