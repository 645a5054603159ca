package picture

import (
	"image/color"

	"gonum.org/v1/gonum/spatial/r2"
)

// tinted adds a box with a tinted floor and a line around, by their opacities.
func (l *layer) tinted(r r2.Box, em, floor, edge float64, v value) {
	l.box(r.Min, r.Max, floor, v)
	for _, e := range edges(r, goalLine(em)) {
		l.box(e.Min, e.Max, edge-floor, v)
	}
}

// tinted is that as a shape.
func (v *vectors) tinted(r r2.Box, c color.RGBA, floor, edge float64) {
	size, line := r.Size(), goalLine(v.sheet.em)
	v.put(`<rect x="%s" y="%s" width="%s" height="%s" fill="%[5]s" fill-opacity="%[6]s" stroke="%[5]s" stroke-opacity="%[7]s" stroke-width="%[8]s"/>`+"\n",
		short(r.Min.X+line/2), short(r.Min.Y+line/2), short(max(size.X-line, 0)), short(max(size.Y-line, 0)),
		hex(c), short(floor), short(edge), short(line))
}

// tinted draws that in the legend.
func (g *legend) tinted(to pen, p r2.Vec, c color.RGBA, floor, edge float64) {
	paper, half, line := g.colors.theme.paper, 0.42*g.em, goalLine(g.em)
	to.box(p.X-half, p.Y-half, p.X+half, p.Y+half, mix(paper, c, edge))
	to.box(p.X-half+line, p.Y-half+line, p.X+half-line, p.Y+half-line, mix(paper, c, floor))
}
