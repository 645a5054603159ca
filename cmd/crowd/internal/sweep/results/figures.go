package results

import (
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
)

// Take takes the figures, the costs and the hashes of a report. What was not measured is left out.
func (r *Row) Take(of *report.Report) {
	r.Figures, r.Cost, r.Hash, r.TraceHash = map[string]float64{}, map[string]float64{}, of.Hash, of.TraceHash
	add := func(row int, from any, figures []report.Figure) {
		for i := range figures {
			f := &figures[i]
			x, ok := f.Of(from)
			switch {
			case !ok || f.Kind == "local":
			case f.Kind == "cost":
				r.Cost[f.Column] = x
			default:
				r.Figures[f.In(row)] = x
			}
		}
	}
	add(0, of, report.OfReport)
	if of.Dt > 0 { // steps of two models may differ in length
		r.Cost["us_per_agent_second"] = of.NsPerAgentStep / of.Dt / 1000
	}
	for i := range of.Lines {
		add(i, &of.Lines[i], report.OfLine)
	}
	for i := range of.Areas {
		add(i, &of.Areas[i], report.OfArea)
	}
}
