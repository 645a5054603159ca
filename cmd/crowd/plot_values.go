package main

import (
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
	"gonum.org/v1/plot/plotter"
)

// chiefFigures are those that tell best how a crowd did, the first ones first.
var chiefFigures = []string{
	"mean_arrival_time", "path_ratio", "arrived_share", "collisions", "obstacle_collisions", "ns_per_agent_step",
	"speed_up", "allocs_per_step", "bytes_per_agent",
}

// figureNames returns the figure that is asked for, or the chief ones that there
// are and that differ, or the first ones.
func (p *plotting) figureNames() ([]string, error) {
	if p.X != "" {
		return []string{p.X}, p.checkColumn("--x", p.X)
	}
	all, most := p.columns(true), 6
	var names []string
	for _, name := range chiefFigures {
		if slices.Contains(all, name) && len(names) < most {
			names = append(names, name)
		}
	}
	if len(names) < 2 {
		names = all[:min(len(all), most)]
	}
	return names, nil
}

// uneven tells whether values are so far apart that a logarithmic axis is better.
func uneven(values []float64) bool {
	const far = 40
	var above []float64
	for _, x := range values {
		if x < 0 {
			return false
		}
		if x > 0 {
			above = append(above, x)
		}
	}
	return len(above) > 2 && slices.Max(above) > far*quantile.Of(above, 0.5)
}

// distributions draws of each figure in which share of the rows it is no higher.
func (p *plotting) distributions() (*plotSheet, error) {
	return p.eachFigure(p.distribution)
}

// eachFigure draws a panel for each figure.
func (p *plotting) eachFigure(one func(groups []plotGroup, column string) *panel) (*plotSheet, error) {
	names, err := p.figureNames()
	if err != nil {
		return nil, err
	}
	groups, err := p.groups()
	if err != nil {
		return nil, err
	}
	s := &plotSheet{style: p.style, title: p.title(), columns: min(len(names), 3)}
	if len(names) == 4 {
		s.columns = 2
	}
	for _, name := range names {
		s.panels = append(s.panels, one(groups, name))
		p.noteMissing(groups, name)
	}
	s.shareLegend()
	return s, nil
}

// title is how much of what there is.
func (p *plotting) title() string {
	rows := 0
	for _, f := range p.files {
		rows += len(f.table.rows)
	}
	title := numbers.Plural(rows, p.noun())
	if len(p.files) == 1 {
		return title + " of " + p.files[0].label
	}
	return title + " of " + numbers.Plural(len(p.files), "file")
}

// distribution draws empirical cumulative distribution functions. On a logarithmic
// axis values that are 0 are before its beginning: the curve begins at their share.
func (p *plotting) distribution(groups []plotGroup, column string) *panel {
	m := measureOf(column)
	fig := newPanel(p.style, "", m.axis(), "share of "+p.noun()+"s with no more (%)")
	var all []float64
	for i := range groups {
		all = append(all, groups[i].values(column)...)
	}
	x := plotScale{log: p.Log || uneven(all), ticks: 5}
	x.add(all...)
	x.apply(&fig.X)
	fig.grid()
	var lines []series
	for i := range groups {
		values := groups[i].values(column)
		slices.Sort(values)
		line := series{name: groups[i].name, color: i, dash: i / len(p.style.lines)}
		below := 0
		for below < len(values) && !x.has(values[below]) {
			below++
		}
		add := func(x float64, count int) {
			line.points = append(line.points, point{XY: plotter.XY{X: x, Y: 100 * float64(count) / float64(len(values))}})
		}
		if len(values) > 0 {
			add(fig.X.Min, below)
		}
		for k := below; k < len(values); k++ {
			if k+1 == len(values) || values[k+1] > values[k] {
				add(x.at(values[k]), k+1)
			}
		}
		if len(values) > 0 {
			add(fig.X.Max, len(values))
		}
		lines = append(lines, line)
	}
	fig.draw(lines, joined|stepped)
	fig.Y.Min, fig.Y.Max, fig.Y.Tick.Marker = 0, 102, stepTicks(0, 100, 20)
	return fig
}
