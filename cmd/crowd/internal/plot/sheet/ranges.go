package sheet

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ranges draws the ranges of points.
type ranges struct {
	points []Point
	color  color.Color
	band   bool // as one band, and not as bars
}

func (r *ranges) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	if !r.band {
		for _, at := range r.points {
			if at.Low < at.High {
				style := draw.LineStyle{Color: Pale(r.color, 0.65), Width: 1.1}
				c.StrokeLines(style, c.ClipLinesXY([]vg.Point{{X: x(at.X), Y: y(at.Low)}, {X: x(at.X), Y: y(at.High)}})...)
			}
		}
		return
	}
	var outline []vg.Point
	for _, at := range r.points {
		outline = append(outline, vg.Point{X: x(at.X), Y: y(at.High)})
	}
	for _, at := range slices.Backward(r.points) {
		outline = append(outline, vg.Point{X: x(at.X), Y: y(at.Low)})
	}
	c.FillPolygon(Pale(r.color, 0.22), c.ClipPolygonXY(outline))
}

func (r *ranges) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = r.points[0].X, r.points[0].X, r.points[0].Low, r.points[0].High
	for _, at := range r.points {
		xmin, xmax, ymin, ymax = min(xmin, at.X), max(xmax, at.X), min(ymin, at.Low), max(ymax, at.High)
	}
	return xmin, xmax, ymin, ymax
}

func (r *ranges) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(Pale(r.color, 0.22), []vg.Point{c.Min, {X: c.Min.X, Y: c.Max.Y}, c.Max, {X: c.Max.X, Y: c.Min.Y}})
}
