package plot

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// costPanel draws ns an agent and step against the logarithm of the number of
// agents. The ordinate begins at 0; if some cost very much more than others, or it
// is asked for, it is logarithmic.
func costPanel(style *sheet.Style, all []sheet.Series, logarithmic bool) *sheet.Panel {
	const uneven = 30
	p := sheet.NewPanel(style, "Cost of a step", "number of agents", "cost (ns per agent and step)")
	y := sheet.Scale{Zero: true}
	var sizes []float64
	for _, s := range all {
		for _, at := range s.Points {
			sizes = append(sizes, at.X)
			y.Add(at.Y, at.Low, at.High)
		}
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	if y.Log = logarithmic || y.Hi > uneven*y.Lo; y.Log {
		y.Lo, y.Hi = math.Pow(10, math.Floor(math.Log10(y.Lo))), math.Pow(10, math.Ceil(math.Log10(y.Hi)))
	}
	for _, s := range all {
		for i := range s.Points {
			at := &s.Points[i]
			at.X, at.Y, at.Low, at.High = math.Log10(at.X), y.At(at.Y), y.At(at.Low), y.At(at.High)
		}
	}
	p.AddGrid()
	p.AddSeries(all, sheet.Joined|sheet.Marked|sheet.Barred)
	p.X.Min, p.X.Max, p.X.Tick.Marker = math.Log10(sizes[0]/1.3), math.Log10(sizes[len(sizes)-1]*1.3), sheet.SizeTicks(sizes)
	y.Apply(&p.Y)
	return p
}

// speedPanel draws the speed-up against workers, and the best there could be.
func speedPanel(style *sheet.Style, all []sheet.Series) *sheet.Panel {
	p := sheet.NewPanel(style, "Speed-up over one worker", "number of workers", "speed-up, round by round")
	most, highest := 2., 1.
	var counts []float64
	for _, s := range all {
		for _, at := range s.Points {
			most, highest = max(most, at.X), max(highest, at.Y, at.High)
			counts = append(counts, at.X)
		}
	}
	p.AddGrid()
	ideal, err := plotter.NewLine(plotter.XYs{{X: 1, Y: 1}, {X: most, Y: most}})
	if err == nil {
		ideal.Color, ideal.Dashes, ideal.Width = style.Faint, []vg.Length{4, 4}, 1.2
		p.Add(ideal)
		p.Label("ideal", ideal)
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	moveApart(all, counts, most-1)
	p.AddSeries(all, sheet.Joined|sheet.Marked|sheet.Barred)
	p.X.Min, p.X.Max, p.X.Tick.Marker = 1-0.05*(most-1), most+0.05*(most-1), workerTicks(counts, most)
	top := 1.05 * max(most, highest)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, top, sheet.EvenTicks(top)
	return p
}

// moveApart moves the points of several series a little sidewards, so that their bars
// do not lie on one another. Those of one worker have none.
func moveApart(all []sheet.Series, counts []float64, span float64) {
	room := 0.07 * span // of all together
	for i := 1; i < len(counts); i++ {
		room = min(room, 0.5*(counts[i]-counts[i-1]))
	}
	step := min(room/float64(len(all)), 0.015*span)
	for i := range all {
		for k := range all[i].Points {
			if at := &all[i].Points[k]; at.X > 1 {
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
