package plot

import (
	"fmt"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
	"gonum.org/v1/plot/plotter"
)

// pairs returns a figure against another of each group, as far as both are there
// and can stand on the axes, and a panel that has them.
func (p *drawing) pairs() (*sheet.Panel, []sheet.Series, *sheet.Sheet, error) {
	for _, c := range []struct{ flag, name string }{{"--x", p.X}, {"--y", p.Y}} {
		if err := p.checkColumn(c.flag, c.name); err != nil {
			return nil, nil, nil, err
		}
	}
	groups, err := p.groups()
	if err != nil {
		return nil, nil, nil, err
	}
	mx, my := measureOf(p.X), measureOf(p.Y)
	fig := sheet.NewPanel(p.style, "", mx.axis(), my.axis())
	x, y := sheet.Scale{Log: p.Log, Ticks: 9}, sheet.Scale{Log: p.Log}
	left := 0
	var all []sheet.Series
	for i := range groups {
		s := sheet.Series{Name: groups[i].name, Color: i, Glyph: i, Dash: i / len(p.style.Lines)}
		for _, r := range groups[i].rows {
			a, ok := r.number(p.X)
			b, ok2 := r.number(p.Y)
			if a, b = mx.of(a), my.of(b); !ok || !ok2 {
				continue
			}
			if !x.Has(a) || !y.Has(b) {
				left++
				continue
			}
			x.Add(a)
			y.Add(b)
			s.Points = append(s.Points, sheet.Point{XY: plotter.XY{X: x.At(a), Y: y.At(b)}})
		}
		all = append(all, s)
	}
	if !x.Known {
		return nil, nil, nil, fmt.Errorf("no %s of %s has both %s and %s that can be drawn", p.noun(), p.files[0].Name, p.X, p.Y)
	}
	for _, name := range slices.Compact([]string{p.X, p.Y}) {
		p.noteMissing(groups, name)
	}
	if left > 0 {
		p.note("%s not above 0, and so not on logarithmic axes", numbers.Plural(left, p.noun()))
	}
	x.Apply(&fig.X)
	y.Apply(&fig.Y)
	fig.AddGrid()
	return fig, all, &sheet.Sheet{Style: p.style, Title: p.title(), Panels: []*sheet.Panel{fig}}, nil
}

// scatter draws a dot a row.
func (p *drawing) scatter() (*sheet.Sheet, error) {
	fig, all, s, err := p.pairs()
	if err != nil {
		return nil, err
	}
	fig.AddSeries(all, sheet.Marked)
	s.ShareLegend()
	return s, nil
}

// curve draws the median of a figure at each value of another. Where there are
// several rows, a bar goes from quartile to quartile.
func (p *drawing) curve() (*sheet.Sheet, error) {
	fig, all, s, err := p.pairs()
	if err != nil {
		return nil, err
	}
	for i := range all {
		at := map[float64][]float64{}
		for _, q := range all[i].Points {
			at[q.X] = append(at[q.X], q.Y)
		}
		all[i].Points = nil
		for x, values := range at {
			q := quantile.Quartiles(values)
			all[i].Points = append(all[i].Points, sheet.Point{XY: plotter.XY{X: x, Y: q[1]}, Low: q[0], High: q[2]})
		}
	}
	fig.AddSeries(all, sheet.Joined|sheet.Marked|sheet.Barred)
	s.ShareLegend()
	return s, nil
}
