package main

import (
	"image/color"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// waysPanel draws ways, from a ring to a disc.
func (p *plotting) waysPanel(files []*plotFile) *panel {
	out := newPanel(p.style, "Ways", "x (m)", "y (m)")
	x, y := plotScale{ticks: 8}, plotScale{}
	ways := 0
	for _, f := range files {
		ways += len(f.motion.ways)
		for i := range f.motion.ways {
			for _, at := range f.motion.ways[i].places {
				x.add(at.x)
				y.add(at.y)
			}
		}
	}
	x.apply(&out.X)
	y.apply(&out.Y)
	out.plane = true
	out.grid()
	for k, f := range files {
		c := p.style.line(k)
		w := &waysPlot{ways: f.motion.ways, color: c, paper: p.style.paper, far: max(x.hi-x.lo, y.hi-y.lo) / 4}
		out.Add(w)
		if len(files) > 1 {
			out.label(f.label, swatch{c})
		}
	}
	out.Title.Text = "Ways of " + numbers.Plural(ways, "agent")
	if len(files) == 1 {
		c := p.style.line(0)
		out.label("began here", ring{c, p.style.paper})
		out.label("was here at last", dot{c, 0})
	}
	return out
}

// waysPlot draws ways. A leap, as where the plane wraps round, is no line.
type waysPlot struct {
	ways         []way
	color, paper color.Color
	far          float64 // the least distance that may be a leap
}

func (w *waysPlot) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := draw.LineStyle{Color: pale(w.color, max(0.25, min(0.8, 30/float64(len(w.ways)+1)))), Width: 1}
	for i := range w.ways {
		var line []vg.Point
		for k, at := range w.ways[i].places {
			if k > 0 && w.leap(w.ways[i].places[k-1], at) {
				c.StrokeLines(style, line)
				line = nil
			}
			to := vg.Point{X: x(at.x), Y: y(at.y)}
			if n := len(line); n == 0 || k == len(w.ways[i].places)-1 || math.Hypot(float64(to.X-line[n-1].X), float64(to.Y-line[n-1].Y)) > 0.4 {
				line = append(line, to) // closer ones cannot be seen apart
			}
		}
		if len(line) > 1 {
			c.StrokeLines(style, line)
		}
	}
	for i := range w.ways {
		places := w.ways[i].places
		if len(places) == 0 {
			continue
		}
		first, last := places[0], places[len(places)-1]
		ring{w.color, w.paper}.at(&c, vg.Point{X: x(first.x), Y: y(first.y)}, 1.8)
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: w.color, Radius: 2, Shape: draw.CircleGlyph{}}, vg.Point{X: x(last.x), Y: y(last.y)})
	}
}

// leap tells whether an agent cannot have walked from one place to another.
func (w *waysPlot) leap(a, b place) bool {
	d := math.Hypot(b.x-a.x, b.y-a.y)
	return d > w.far && d > 3*max(a.speed, b.speed)*(b.time-a.time)
}

// ring is a small circle.
type ring struct{ color, paper color.Color }

func (r ring) at(c *draw.Canvas, center vg.Point, radius vg.Length) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: r.color, Radius: radius + 0.5, Shape: draw.CircleGlyph{}}, center)
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: r.paper, Radius: radius - 0.4, Shape: draw.CircleGlyph{}}, center)
}

func (r ring) Thumbnail(c *draw.Canvas) { r.at(c, c.Center(), 3) }
