package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// writeBenchPlot draws cost and speed-up side by side, with a legend below each.
func writeBenchPlot(to io.Writer, name string, f *bench.File) error {
	files := []*bench.File{f}
	s := &plotSheet{style: &lightStyle, columns: 2, caption: []string{f.Machine() + "; " + f.GoVersion}}
	s.caption = append(s.caption, speedUpNotes(files, nil)...)
	s.panels = []*panel{costPanel(s.style, costLines(files, nil).all, false), speedPanel(s.style, speedUpLines(files, nil))}
	return s.write(to, name)
}

// costPanel draws ns an agent and step against the logarithm of the number of
// agents. The ordinate begins at 0; if some cost very much more than others, or it
// is asked for, it is logarithmic.
func costPanel(style *plotStyle, all []series, logarithmic bool) *panel {
	const uneven = 30
	p := newPanel(style, "Cost of a step", "number of agents", "cost (ns per agent and step)")
	y := plotScale{zero: true}
	var sizes []float64
	for _, s := range all {
		for _, at := range s.points {
			sizes = append(sizes, at.X)
			y.add(at.Y, at.low, at.high)
		}
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	if y.log = logarithmic || y.hi > uneven*y.lo; y.log {
		y.lo, y.hi = math.Pow(10, math.Floor(math.Log10(y.lo))), math.Pow(10, math.Ceil(math.Log10(y.hi)))
	}
	for _, s := range all {
		for i := range s.points {
			at := &s.points[i]
			at.X, at.Y, at.low, at.high = math.Log10(at.X), y.at(at.Y), y.at(at.low), y.at(at.high)
		}
	}
	p.grid()
	p.draw(all, joined|marked|barred)
	p.X.Min, p.X.Max, p.X.Tick.Marker = math.Log10(sizes[0]/1.3), math.Log10(sizes[len(sizes)-1]*1.3), sizeTicks(sizes)
	y.apply(&p.Y)
	return p
}

// speedPanel draws the speed-up against workers, and the best there could be.
func speedPanel(style *plotStyle, all []series) *panel {
	p := newPanel(style, "Speed-up over one worker", "number of workers", "speed-up, round by round")
	most, highest := 2., 1.
	var counts []float64
	for _, s := range all {
		for _, at := range s.points {
			most, highest = max(most, at.X), max(highest, at.Y, at.high)
			counts = append(counts, at.X)
		}
	}
	p.grid()
	ideal, err := plotter.NewLine(plotter.XYs{{X: 1, Y: 1}, {X: most, Y: most}})
	if err == nil {
		ideal.Color, ideal.Dashes, ideal.Width = style.faint, []vg.Length{4, 4}, 1.2
		p.Add(ideal)
		p.label("ideal", ideal)
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	moveApart(all, counts, most-1)
	p.draw(all, joined|marked|barred)
	p.X.Min, p.X.Max, p.X.Tick.Marker = 1-0.05*(most-1), most+0.05*(most-1), workerTicks(counts, most)
	top := 1.05 * max(most, highest)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, top, evenTicks(top)
	return p
}

// moveApart moves the points of several series a little sidewards, so that their bars
// do not lie on one another. Those of one worker have none.
func moveApart(all []series, counts []float64, span float64) {
	room := 0.07 * span // of all together
	for i := 1; i < len(counts); i++ {
		room = min(room, 0.5*(counts[i]-counts[i-1]))
	}
	step := min(room/float64(len(all)), 0.015*span)
	for i := range all {
		for k := range all[i].points {
			if at := &all[i].points[k]; at.X > 1 {
				at.X += (float64(i) - float64(len(all)-1)/2) * step
			}
		}
	}
}

// workerTicks marks the numbers of workers that were measured, and writes those
// that have room.
func workerTicks(counts []float64, most float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	last := math.Inf(-1)
	for _, n := range counts {
		tick := plot.Tick{Value: n}
		if n-last >= most/20 {
			tick.Label, last = fmt.Sprint(n), n
		}
		ticks = append(ticks, tick)
	}
	return ticks
}
