package verify

import (
	"fmt"
	"image/color"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"gonum.org/v1/gonum/spatial/r2"
	gonumplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/brewer"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// cells draws Voronoi cells by their density, among what can't be walked on.
type cells struct {
	all      []experiment.Cell
	walkable []r2.Box
	style    *plot.Style
	colors   []color.Color // of densities below 1, 2 … people/m², and the last of all above
}

func newCells(style *plot.Style, all []experiment.Cell, walkable []r2.Box) *cells {
	const classes = 7
	p, err := brewer.GetPalette(brewer.TypeSequential, "YlOrRd", classes)
	if err != nil {
		panic(err) // it has 9 at most
	}
	return &cells{all, walkable, style, p.Colors()}
}

// label explains the colors in the legend of a panel.
func (s *cells) label(p *plot.Panel) {
	last := len(s.colors) - 1
	for i, c := range s.colors {
		name := fmt.Sprintf("%d–%d", i, i+1)
		switch i {
		case 0:
			name = "below 1"
		case last:
			name = fmt.Sprintf("above %d", i)
		}
		p.Label(name, plot.Swatch{Color: c})
	}
}

func (s *cells) Plot(c draw.Canvas, p *gonumplot.Plot) {
	x, y := p.Transforms(&c)
	outline := func(corners []r2.Vec) []vg.Point {
		var all []vg.Point
		for _, at := range corners {
			all = append(all, vg.Point{X: x(at.X), Y: y(at.Y)})
		}
		return c.ClipPolygonXY(all)
	}
	rectangle := func(b r2.Box) []vg.Point { return outline(cornersOf(b)) }
	c.FillPolygon(plot.Pale(s.style.Faint, 0.45), rectangle(r2.Box{Min: r2.Vec{X: p.X.Min, Y: p.Y.Min}, Max: r2.Vec{X: p.X.Max, Y: p.Y.Max}}))
	for _, b := range s.walkable {
		c.FillPolygon(s.style.Paper, rectangle(b))
	}
	for i := range s.all {
		cell := &s.all[i]
		class := min(int(min(cell.Density(), 1e3)), len(s.colors)-1)
		for _, part := range cell.Parts {
			points := outline(part)
			if len(points) < 3 {
				continue
			}
			c.FillPolygon(s.colors[class], points)
			c.StrokeLines(draw.LineStyle{Color: plot.Pale(color.Black, 0.35), Width: 0.5}, append(points, points[0]))
		}
	}
	for i := range s.all {
		at := vg.Point{X: x(s.all[i].At.X), Y: y(s.all[i].At.Y)}
		c.DrawGlyph(draw.GlyphStyle{Color: color.Black, Radius: 1.2, Shape: draw.CircleGlyph{}}, at)
	}
}

func cornersOf(b r2.Box) []r2.Vec {
	return []r2.Vec{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}}
}
