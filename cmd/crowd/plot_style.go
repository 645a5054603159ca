package main

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// plotStyle is the colors of a picture.
type plotStyle struct {
	paper, ink, faint, grid color.Color
	lines                   []color.Color // what tells lines apart
}

// The lines have Okabe and Ito's colors, which those see apart who do not see all
// colors: without yellow, which is pale on white, and on dark paper without blue.
var (
	lightStyle = plotStyle{
		paper: color.White, ink: color.Gray{20}, faint: color.Gray{95}, grid: color.Gray{222},
		lines: []color.Color{
			color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
			color.RGBA{230, 159, 0, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{0, 0, 0, 255},
		},
	}
	darkStyle = plotStyle{
		paper: color.RGBA{24, 26, 31, 255}, ink: color.Gray{232}, faint: color.Gray{160}, grid: color.RGBA{56, 59, 67, 255},
		lines: []color.Color{
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

// mostLines is how many lines can be told apart by color and dashes.
var mostLines = len(lightStyle.lines) * len(lineDashes)

func (s *plotStyle) line(i int) color.Color { return s.lines[i%len(s.lines)] }

// pale returns a color that lets through what is below it.
func pale(c color.Color, opacity float64) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(255 * opacity)}
}

// several returns the first n colors, again from the first where there are more.
func (s *plotStyle) several(n int) []color.Color {
	var all []color.Color
	for i := range n {
		all = append(all, s.line(i))
	}
	return all
}
