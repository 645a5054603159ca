package sheet

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Series is a line of a panel.
type Series struct {
	Name               string
	Color, Glyph, Dash int // which of those there are
	Points             []Point
}

// Point is a value, and the range in which it may lie.
type Point struct {
	plotter.XY
	Low, High float64 // equal: no range
}

// Look is how series are drawn.
type Look uint8

const (
	Joined  Look = 1 << iota // by a line
	Marked                   // by a glyph at each point
	Stepped                  // the line goes across first, and then up
	Banded                   // the ranges are filled, as one band
	Barred                   // the ranges are a bar at each point
)

// AddSeries adds series to the panel, and to its legend those that have a name.
func (p *Panel) AddSeries(all []Series, how Look) {
	for i := range all {
		s := &all[i]
		slices.SortStableFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		xys := make(plotter.XYs, len(s.Points))
		for k, at := range s.Points {
			xys[k] = at.XY
		}
		line, points, err := plotter.NewLinePoints(xys)
		if err != nil {
			continue // it has no points, or some that are not finite
		}
		c := p.style.Line(s.Color)
		line.Color, line.Width, line.Dashes = c, 1.6, lineDashes[s.Dash%len(lineDashes)]
		points.Color, points.Radius, points.Shape = c, 3, lineGlyphs[s.Glyph%len(lineGlyphs)]
		if how&Stepped != 0 {
			line.StepStyle = plotter.PostStep
		}
		var parts []plot.Thumbnailer
		if how&(Banded|Barred) != 0 {
			r := &ranges{points: s.Points, color: c, band: how&Banded != 0}
			p.Add(r)
			if r.band {
				parts = append(parts, r)
			}
		}
		if how&Joined != 0 {
			p.Add(line)
			parts = append(parts, line)
		}
		if how&Marked != 0 {
			p.Add(points)
			parts = append(parts, points)
		}
		if s.Name != "" {
			p.Label(s.Name, parts...)
		}
	}
}
