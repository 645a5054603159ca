package verify

import (
	"image/color"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Colors of lines in all pictures, by their number.
const (
	agents   = 0
	others   = 1 // agents too, apart from the first
	expected = 2
	people   = 6
)

// curve is points of a panel that are to be drawn in some way.
type curve struct {
	sheet.Series
	look sheet.Look
}

// line returns a curve through values.
func line(name string, color int, look sheet.Look, xs, ys []float64) curve {
	c := curve{sheet.Series{Name: name, Color: color, Glyph: color}, look}
	for i := range xs {
		if !math.IsNaN(ys[i]) {
			c.Points = append(c.Points, sheet.Point{XY: plotter.XY{X: xs[i], Y: ys[i]}})
		}
	}
	return c
}

// frame sets the axes of a panel, from 0, so that they hold curves, and draws a grid.
func frame(p *sheet.Panel, most float64, curves ...curve) {
	x, y := sheet.Scale{Zero: true, Ticks: 6}, sheet.Scale{Zero: true, Ticks: 8}
	for _, c := range curves {
		for _, at := range c.Points {
			x.Add(min(at.X, most))
			y.Add(at.Y)
		}
	}
	x.Apply(&p.X)
	y.Apply(&p.Y)
	p.AddGrid()
}

// addCurves draws curves in the axes that the panel has.
func addCurves(p *sheet.Panel, curves ...curve) {
	x, y := p.X, p.Y
	for _, c := range curves {
		if len(c.Points) > 0 {
			p.AddSeries([]sheet.Series{c.Series}, c.look)
		}
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.Min, x.Max, y.Min, y.Max
}

// addThin draws curves of one color in thin lines, with one name.
func addThin(p *sheet.Panel, name string, c color.Color, curves ...curve) {
	x, y := p.X, p.Y
	for i, curve := range curves {
		xys := make(plotter.XYs, len(curve.Points))
		for k := range xys {
			xys[k] = curve.Points[k].XY
		}
		l, err := plotter.NewLine(xys)
		if err != nil {
			continue // it has no points
		}
		l.Color, l.Width = sheet.Pale(c, 0.75), 1
		p.Add(l)
		if i == 0 {
			p.Label(name, l)
		}
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.Min, x.Max, y.Min, y.Max
}

// counts returns 1 to n, the number of those who have passed at each of n times.
func counts(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = float64(i + 1)
	}
	return all
}

// cumulated returns values in order, and the shares of all that are no higher.
func cumulated(values []float64) (sorted, shares []float64) {
	sorted = slices.Sorted(slices.Values(values))
	shares = counts(len(sorted))
	for i := range shares {
		shares[i] /= float64(len(sorted))
	}
	return sorted, shares
}

// spans draws ranges upwards as bars.
type spans struct {
	at    []sheet.Point
	color color.Color
}

func (s spans) Plot(c draw.Canvas, p *plot.Plot) {
	const half = 5
	x, y := p.Transforms(&c)
	for _, at := range s.at {
		left, right, low, high := x(at.X)-half, x(at.X)+half, y(at.Low), y(at.High)
		c.FillPolygon(s.color, []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}})
	}
}
