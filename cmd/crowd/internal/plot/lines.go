package plot

import (
	"cmp"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Series is points of one color.
type Series struct {
	Name               string // in the legend; empty: not there
	Color, Glyph, Dash int    // which of those there are; the color -1 is faint
	Points             Points
}

// Point is a value with the range in which it may lie. Equal ends are none.
type Point struct{ X, Y, Low, High float64 }

// Points implements plotter.XYer and plotter.YErrorer.
type Points []Point

// At returns a point without a range.
func At(x, y float64) Point { return Point{x, y, y, y} }

func (p Points) Len() int                         { return len(p) }
func (p Points) XY(i int) (x, y float64)          { return p[i].X, p[i].Y }
func (p Points) YError(i int) (low, high float64) { return p[i].Y - p[i].Low, p[i].High - p[i].Y }

// SeriesLook is how a series is drawn.
type SeriesLook uint8

// Parts of a Look.
const (
	Joined  SeriesLook = 1 << iota // by a line
	Marked                         // by a glyph at each point
	Stepped                        // the line goes across first, then up
	Banded                         // the ranges are one band
	Barred                         // each range is a bar
)

// Has reports whether a point has a place on the axes.
func (p *Panel) Has(x, y float64) bool {
	return cli.Drawable(x) && cli.Drawable(y) && (!p.LogX || x > 0) && (!p.LogY || y > 0)
}

// on returns the points that have a place on the axes, where they are there.
func (p *Panel) on(all Points) (kept Points) {
	for _, at := range all {
		if !p.Has(at.X, at.Y) {
			continue
		}
		if p.LogX {
			at.X = math.Log10(at.X)
		}
		if p.LogY {
			low := max(at.Low, at.Y/1e3)
			at.Y, at.Low, at.High = math.Log10(at.Y), math.Log10(low), math.Log10(at.High)
		}
		kept = append(kept, at)
	}
	return kept
}

// AddSeries draws series in the order of their X, and adds their names to the legend.
func (p *Panel) AddSeries(look SeriesLook, all ...Series) {
	for _, s := range all {
		points := p.on(s.Points)
		if len(points) == 0 {
			continue
		}
		slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		c := p.style.Line(s.Color)
		var samples []plot.Thumbnailer
		if look&Banded != 0 {
			outline := make(plotter.XYs, 0, 2*len(points))
			for _, at := range points {
				outline = append(outline, plotter.XY{X: at.X, Y: at.High})
			}
			for _, at := range slices.Backward(points) {
				outline = append(outline, plotter.XY{X: at.X, Y: at.Low})
			}
			if band, err := plotter.NewPolygon(outline); err == nil {
				band.Color, band.LineStyle.Width = Pale(c, 0.22), 0
				p.Add(band)
				samples = append(samples, band)
			}
		}
		ranges := slices.DeleteFunc(slices.Clone(points), func(at Point) bool { return at.Low >= at.High })
		if bars, err := plotter.NewYErrorBars(ranges); look&Barred != 0 && err == nil && len(ranges) > 0 {
			bars.Color, bars.Width, bars.CapWidth = Pale(c, 0.65), 1.1, 3
			p.Add(bars)
			if look == Barred {
				samples = append(samples, Swatch{bars.Color})
			}
		}
		if line, err := plotter.NewLine(points); look&Joined != 0 && err == nil {
			line.Color, line.Width, line.Dashes = c, 1.6, dashes[s.Dash%len(dashes)]
			if look&Stepped != 0 {
				line.StepStyle = plotter.PostStep
			}
			p.Add(line)
			samples = append(samples, line)
		}
		if dots, err := plotter.NewScatter(points); look&Marked != 0 && err == nil {
			dots.Color, dots.Radius, dots.Shape = c, 3, glyphs[s.Glyph%len(glyphs)]
			p.Add(dots)
			samples = append(samples, dots)
		}
		if s.Name != "" {
			p.Label(s.Name, samples...)
		}
	}
}

// FromZero makes the vertical axis begin at 0, unless it is logarithmic.
func (p *Panel) FromZero() {
	if !p.LogY {
		p.Y.Min = min(p.Y.Min, 0)
	}
}

// Write writes texts beside points that have a place on the axes.
func (p *Panel) Write(points Points, texts []string, offset vg.Point, style text.Style) {
	l := &plotter.Labels{Offset: offset}
	for i, at := range points {
		if on := p.on(Points{at}); len(on) > 0 {
			l.XYs, l.Labels, l.TextStyle = append(l.XYs, plotter.XY{X: on[0].X, Y: on[0].Y}), append(l.Labels, texts[i]), append(l.TextStyle, style)
		}
	}
	if len(l.XYs) > 0 {
		p.Add(l)
	}
}

// AddPaths draws thin lines of a color.
func (p *Panel) AddPaths(color int, opacity float64, paths ...plotter.XYs) {
	for _, path := range paths {
		if line, err := plotter.NewLine(path); err == nil {
			line.Color = Pale(p.style.Line(color), opacity)
			p.Add(line)
		}
	}
}

// AddWalls fills outlines, which do not widen the axes.
func (p *Panel) AddWalls(outlines []plotter.XYs) {
	box := [4]float64{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max}
	for _, outline := range outlines {
		if wall, err := plotter.NewPolygon(outline); err == nil {
			wall.Color, wall.LineStyle.Width = Pale(p.style.Faint, 0.6), 0
			p.Add(wall)
		}
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = box[0], box[1], box[2], box[3]
}

// Table makes a panel of texts in columns 1, 2 … and rows 0, -1 … a table: with names, and without axes.
func (p *Panel) Table(names []string, columns int) {
	p.Names(&p.Y, names, -1)
	p.X.Min, p.X.Max, p.X.Tick.Marker, p.High = 0, float64(columns), plot.ConstantTicks{}, 18*vg.Length(len(names))
	p.X.LineStyle.Width, p.Y.LineStyle.Width, p.Y.Tick.Length = 0, 0, 0
}
