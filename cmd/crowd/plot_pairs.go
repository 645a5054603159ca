package main

import (
	"fmt"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
	"gonum.org/v1/plot/plotter"
)

// pairs returns a figure against another of each group, as far as both are there
// and can stand on the axes, and a panel that has them.
func (p *plotting) pairs() (*panel, []series, *plotSheet, error) {
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
	fig := newPanel(p.style, "", mx.axis(), my.axis())
	x, y := plotScale{log: p.Log, ticks: 9}, plotScale{log: p.Log}
	left := 0
	var all []series
	for i := range groups {
		s := series{name: groups[i].name, color: i, glyph: i, dash: i / len(p.style.lines)}
		for _, r := range groups[i].rows {
			a, ok := r.number(p.X)
			b, ok2 := r.number(p.Y)
			if a, b = mx.of(a), my.of(b); !ok || !ok2 {
				continue
			}
			if !x.has(a) || !y.has(b) {
				left++
				continue
			}
			x.add(a)
			y.add(b)
			s.points = append(s.points, point{XY: plotter.XY{X: x.at(a), Y: y.at(b)}})
		}
		all = append(all, s)
	}
	if !x.known {
		return nil, nil, nil, fmt.Errorf("no %s of %s has both %s and %s that can be drawn", p.noun(), p.files[0].name, p.X, p.Y)
	}
	for _, name := range slices.Compact([]string{p.X, p.Y}) {
		p.noteMissing(groups, name)
	}
	if left > 0 {
		p.note("%s not above 0, and so not on logarithmic axes", numbers.Plural(left, p.noun()))
	}
	x.apply(&fig.X)
	y.apply(&fig.Y)
	fig.grid()
	return fig, all, &plotSheet{style: p.style, title: p.title(), panels: []*panel{fig}}, nil
}

// scatter draws a dot a row.
func (p *plotting) scatter() (*plotSheet, error) {
	fig, all, s, err := p.pairs()
	if err != nil {
		return nil, err
	}
	fig.draw(all, marked)
	s.shareLegend()
	return s, nil
}

// curve draws the median of a figure at each value of another. Where there are
// several rows, a bar goes from quartile to quartile.
func (p *plotting) curve() (*plotSheet, error) {
	fig, all, s, err := p.pairs()
	if err != nil {
		return nil, err
	}
	for i := range all {
		at := map[float64][]float64{}
		for _, q := range all[i].points {
			at[q.X] = append(at[q.X], q.Y)
		}
		all[i].points = nil
		for x, values := range at {
			q := quantile.Quartiles(values)
			all[i].points = append(all[i].points, point{XY: plotter.XY{X: x, Y: q[1]}, low: q[0], high: q[2]})
		}
	}
	fig.draw(all, joined|marked|barred)
	s.shareLegend()
	return s, nil
}
