package plot

import (
	"image/color"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Style is the colors of a picture.
type Style struct {
	Paper, Ink, Faint, Grid color.Color
	Lines                   []color.Color // they tell lines apart
}

// The lines have the colors of Okabe and Ito, which color-blind readers can tell apart: without
// yellow, which is pale on white, and on dark paper without blue.
var (
	LightStyle = Style{
		Paper: color.White, Ink: color.Gray{20}, Faint: color.Gray{95}, Grid: color.Gray{222},
		Lines: []color.Color{rgb(0, 114, 178), rgb(213, 94, 0), rgb(0, 158, 115), rgb(204, 121, 167), rgb(230, 159, 0), rgb(86, 180, 233), rgb(0, 0, 0)},
	}
	DarkStyle = Style{
		Paper: rgb(24, 26, 31), Ink: color.Gray{232}, Faint: color.Gray{160}, Grid: rgb(56, 59, 67),
		Lines: []color.Color{rgb(86, 180, 233), rgb(230, 159, 0), rgb(0, 158, 115), rgb(204, 121, 167), rgb(213, 94, 0), rgb(240, 228, 66), rgb(255, 255, 255)},
	}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 2, 2, 2}}
	glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{},
		draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}}
)

// MostLines is the number of lines that color and dashes tell apart.
var MostLines = len(LightStyle.Lines) * len(dashes)

func rgb(r, g, b uint8) color.Color { return color.RGBA{r, g, b, 255} }

// Line returns the color of the i-th line, which repeat, and Faint of line -1.
func (s *Style) Line(i int) color.Color {
	if i < 0 {
		return s.Faint
	}
	return s.Lines[i%len(s.Lines)]
}

// Text returns a style of text that begins at its point and stands on it.
func (s *Style) Text(size vg.Length, c color.Color) text.Style {
	return text.Style{Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size), Color: c, Handler: text.Plain{Fonts: font.DefaultCache}}
}

// Pale returns a color that is partly transparent.
func Pale(c color.Color, opacity float64) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(255 * opacity)}
}
