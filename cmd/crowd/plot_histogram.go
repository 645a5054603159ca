package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// histograms draws how often each figure lies where. A figure of several groups has
// a panel for each of them; of several figures the bars of groups stand on one
// another.
func (p *plotting) histograms() (*plotSheet, error) {
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
func (p *plotting) binsOfAll(groups []plotGroup, column string) plotBins {
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
	b := binsFor(all, p.Log)
	c := b.count(all)
	if b.log && c.left > 0 {
		p.note("%s of %s are not above 0, and so not on a logarithmic axis", numbers.Thousands(c.left), column)
	}
	below, above := b.edges()
	for _, far := range []struct {
		n                    int
		side, farthest, last string
	}{
		{c.below, "below " + text(below), "down to", "first"},
		{c.above, "above " + text(above), "up to", "last"},
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
func (p *plotting) histogram(groups []plotGroup, column string) *panel {
	m := measureOf(column)
	fig := newPanel(p.style, "", m.axis(), p.noun()+"s")
	b := p.binsOfAll(groups, column)
	base := make([]float64, b.n+2)
	var all []*histogramBars
	for i := range groups {
		h := newHistogramBars(&b, b.count(groups[i].values(column)), p.style.line(i), p.style.paper)
		h.base = append(h.base, base...)
		for k := range base {
			base[k] += h.heights[k]
		}
		all = append(all, h)
	}
	fig.histogramAxes(&b, base, 5)
	for i, h := range all {
		fig.Add(h)
		fig.label(groups[i].name, h)
	}
	highest := 1.
	for _, x := range base {
		highest = max(highest, x)
	}
	fig.Y.Min, fig.Y.Max = 0, highest*(1+axisMargin)
	fig.Y.Tick.Marker = stepTicks(0, fig.Y.Max, max(1, niceStep(fig.Y.Max/6)))
	return fig
}

// histogramEach draws a panel for each group, with the same axes: which share of the
// group lies in each bin. It returns nil if no group has values.
func (p *plotting) histogramEach(groups []plotGroup, column string) *plotSheet {
	m := measureOf(column)
	b := p.binsOfAll(groups, column)
	together := make([]float64, b.n+2)
	highest := 0.
	var names []string
	var counts []histogramCounts
	var colors []int
	var without []string
	for i := range groups {
		c := b.count(groups[i].values(column))
		if c.sum() == 0 {
			without = append(without, groups[i].name)
			continue
		}
		names, counts, colors = append(names, groups[i].name), append(counts, c), append(colors, i)
	}
	if len(names) == 0 {
		return nil
	}
	if len(without) > 0 {
		p.note("nothing to draw of %s", strings.Join(without, ", "))
	}
	p.noteMissing(groups, column)
	s := &plotSheet{style: p.style, title: p.title(), row: 240 * pixel}
	switch n := len(names); {
	case n <= 3:
		s.columns = 1
	case n <= 8:
		s.columns = 2
	default:
		s.columns = 3
	}
	if p.Width > 0 && p.Height == 0 {
		s.columns = max(1, min(s.columns, int(vg.Length(p.Width)*pixel/leastPanel)))
	}
	var all []*histogramBars
	for i := range counts {
		h := newHistogramBars(&b, counts[i], p.style.line(colors[i]), p.style.paper)
		for k := range h.heights {
			h.heights[k] *= 100 / float64(counts[i].sum())
			together[k] += h.heights[k]
			highest = max(highest, h.heights[k])
		}
		all = append(all, h)
	}
	for i, h := range all {
		title := fmt.Sprintf("%s, %s", names[i], numbers.Plural(counts[i].sum(), p.noun()))
		fig := newPanel(p.style, title, m.axis(), "share (%)")
		fig.histogramAxes(&b, together, 15/s.columns)
		fig.Add(h)
		fig.Y.Min, fig.Y.Max = 0, highest*(1+axisMargin)
		fig.Y.Tick.Marker = rangeTicks(0, fig.Y.Max, 6)
		s.panels = append(s.panels, fig)
	}
	return s
}

// Parts of the axis of a histogram, for what is beyond its bins.
const (
	farGap   = 0.02
	farWidth = 0.03
)

// farBar returns from where to where the bar stands for what is beyond the bins, on
// their left or right.
func (b *plotBins) farBar(right bool) (from, to float64) {
	span := b.end() - b.first
	gap, width := farGap*span, max(farWidth*span, b.width)
	if right {
		return b.end() + gap, b.end() + gap + width
	}
	return b.first - gap - width, b.first - gap
}

// histogramAxes sets the axis of values: of the bins, and of bars for what is beyond
// them. Heights are those of all bars together; ticks is how many short labels have
// room.
func (p *panel) histogramAxes(b *plotBins, heights []float64, ticks int) {
	p.X.Min, p.X.Max = b.first, b.end()
	var marks plot.ConstantTicks
	if b.log {
		marks = inRange(logTicks(p.X.Min, p.X.Max), p.X.Min, p.X.Max)
		thinLabels(marks, 8*ticks)
		p.X.Label.Text += ", log"
	} else {
		marks = rangeTicks(p.X.Min, p.X.Max, ticks)
		for most := ticks; most > 2 && len(marks)*widestLabel(marks) > 8*ticks; most-- {
			marks = rangeTicks(p.X.Min, p.X.Max, most-1)
		}
	}
	below, above := b.edges()
	for _, far := range []struct {
		height float64
		right  bool
		label  string
	}{{heights[0], false, "< " + numbers.Figure(below)}, {heights[b.n+1], true, "> " + numbers.Figure(above)}} {
		if far.height == 0 {
			continue
		}
		from, to := b.farBar(far.right)
		p.X.Min, p.X.Max = min(p.X.Min, from), max(p.X.Max, to)
		at := (from + to) / 2
		letter := (b.end() - b.first) / float64(8*ticks)
		marks = slices.DeleteFunc(marks, func(m plot.Tick) bool { // the others make room
			return math.Abs(m.Value-at) < letter*float64(len(m.Label)+len(far.label)+2)/2
		})
		marks = append(marks, plot.Tick{Value: at, Label: far.label})
	}
	p.X.Tick.Marker = marks
	p.grid()
}
