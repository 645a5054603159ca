package main

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Okabe and Ito's colours, which those see apart who do not see all colours; not
// yellow, which is pale on white.
var lineColours = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
	color.RGBA{230, 159, 0, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{0, 0, 0, 255},
}

var (
	lineDashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 2, 2, 2}}
	lineGlyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{},
		draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}}
)

// series is a line of a panel.
type series struct {
	name                string
	colour, glyph, dash int // which of those there are
	points              plotter.XYs
}

// plotLines are the series of a panel, and what tells them apart.
type plotLines struct {
	all     []series
	colours []string
	glyphs  []string
	dashes  []string
}

// add adds a point to the series with a name. Series with equal colour have one
// colour, and so on.
func (l *plotLines) add(name, colour, glyph, dash string, x, y float64) {
	i := slices.IndexFunc(l.all, func(s series) bool { return s.name == name })
	if i < 0 {
		i = len(l.all)
		l.all = append(l.all, series{name: name, colour: placeOf(&l.colours, colour), glyph: placeOf(&l.glyphs, glyph), dash: placeOf(&l.dashes, dash)})
	}
	l.all[i].points = append(l.all[i].points, plotter.XY{X: x, Y: y})
}

// placeOf returns where a text stands among those seen before, to which it is added.
func placeOf(seen *[]string, text string) int {
	i := slices.Index(*seen, text)
	if i < 0 {
		i, *seen = len(*seen), append(*seen, text)
	}
	return i
}

// costLines are cost against agents, a line for each contender and number of
// workers.
func (f *benchFile) costLines() *plotLines {
	l, alone := &plotLines{}, true
	for i := range f.Results {
		alone = alone && f.Results[i].By == f.Results[0].By
	}
	for i := range f.Results {
		r := &f.Results[i]
		colour := r.By
		if alone {
			colour = r.Name
		}
		name := fmt.Sprintf("%s, %s, %s", r.Name, r.By, plural(r.Workers, "worker"))
		l.add(name, colour, r.Name, fmt.Sprint(r.Workers), float64(r.Agents), r.NsPerAgentStep)
	}
	return l
}

// speedLines are speed-up against workers, a line for each case and size.
func (f *benchFile) speedLines() *plotLines {
	l := &plotLines{}
	for i := range f.Results {
		if r := &f.Results[i]; r.SpeedUp != nil {
			size := plural(r.Agents, "agent")
			l.add(r.Name+", "+size, size, r.Name, r.Name, float64(r.Workers), *r.SpeedUp)
		}
	}
	return l
}
