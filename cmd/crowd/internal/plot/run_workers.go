package plot

import (
	"fmt"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"gonum.org/v1/plot/vg"
)

// runWorkers draws what each worker did.
func (p *drawing) runWorkers() (*sheet.Sheet, error) {
	runs := slices.DeleteFunc(p.runs(), func(r runReport) bool { return r.parts.Perf == nil || len(r.parts.Perf.Workers) == 0 })
	switch {
	case len(runs) == 0:
		return nil, fmt.Errorf("nothing of workers in %s: want the report of run --perf --json", p.files[0].Name)
	case len(runs) > mostRuns:
		return nil, fmt.Errorf("%d runs, and the workers of at most %d are drawn beside one another", len(runs), mostRuns)
	}
	s := p.runSheet(runs)
	s.Columns = 2
	most := 0
	for _, r := range runs {
		most = max(most, min(len(r.parts.Perf.Workers), mostBars)*len(runs))
	}
	s.Row = max(160, vg.Length(90+24*most)) * sheet.Pixel
	for _, c := range []struct {
		words string
		of    func(*report.WorkerPerf) float64
	}{
		{"time at work (% of that of the agents' part of a step)", func(w *report.WorkerPerf) float64 { return 100 * w.Busy }},
		{"agents gone over (% of all)", func(w *report.WorkerPerf) float64 { return 100 * w.Rows }},
	} {
		var rows []sheet.Row
		for k, r := range runs {
			for i := range r.parts.Perf.Workers[:min(len(r.parts.Perf.Workers), mostBars)] {
				if i == len(rows) {
					rows = append(rows, sheet.Row{Name: fmt.Sprintf("worker %d", i+1), Figures: missing(len(runs))})
				}
				rows[i].Figures[k] = c.of(&r.parts.Perf.Workers[i])
			}
		}
		out := sheet.NewPanel(p.style, "", c.words, "")
		out.AddBars(rows, p.style.Several(len(runs)), 0.13, p.Log, false)
		for k, r := range runs {
			out.Label(r.name, sheet.Swatch{Color: p.style.Line(k)})
		}
		s.Panels = append(s.Panels, out)
	}
	s.ShareLegend()
	return s, nil
}
