package plot

import (
	"image/color"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// waysPanel draws ways, from a ring to a disc.
func (p *drawing) waysPanel(files []*data.File) *sheet.Panel {
	out := sheet.NewPanel(p.style, "Ways", "x (m)", "y (m)")
	x, y := sheet.Scale{Ticks: 8}, sheet.Scale{}
	ways := 0
	for _, f := range files {
		ways += len(f.Motion.Ways)
		for i := range f.Motion.Ways {
			for _, at := range f.Motion.Ways[i].Places {
				x.Add(at.X)
				y.Add(at.Y)
			}
		}
	}
	x.Apply(&out.X)
	y.Apply(&out.Y)
	out.Plane = true
	out.AddGrid()
	if len(p.obstacles) > 0 {
		out.Add(&obstaclesPlot{p.obstacles, sheet.Pale(p.style.Faint, 0.6)})
	}
	for k, f := range files {
		c := p.style.Line(k)
		w := &waysPlot{ways: f.Motion.Ways, color: c, paper: p.style.Paper, far: max(x.Hi-x.Lo, y.Hi-y.Lo) / 4}
		out.Add(w)
		if len(files) > 1 {
			out.Label(f.Label, sheet.Swatch{Color: c})
		}
	}
	out.Title.Text = "Ways of " + numbers.Plural(ways, "agent")
	if len(files) == 1 {
		c := p.style.Line(0)
		out.Label("began here", sheet.Ring{Color: c, Paper: p.style.Paper})
		out.Label("was here at last", sheet.Dot{Color: c, Glyph: 0})
	}
	return out
}

// waysPlot draws ways. A leap, as where the plane wraps round, is no line.
type waysPlot struct {
	ways         []data.Way
	color, paper color.Color
	far          float64 // the least distance that may be a leap
}

func (w *waysPlot) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := draw.LineStyle{Color: sheet.Pale(w.color, max(0.25, min(0.8, 30/float64(len(w.ways)+1)))), Width: 1}
	for i := range w.ways {
		var line []vg.Point
		for k, at := range w.ways[i].Places {
			if k > 0 && w.leap(w.ways[i].Places[k-1], at) {
				c.StrokeLines(style, line)
				line = nil
			}
			to := vg.Point{X: x(at.X), Y: y(at.Y)}
			if n := len(line); n == 0 || k == len(w.ways[i].Places)-1 || math.Hypot(float64(to.X-line[n-1].X), float64(to.Y-line[n-1].Y)) > 0.4 {
				line = append(line, to) // closer ones cannot be seen apart
			}
		}
		if len(line) > 1 {
			c.StrokeLines(style, line)
		}
	}
	for i := range w.ways {
		places := w.ways[i].Places
		if len(places) == 0 {
			continue
		}
		first, last := places[0], places[len(places)-1]
		sheet.Ring{Color: w.color, Paper: w.paper}.At(&c, vg.Point{X: x(first.X), Y: y(first.Y)}, 1.8)
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: w.color, Radius: 2, Shape: draw.CircleGlyph{}}, vg.Point{X: x(last.X), Y: y(last.Y)})
	}
}

// leap tells whether an agent cannot have walked from one place to another.
func (w *waysPlot) leap(a, b data.Place) bool {
	d := math.Hypot(b.X-a.X, b.Y-a.Y)
	return d > w.far && d > 3*max(a.Speed, b.Speed)*(b.Time-a.Time)
}
