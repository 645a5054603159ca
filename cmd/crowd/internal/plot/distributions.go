package plot

import (
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"gonum.org/v1/plot/plotter"
)

// distributions draws of each figure in which share of the rows it is no higher.
func (p *drawing) distributions() (*sheet.Sheet, error) {
	return p.eachFigure(p.distribution)
}

// distribution draws empirical cumulative distribution functions. On a logarithmic
// axis values that are 0 are before its beginning: the curve begins at their share.
func (p *drawing) distribution(groups []group, column string) *sheet.Panel {
	m := measureOf(column)
	fig := sheet.NewPanel(p.style, "", m.axis(), "share of "+p.noun()+"s with no more (%)")
	var all []float64
	for i := range groups {
		all = append(all, groups[i].values(column)...)
	}
	x := sheet.Scale{Log: p.Log || uneven(all), Ticks: 5}
	x.Add(all...)
	x.Apply(&fig.X)
	fig.AddGrid()
	var lines []sheet.Series
	for i := range groups {
		values := groups[i].values(column)
		slices.Sort(values)
		line := sheet.Series{Name: groups[i].name, Color: i, Dash: i / len(p.style.Lines)}
		below := 0
		for below < len(values) && !x.Has(values[below]) {
			below++
		}
		add := func(x float64, count int) {
			line.Points = append(line.Points, sheet.Point{XY: plotter.XY{X: x, Y: 100 * float64(count) / float64(len(values))}})
		}
		if len(values) > 0 {
			add(fig.X.Min, below)
		}
		for k := below; k < len(values); k++ {
			if k+1 == len(values) || values[k+1] > values[k] {
				add(x.At(values[k]), k+1)
			}
		}
		if len(values) > 0 {
			add(fig.X.Max, len(values))
		}
		lines = append(lines, line)
	}
	fig.AddSeries(lines, sheet.Joined|sheet.Stepped)
	fig.Y.Min, fig.Y.Max, fig.Y.Tick.Marker = 0, 102, sheet.StepTicks(0, 100, 20)
	return fig
}
