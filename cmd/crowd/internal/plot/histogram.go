package plot

import (
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
)

// histograms draws how often each figure lies where. A figure of several groups has
// a panel for each of them; of several figures the bars of groups stand on one
// another.
func (p *drawing) histograms() (*sheet.Sheet, error) {
	names, err := p.figureNames()
	if err != nil {
		return nil, err
	}
	groups, err := p.groups()
	if err != nil {
		return nil, err
	}
	if len(names) == 1 && len(groups) > 1 {
		if s := p.histogramEach(groups, names[0]); s != nil {
			return s, nil
		}
	}
	return p.eachFigure(p.histogram)
}

// binsOfAll returns the bins for the values of all groups, and notes what is in none
// of them.
func (p *drawing) binsOfAll(groups []group, column string) sheet.Bins {
	m := measureOf(column)
	text := func(x float64) string {
		if m.percent {
			return numbers.Figure(x) + " %"
		}
		return numbers.Figure(x)
	}
	var all []float64
	for i := range groups {
		all = append(all, groups[i].values(column)...)
	}
	b := sheet.NewBins(all, p.Log)
	c := b.Count(all)
	if b.Log && c.Left > 0 {
		p.note("%s of %s are not above 0, and so not on a logarithmic axis", numbers.Thousands(c.Left), column)
	}
	below, above := b.Edges()
	for _, far := range []struct {
		n                    int
		side, farthest, last string
	}{
		{c.Below, "below " + text(below), "down to", "first"},
		{c.Above, "above " + text(above), "up to", "last"},
	} {
		if far.n > 0 {
			at := all[0]
			for _, x := range all {
				if far.last == "first" {
					at = math.Min(at, x)
				} else {
					at = math.Max(at, x)
				}
			}
			p.note("%s: %s %s, %s %s, in the %s bar", column, numbers.Plural(far.n, p.noun()), far.side, far.farthest, text(at), far.last)
		}
	}
	return b
}

// histogram draws how many values lie in each bin, those of groups on one another.
func (p *drawing) histogram(groups []group, column string) *sheet.Panel {
	m := measureOf(column)
	fig := sheet.NewPanel(p.style, "", m.axis(), p.noun()+"s")
	b := p.binsOfAll(groups, column)
	base := make([]float64, b.N+2)
	var all []*sheet.HistogramBars
	for i := range groups {
		h := sheet.NewHistogramBars(&b, b.Count(groups[i].values(column)), p.style.Line(i), p.style.Paper)
		h.Base = append(h.Base, base...)
		for k := range base {
			base[k] += h.Heights[k]
		}
		all = append(all, h)
	}
	fig.HistogramAxes(&b, base, 5)
	for i, h := range all {
		fig.Add(h)
		fig.Label(groups[i].name, h)
	}
	highest := 1.
	for _, x := range base {
		highest = max(highest, x)
	}
	fig.Y.Min, fig.Y.Max = 0, highest*(1+sheet.AxisMargin)
	fig.Y.Tick.Marker = sheet.StepTicks(0, fig.Y.Max, max(1, sheet.NiceStep(fig.Y.Max/6)))
	return fig
}
