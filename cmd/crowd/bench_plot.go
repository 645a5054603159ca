package main

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Sizes of the picture, in points of 1/72 inch; 1200 × 500 pixels, and higher where
// there are many lines.
const (
	plotWidth     = 1200 * vg.Inch / 96
	plotHeight    = 500 * vg.Inch / 96
	plotMargin    = vg.Length(10)
	legendSize    = 9
	captionHeight = vg.Length(14)
)

// writeBenchPlot draws cost and speed-up side by side, with a legend below each.
func writeBenchPlot(file string, f *benchFile) error {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	panels := []*panel{costPanel(f.costLines().all), speedPanel(f.speedLines().all)}
	const width = plotWidth/2 - 2*plotMargin
	below := max(panels[0].legendHeight(width), panels[1].legendHeight(width))
	height := plotHeight + max(0, below-plotHeight/4)

	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	if strings.ToLower(filepath.Ext(file)) == ".svg" {
		canvas = vgsvg.New(plotWidth, height)
	} else {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(plotWidth, height), vgimg.UseDPI(96))}
	}
	all := draw.New(canvas)
	all.FillPolygon(color.White, []vg.Point{{}, {X: plotWidth}, {X: plotWidth, Y: height}, {Y: height}})
	all.Max.Y -= captionHeight
	for i, p := range panels {
		left := vg.Length(i) * plotWidth / 2
		area := draw.Crop(all, left+plotMargin, left-plotWidth/2-plotMargin, plotMargin, -plotMargin)
		p.Draw(draw.Crop(area, 0, 0, below+plotMargin, 0))
		area.Max.Y = area.Min.Y + below
		p.drawLegend(area)
	}
	caption := panels[0].Title.TextStyle
	caption.Font.Size, caption.Color, caption.XAlign = legendSize, color.Gray{90}, draw.XCenter
	all.FillText(caption, vg.Point{X: plotWidth / 2, Y: height - captionHeight}, f.machine()+"; "+f.GoVersion)
	return writeTo(nil, file, func(w io.Writer) error {
		_, err := canvas.WriteTo(w)
		return err
	})
}

// costPanel draws ns an agent and step against the logarithm of the number of
// agents. The ordinate begins at 0; if some cost very much more than others it is
// logarithmic. Logarithms are of the data, because plot.LogScale leaves room for
// labels in the wrong place.
func costPanel(all []series) *panel {
	const uneven = 30
	p := newPanel("Cost of a step", "number of agents", "cost (ns per agent and step)")
	var sizes []float64
	least, most := math.Inf(1), 0.
	for _, s := range all {
		for _, at := range s.points {
			sizes = append(sizes, at.X)
			least, most = min(least, at.Y), max(most, at.Y)
		}
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	logarithmic := most > uneven*least
	for _, s := range all {
		for i := range s.points {
			s.points[i].X = math.Log10(s.points[i].X)
			if logarithmic {
				s.points[i].Y = math.Log10(s.points[i].Y)
			}
		}
	}
	p.Add(plotGrid())
	p.draw(all)
	p.X.Min, p.X.Max, p.X.Tick.Marker = math.Log10(sizes[0]/1.3), math.Log10(sizes[len(sizes)-1]*1.3), sizeTicks(sizes)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, 1.05*most, evenTicks(1.05*most)
	if logarithmic {
		p.Y.Label.Text += ", log"
		p.Y.Min, p.Y.Max = math.Floor(math.Log10(least)), math.Ceil(math.Log10(most))
		p.Y.Tick.Marker = powerTicks(int(p.Y.Min), int(p.Y.Max))
	}
	return p
}

// speedPanel draws the speed-up against workers, and the best there could be.
func speedPanel(all []series) *panel {
	p := newPanel("Speed-up", "number of workers", "speed-up (time of one worker / time)")
	most, highest := 2., 1.
	var counts []float64
	for _, s := range all {
		for _, at := range s.points {
			most, highest = max(most, at.X), max(highest, at.Y)
			counts = append(counts, at.X)
		}
	}
	p.Add(plotGrid())
	ideal, err := plotter.NewLine(plotter.XYs{{X: 1, Y: 1}, {X: most, Y: most}})
	if err == nil {
		ideal.Color, ideal.Dashes, ideal.Width = color.Gray{130}, []vg.Length{4, 4}, 1.2
		p.Add(ideal)
		p.label("ideal", ideal)
	}
	p.draw(all)
	slices.Sort(counts)
	var ticks plot.ConstantTicks
	for _, n := range slices.Compact(counts) {
		ticks = append(ticks, plot.Tick{Value: n, Label: fmt.Sprint(n)})
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = 1-0.05*(most-1), most+0.05*(most-1), ticks
	top := 1.05 * max(most, highest)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, top, evenTicks(top)
	return p
}

func plotGrid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = color.Gray{218}, color.Gray{218}
	return g
}
