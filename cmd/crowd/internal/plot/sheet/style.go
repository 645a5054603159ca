package sheet

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Style is the colors of a picture.
type Style struct {
	Paper, ink, Faint, grid color.Color
	Lines                   []color.Color // what tells lines apart
}

// The lines have Okabe and Ito's colors, which those see apart who do not see all
// colors: without yellow, which is pale on white, and on dark paper without blue.
var (
	LightStyle = Style{
		Paper: color.White, ink: color.Gray{20}, Faint: color.Gray{95}, grid: color.Gray{222},
		Lines: []color.Color{
			color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
			color.RGBA{230, 159, 0, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{0, 0, 0, 255},
		},
	}
	DarkStyle = Style{
		Paper: color.RGBA{24, 26, 31, 255}, ink: color.Gray{232}, Faint: color.Gray{160}, grid: color.RGBA{56, 59, 67, 255},
		Lines: []color.Color{
			color.RGBA{86, 180, 233, 255}, color.RGBA{230, 159, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
			color.RGBA{213, 94, 0, 255}, color.RGBA{240, 228, 66, 255}, color.RGBA{255, 255, 255, 255},
		},
	}
)

var (
	lineDashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 2, 2, 2}}
	lineGlyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{},
		draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}}
)

// MostLines is how many lines can be told apart by color and dashes.
var MostLines = len(LightStyle.Lines) * len(lineDashes)

// Line returns the color of the i-th line, again from the first where there are more.
func (s *Style) Line(i int) color.Color { return s.Lines[i%len(s.Lines)] }

// Several returns the first n colors, again from the first where there are more.
func (s *Style) Several(n int) []color.Color {
	var all []color.Color
	for i := range n {
		all = append(all, s.Line(i))
	}
	return all
}
