package verify

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"gonum.org/v1/gonum/spatial/r2"
	gonumplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// picture draws the door from both sides, lanes, and the ways of people before a door,
// each with the first seed.
func (s *throng) picture(style *plot.Style) *plot.Sheet {
	return &plot.Sheet{
		Style: style, Title: "Throngs", Columns: 2,
		Caption: []string{"Agents with the first seed."},
		Panels:  []*plot.Panel{s.bursts(style), s.order(style), s.lanes(style), s.ways(style)},
	}
}

// sideNames are what those who come from each side are called.
var sideNames = [2]string{"eastwards", "westwards"}

// bursts draws how many of each side have passed the door over time.
func (s *throng) bursts(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "2 × 60 people, a door of 0.8 m from both sides", "time (s)", "have passed")
	var all []curve
	for side, times := range s.sides[0].Times {
		all = append(all, line(sideNames[side], side, plot.Joined|plot.Stepped, times, counts(len(times))))
	}
	addCurves(p, all...)
	return p
}

// order draws the order of lanes over time.
func (s *throng) order(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "Lanes", "time (s)", "lane order (Rex & Löwen)")
	var all []curve
	end := 0.
	for i, of := range []struct {
		name  string
		walks *experiment.TwoWays
	}{{"2 × 250 in 5 m", &s.blocks[0]}, {"100 against 100 in 2 m", &s.narrow[0]}} {
		var xs, ys []float64
		for _, at := range of.walks.Orders {
			xs, ys = append(xs, at.Time), append(ys, at.Order)
			end = max(end, at.Time)
		}
		all = append(all, line(of.name, i, plot.Joined, xs, ys))
	}
	least := line("expected, 0.8 or more", expected, plot.Joined, []float64{0, end}, []float64{0.8, 0.8})
	least.Dash = 1
	all = append(all, least)
	addCurves(p, all...)
	return p
}

// lanes draws the corridor of 5 m at some times, one below the other.
func (s *throng) lanes(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "2 × 250 people in a corridor of 5 m", "m", "")
	p.HideY()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -20, 20, 0, 1
	p.Add(strips{s.blocks[0].Views, style, p.X.Tick.Label})
	for side, name := range sideNames {
		p.Label(name, plot.Swatch{Color: style.Line(side)})
	}
	return p
}

// strips draws views of a corridor one below the other, all in the scale of the axis x.
type strips struct {
	views []experiment.View
	style *plot.Style
	text  text.Style
}

func (s strips) Plot(c draw.Canvas, p *gonumplot.Plot) {
	const half, body = 2.5, 0.2 // m
	x, _ := p.Transforms(&c)
	meter := x(1) - x(0)
	size := c.Size()
	each := size.Y / vg.Length(len(s.views))
	meter = min(meter, (each-16)/(2*half)) // where the picture is low
	for i, v := range s.views {
		middle := c.Max.Y - each*vg.Length(i) - 14 - half*meter
		at := func(place r2.Vec) vg.Point {
			return vg.Point{X: x(place.X), Y: middle + vg.Length(place.Y)*meter}
		}
		for _, wall := range []float64{-half, half} {
			c.StrokeLine2(draw.LineStyle{Color: s.style.Faint, Width: 1.5}, c.Min.X, at(r2.Vec{Y: wall}).Y, c.Max.X, at(r2.Vec{Y: wall}).Y)
		}
		for side := range v.At {
			for _, place := range v.At[side] {
				if math.Abs(place.X) < p.X.Max-body {
					c.DrawGlyphNoClip(draw.GlyphStyle{Color: s.style.Line(side), Radius: body * meter, Shape: draw.CircleGlyph{}}, at(place))
				}
			}
		}
		label := s.text
		label.XAlign, label.YAlign = draw.XLeft, draw.YBottom
		c.FillText(label, vg.Point{X: c.Min.X, Y: middle + half*meter + 2}, fmt.Sprintf("after %.0f s", v.Time))
	}
}

// ways draws the ways of people before a door.
func (s *throng) ways(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "Ways before a door of 1.0 m, over 5 s", "m", "m")
	p.Plane = true
	p.Add(walked{s.door[0].Ways, style})
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -5, 1, -2, 2
	return p
}

// walked draws ways, and the wall with its door.
type walked struct {
	ways  [][]r2.Vec
	style *plot.Style
}

func (w walked) Plot(c draw.Canvas, p *gonumplot.Plot) {
	const half, thick = 0.5, 0.2 // m
	x, y := p.Transforms(&c)
	for _, side := range []float64{-1, 1} {
		wall := cornersOf(r2.Box{Min: r2.Vec{Y: half}, Max: r2.Vec{X: thick, Y: p.Y.Max - p.Y.Min}})
		var outline []vg.Point
		for _, at := range wall {
			outline = append(outline, vg.Point{X: x(at.X), Y: y(side * at.Y)})
		}
		c.FillPolygon(w.style.Faint, c.ClipPolygonXY(outline))
	}
	for i, way := range w.ways {
		var line []vg.Point
		for _, at := range way {
			line = append(line, vg.Point{X: x(at.X), Y: y(at.Y)})
		}
		c.StrokeLines(draw.LineStyle{Color: w.style.Line(i % 6), Width: 1.1}, c.ClipLinesXY(line)...)
	}
}
