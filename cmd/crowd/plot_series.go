package main

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// series is a line of a panel.
type series struct {
	name               string
	color, glyph, dash int // which of those there are
	points             []point
}

// point is a value, and the range in which it may lie.
type point struct {
	plotter.XY
	low, high float64 // equal: no range
}

// look is how series are drawn.
type look uint8

const (
	joined  look = 1 << iota // by a line
	marked                   // by a glyph at each point
	stepped                  // the line goes across first, and then up
	banded                   // the ranges are filled, as one band
	barred                   // the ranges are a bar at each point
)

// draw adds series to the panel, and to its legend those that have a name.
func (p *panel) draw(all []series, how look) {
	for i := range all {
		s := &all[i]
		slices.SortStableFunc(s.points, func(a, b point) int { return cmp.Compare(a.X, b.X) })
		xys := make(plotter.XYs, len(s.points))
		for k, at := range s.points {
			xys[k] = at.XY
		}
		line, points, err := plotter.NewLinePoints(xys)
		if err != nil {
			continue // it has no points, or some that are not finite
		}
		c := p.style.line(s.color)
		line.Color, line.Width, line.Dashes = c, 1.6, lineDashes[s.dash%len(lineDashes)]
		points.Color, points.Radius, points.Shape = c, 3, lineGlyphs[s.glyph%len(lineGlyphs)]
		if how&stepped != 0 {
			line.StepStyle = plotter.PostStep
		}
		var parts []plot.Thumbnailer
		if how&(banded|barred) != 0 {
			r := &ranges{points: s.points, color: c, band: how&banded != 0}
			p.Add(r)
			if r.band {
				parts = append(parts, r)
			}
		}
		if how&joined != 0 {
			p.Add(line)
			parts = append(parts, line)
		}
		if how&marked != 0 {
			p.Add(points)
			parts = append(parts, points)
		}
		if s.name != "" {
			p.label(s.name, parts...)
		}
	}
}

// ranges draws the ranges of points.
type ranges struct {
	points []point
	color  color.Color
	band   bool // as one band, and not as bars
}

func (r *ranges) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	if !r.band {
		for _, at := range r.points {
			if at.low < at.high {
				style := draw.LineStyle{Color: pale(r.color, 0.65), Width: 1.1}
				c.StrokeLines(style, c.ClipLinesXY([]vg.Point{{X: x(at.X), Y: y(at.low)}, {X: x(at.X), Y: y(at.high)}})...)
			}
		}
		return
	}
	var outline []vg.Point
	for _, at := range r.points {
		outline = append(outline, vg.Point{X: x(at.X), Y: y(at.high)})
	}
	for _, at := range slices.Backward(r.points) {
		outline = append(outline, vg.Point{X: x(at.X), Y: y(at.low)})
	}
	c.FillPolygon(pale(r.color, 0.22), c.ClipPolygonXY(outline))
}

func (r *ranges) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = r.points[0].X, r.points[0].X, r.points[0].low, r.points[0].high
	for _, at := range r.points {
		xmin, xmax, ymin, ymax = min(xmin, at.X), max(xmax, at.X), min(ymin, at.low), max(ymax, at.high)
	}
	return xmin, xmax, ymin, ymax
}

func (r *ranges) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(pale(r.color, 0.22), []vg.Point{c.Min, {X: c.Min.X, Y: c.Max.Y}, c.Max, {X: c.Max.X, Y: c.Min.Y}})
}
