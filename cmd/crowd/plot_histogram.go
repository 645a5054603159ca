package main

import (
	"math"
	"slices"
)

// histogram draws how many values lie in steps of equal width.
func (p *plotting) histogram(groups []plotGroup, column string) *panel {
	m := measureOf(column)
	fig := newPanel(p.style, "", m.axis(), p.noun()+"s")
	x := plotScale{log: p.Log, ticks: 5}
	var all []float64
	left := 0
	for i := range groups {
		for _, v := range groups[i].values(column) {
			if !x.has(v) {
				left++
				continue
			}
			all = append(all, x.at(v))
		}
		x.add(groups[i].values(column)...)
	}
	if left > 0 {
		p.note("%s of %s are not above 0, and so not on a logarithmic axis", thousands(left), column)
	}
	first, width, bins := binsOf(all, !x.log)
	fig.X.Min, fig.X.Max = first, first+width*float64(bins)
	fig.grid()
	highest := 0
	for i := range groups {
		counts := make([]int, bins)
		for _, v := range groups[i].values(column) {
			if x.has(v) {
				k := min(max(int((x.at(v)-first)/width), 0), bins-1)
				counts[k]++
				highest = max(highest, counts[k])
			}
		}
		h := &histogramBars{first: first, width: width, counts: counts, color: p.style.line(i), alone: len(groups) == 1, paper: p.style.paper}
		fig.Add(h)
		fig.label(groups[i].name, h)
	}
	if x.log {
		fig.X.Tick.Marker = inRange(logTicks(fig.X.Min, fig.X.Max), fig.X.Min, fig.X.Max)
		fig.X.Label.Text += ", log"
	} else {
		fig.X.Tick.Marker = rangeTicks(fig.X.Min, fig.X.Max, x.ticks)
	}
	fig.Y.Min, fig.Y.Max = 0, max(1, float64(highest))*(1+axisMargin)
	fig.Y.Tick.Marker = stepTicks(0, fig.Y.Max, max(1, niceStep(fig.Y.Max/6)))
	return fig
}

// binsOf returns where steps for values begin, how wide they are and how many: by
// the rule of Freedman and Diaconis, rounded, 5 to 50; of whole numbers that are
// close together, one each.
func binsOf(values []float64, round bool) (first, width float64, n int) {
	if len(values) == 0 {
		return 0, 1, 1
	}
	lo, hi := slices.Min(values), slices.Max(values)
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) {
		width = max(1e-3*math.Abs(hi), 1)
		return lo - 2.5*width, width, 5
	}
	width = 2 * (quantile(values, 0.75) - quantile(values, 0.25)) / math.Cbrt(float64(len(values)))
	width = niceStep(min(max(width, (hi-lo)/50), (hi-lo)/5))
	whole := !slices.ContainsFunc(values, func(x float64) bool { return x != math.Trunc(x) })
	if whole && round && width <= 1 {
		return lo - 0.5, 1, int(hi-lo) + 1
	}
	first = math.Floor(lo/width) * width
	return first, width, max(1, int(math.Floor((hi-first)/width))+1)
}
