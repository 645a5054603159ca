package plot

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

func (p *drawing) distributions() ([]*Panel, error) {
	return p.each(func(groups []*group, column string) *Panel {
		panel := NewPanel(p.style, "", metricOf(column).Axis(), "share of "+p.noun()+"s up to this value, %").log(p.Log, false)
		for i, g := range groups {
			line, look := p.series(i, g.name), Joined
			sorted := slices.Sorted(slices.Values(values([]*group{g}, column)))
			if len(sorted) < 50 {
				look |= Marked
			}
			for k, x := range sorted {
				line.Points = append(line.Points, At(x, 100*float64(k+1)/float64(len(sorted))))
			}
			panel.AddSeries(look, line)
		}
		panel.Y.Min, panel.Y.Max = 0, 100
		return panel
	})
}

func (p *drawing) scatter() ([]*Panel, error) {
	return p.pairs(Marked, func(all Points) Points { return all })
}

func (p *drawing) curve() ([]*Panel, error) { return p.pairs(Joined|Marked|Barred, quartiles) }

// pairs draws --y against --x.
func (p *drawing) pairs(look SeriesLook, summarize func(Points) Points) ([]*Panel, error) {
	groups, err := p.prepare(p.X, p.Y)
	if err != nil {
		return nil, err
	}
	panel := NewPanel(p.style, "", metricOf(p.X).Axis(), metricOf(p.Y).Axis()).log(p.Log, p.Log)
	left, n := 0, 0
	for i, g := range groups {
		s := p.series(i, g.name)
		for _, r := range g.rows {
			x, y := r.number(p.X), r.number(p.Y)
			if panel.has(x, y) {
				s.Points = append(s.Points, At(x, y))
			} else if !math.IsNaN(x) && !math.IsNaN(y) {
				left++
			}
		}
		n += len(s.Points)
		s.Points = summarize(s.Points)
		panel.AddSeries(look, s)
	}
	if left > 0 {
		p.note("%s left out: logarithmic axes have no values of 0 or less", cli.Plural(left, p.noun()))
	}
	if n == 0 {
		return nil, fmt.Errorf("%s: no %s has numbers that can be drawn for both %s and %s", p.files[0].Name, p.noun(), p.X, p.Y)
	}
	return []*Panel{panel}, nil
}

// quartiles returns the median and the quartiles of the points at each X, in any order.
func quartiles(points Points) (all Points) {
	at := map[float64][]float64{}
	for _, one := range points {
		at[one.X] = append(at[one.X], one.Y)
	}
	for x, ys := range at {
		q := cli.Quartiles(ys)
		all = append(all, Point{X: x, Y: q[1], Low: q[0], High: q[2]})
	}
	return all
}
