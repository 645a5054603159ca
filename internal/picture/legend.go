package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"strconv"

	"gonum.org/v1/gonum/spatial/r2"
)

// A legend is the strip below the world: blocks side by side, in as many rows
// as it takes.
type legend struct {
	em             float64 // pixels
	margin, height int     // pixels
	rows           [][]block
	width          int // pixels, of the picture
	letters        letters
	title, caption string
	symbols        []symbol
	maxSpeed       float64 // m/s
}

// A block is one thing in the legend. Its width is fixed before the world is
// laid out, since the legend's height depends on it.
type block struct {
	width float64
	draw  func(img *image.RGBA, at r2.Vec, f frame, enlarged bool)
}

// A symbol says what a shape in the picture means.
type symbol struct {
	label string
	draw  func(img *image.RGBA, middle r2.Vec)
}

// Measures of the legend, in em.
const (
	marginEm  = 0.9
	rowEm     = 3.5
	gapEm     = 2.2 // least distance between two blocks
	barEm     = 8.0 // longest scale bar
	speedEm   = 13.0
	symbolEm  = 1.6  // from the left edge of a symbol's room to its label
	symbolRow = 1.18 // from one symbol down to the next
)

func newLegend(c *Crowd, em float64, pixels int, maxSpeed float64) *legend {
	g := &legend{em: em, width: pixels, margin: int(marginEm*em + 0.5), letters: newLetters(em), maxSpeed: maxSpeed}
	room := float64(pixels - 2*g.margin)
	g.title = fit(g.letters.title, c.Title, room)
	g.caption = fit(g.letters.text, c.Caption, room)
	g.symbols = g.symbolsOf(c)

	var blocks []block
	if w := max(width(g.letters.title, g.title), width(g.letters.text, g.caption)); w > 0 {
		blocks = append(blocks, block{w, g.drawTitle})
	}
	if len(g.symbols) > 0 {
		w := width(g.letters.small, enlargedLabel)
		blocks = append(blocks, block{w + symbolEm*em, g.drawSymbols})
	}
	blocks = append(blocks, block{barEm * em, g.drawScale}, block{speedEm * em, g.drawSpeed})

	used := math.Inf(1)
	for _, b := range blocks {
		if used+b.width > room {
			g.rows = append(g.rows, nil)
			used = 0
		}
		last := len(g.rows) - 1
		g.rows[last] = append(g.rows[last], b)
		used += b.width + gapEm*em
	}
	g.height = int((marginEm*(float64(len(g.rows))+1)+rowEm*float64(len(g.rows)))*em + 0.5)
	return g
}

// draw draws the legend into the strip at the bottom of img. The blocks of a
// row are spread over its width.
func (g *legend) draw(img *image.RGBA, f frame, enlarged bool) {
	y := float64(img.Rect.Max.Y-g.height) + marginEm*g.em
	for _, row := range g.rows {
		free := float64(g.width - 2*g.margin)
		for _, b := range row {
			free -= b.width
		}
		gap := free / float64(max(len(row)-1, 1))
		x := float64(g.margin)
		for _, b := range row {
			b.draw(img, r2.Vec{X: x, Y: y}, f, enlarged)
			x += b.width + gap
		}
		y += (rowEm + marginEm) * g.em
	}
}

func (g *legend) drawTitle(img *image.RGBA, at r2.Vec, _ frame, _ bool) {
	title, caption := 1.45, 3.05
	if g.title == "" {
		caption = 2.2
	} else if g.caption == "" {
		title = 2.2
	}
	write(img, g.letters.title, ink, g.title, at.X, at.Y+title*g.em)
	write(img, g.letters.text, faintInk, g.caption, at.X, at.Y+caption*g.em)
}

const (
	agentLabel    = "agent"
	enlargedLabel = "agent (enlarged)"
)

func (g *legend) symbolsOf(c *Crowd) []symbol {
	var s []symbol
	r := 0.38 * g.em
	if len(c.Agents) > 0 {
		s = append(s, symbol{agentLabel, func(img *image.RGBA, p r2.Vec) {
			drawPuck(img, img.Rect, p, r, r2.Vec{X: 1}, ramp[topLevel*3/5])
		}})
	}
	if len(c.Obstacles) > 0 {
		s = append(s, symbol{"obstacle", func(img *image.RGBA, p r2.Vec) {
			drawPuck(img, img.Rect, p, r, r2.Vec{}, solid)
		}})
	}
	if len(c.Targets) > 0 {
		s = append(s, symbol{"target", func(img *image.RGBA, p r2.Vec) {
			l := newLayer(pixelsAround(p, g.em).Intersect(img.Rect))
			l.mark(p, markFor(1, g.em))
			l.paint(img, &goals)
		}})
	}
	return s
}

