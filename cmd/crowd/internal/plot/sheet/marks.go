package sheet

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Swatch is a color in a legend.
type Swatch struct{ Color color.Color }

// Thumbnail draws the color as a box.
func (s Swatch) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(s.Color, []vg.Point{c.Min, {X: c.Min.X, Y: c.Max.Y - 1}, {X: c.Max.X, Y: c.Max.Y - 1}, {X: c.Max.X, Y: c.Min.Y}})
}

// Dot is a glyph in a legend.
type Dot struct {
	Color color.Color
	Glyph int
}

// Thumbnail draws the glyph.
func (d Dot) Thumbnail(c *draw.Canvas) {
	c.DrawGlyph(draw.GlyphStyle{Color: d.Color, Radius: 3.5, Shape: lineGlyphs[d.Glyph%len(lineGlyphs)]}, c.Center())
}

// Pale returns a color that lets through what is below it.
func Pale(c color.Color, opacity float64) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(255 * opacity)}
}

// Ring is a small circle.
type Ring struct{ Color, Paper color.Color }

// At draws the ring somewhere.
func (r Ring) At(c *draw.Canvas, center vg.Point, radius vg.Length) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: r.Color, Radius: radius + 0.5, Shape: draw.CircleGlyph{}}, center)
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: r.Paper, Radius: radius - 0.4, Shape: draw.CircleGlyph{}}, center)
}

// Thumbnail draws the ring.
func (r Ring) Thumbnail(c *draw.Canvas) { r.At(c, c.Center(), 3) }