func (g *legend) drawSymbols(img *image.RGBA, at r2.Vec, _ frame, enlarged bool) {
	y := at.Y + (rowEm-symbolRow*float64(len(g.symbols)-1))/2*g.em
	for _, s := range g.symbols {
		label := s.label
		if label == agentLabel && enlarged {
			label = enlargedLabel
		}
		s.draw(img, r2.Vec{X: at.X + symbolEm/3*g.em, Y: y})
		write(img, g.letters.small, ink, label, at.X+symbolEm*g.em, y+0.3*g.em)
		y += symbolRow * g.em
	}
}

// drawScale draws a bar of a round length in metres, as long as fits.
func (g *legend) drawScale(img *image.RGBA, at r2.Vec, f frame, _ bool) {
	metres := roundBelow(barEm * g.em / f.scale)
	px := metres * f.scale
	line := max(g.em/9, 1)
	x := at.X + (barEm*g.em-px)/2
	base := at.Y + 2.1*g.em
	bar := newLayer(img.Rect.Intersect(pixelsAround(r2.Vec{X: x + px/2, Y: base}, px/2+g.em)))
	bar.box(r2.Vec{X: x, Y: base - line/2}, r2.Vec{X: x + px, Y: base + line/2}, 1)
	for _, end := range [2]float64{x, x + px - line} {
		bar.box(r2.Vec{X: end, Y: base - 0.35*g.em}, r2.Vec{X: end + line, Y: base - line/2}, 1)
		bar.box(r2.Vec{X: end, Y: base + line/2}, r2.Vec{X: end + line, Y: base + 0.35*g.em}, 1)
	}
	bar.paint(img, &[topLevel + 1]color.RGBA{ink})
	writeMiddle(img, g.letters.small, ink, metresLabel(metres), x+px/2, base-0.7*g.em)
}

// drawSpeed draws the colour scale with its ticks.
func (g *legend) drawSpeed(img *image.RGBA, at r2.Vec, _ frame, _ bool) {
	x, width := at.X+0.5*g.em, (speedEm-1)*g.em
	top, bottom := at.Y+1.35*g.em, at.Y+2.2*g.em
	write(img, g.letters.small, ink, "speed (m/s)", x, at.Y+0.9*g.em)

	box := image.Rect(int(x), int(top), int(x+width), int(bottom))
	for i := box.Min.X; i < box.Max.X; i++ {
		level := (i - box.Min.X) * topLevel / max(box.Dx()-1, 1)
		draw.Draw(img, image.Rect(i, box.Min.Y, i+1, box.Max.Y), image.NewUniform(ramp[level]), image.Point{}, draw.Src)
	}
	step := roundBelow(g.maxSpeed / 3)
	thick := max(int(g.em/14), 1)
	for i := 0; float64(i)*step <= g.maxSpeed*(1+1e-9); i++ {
		v := float64(i) * step
		tick := box.Min.X + int(v/g.maxSpeed*float64(box.Dx()-thick)+0.5)
		draw.Draw(img, image.Rect(tick, box.Max.Y, tick+thick, box.Max.Y+int(0.3*g.em)), image.NewUniform(ink), image.Point{}, draw.Src)
		writeMiddle(img, g.letters.small, ink, numberLabel(v), float64(tick), bottom+1.15*g.em)
	}
}

// drawBorder draws a line around r.
func drawBorder(img *image.RGBA, r image.Rectangle) {
	for x := r.Min.X - 1; x <= r.Max.X; x++ {
		img.SetRGBA(x, r.Min.Y-1, border)
		img.SetRGBA(x, r.Max.Y, border)
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		img.SetRGBA(r.Min.X-1, y, border)
		img.SetRGBA(r.Max.X, y, border)
	}
}

// roundBelow returns the largest of …, 0.5, 1, 2, 5, 10, … that is at most x,
// which must be above 0.
func roundBelow(x float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, d := range [2]float64{5, 2} {
		if d*p <= x*(1+1e-9) {
			return d * p
		}
	}
	return p
}

func metresLabel(m float64) string {
	if m >= 1000 {
		return numberLabel(m/1000) + " km"
	}
	return numberLabel(m) + " m"
}

// numberLabel writes x without the noise of its last digits.
func numberLabel(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
