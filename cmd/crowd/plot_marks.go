package main

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// histogramBars draws the bars of a histogram: first that for what is below its
// bins, then theirs, and last that for what is above.
type histogramBars struct {
	bins          *plotBins
	heights, base []float64 // base nil: they stand on the axis
	color, paper  color.Color
}

func newHistogramBars(b *plotBins, c histogramCounts, of, paper color.Color) *histogramBars {
	h := &histogramBars{bins: b, heights: make([]float64, b.n+2), color: of, paper: paper}
	h.heights[0], h.heights[b.n+1] = float64(c.below), float64(c.above)
	for k, n := range c.bins {
		h.heights[k+1] = float64(n)
	}
	return h
}

func (h *histogramBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	b := h.bins
	for k, height := range h.heights {
		if height == 0 {
			continue
		}
		from, to := b.first+float64(k-1)*b.width, b.first+float64(k)*b.width
		far := k == 0 || k == b.n+1
		if far {
			from, to = b.farBar(k > 0)
		}
		base := 0.
		if h.base != nil {
			base = h.base[k]
		}
		lo, hi := y(base), y(base+height)
		bar := []vg.Point{{X: x(from), Y: lo}, {X: x(from), Y: hi}, {X: x(to), Y: hi}, {X: x(to), Y: lo}}
		if far { // it stands for a range that is not drawn
			c.FillPolygon(pale(h.color, 0.45), bar)
			c.StrokeLines(draw.LineStyle{Color: h.color, Width: 1, Dashes: []vg.Length{2, 2}}, append(bar, bar[0]))
			continue
		}
		c.FillPolygon(h.color, bar)
		c.StrokeLines(draw.LineStyle{Color: h.paper, Width: 0.7}, append(bar, bar[0]))
	}
}

func (h *histogramBars) Thumbnail(c *draw.Canvas) { swatch{h.color}.Thumbnail(c) }

// swatch is a color in a legend.
type swatch struct{ color color.Color }

func (s swatch) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(s.color, []vg.Point{c.Min, {X: c.Min.X, Y: c.Max.Y - 1}, {X: c.Max.X, Y: c.Max.Y - 1}, {X: c.Max.X, Y: c.Min.Y}})
}

// textTable draws cells of text, from the top down: the first column flush left,
// the others flush right.
type textTable struct {
	style  *plotStyle
	head   []string
	colors []color.Color // of the heads
	rows   [][]string
}

func (t *textTable) draw(c draw.Canvas) {
	columns := len(t.head)
	size := c.Size()
	line := min(vg.Length(19), size.Y/vg.Length(len(t.rows)+2))
	name, figure := t.style.text(labelSize, t.style.faint), t.style.text(labelSize, t.style.ink)
	for _, s := range []*text.Style{&name, &figure} {
		s.Font.Size = min(s.Font.Size, line*0.7)
	}
	var widest, step vg.Length
	for range 8 { // figures are written smaller, and never cut off
		var wide vg.Length
		widest = 0
		for _, row := range t.rows {
			widest = max(widest, name.Width(row[0]))
			for _, cell := range row[1:] {
				wide = max(wide, figure.Width(cell)+8)
			}
		}
		if step = min((size.X-widest)/vg.Length(max(columns-1, 1)), 100); step >= wide {
			break
		}
		name.Font.Size, figure.Font.Size = 0.9*name.Font.Size, 0.9*figure.Font.Size
	}
	at := func(k int) vg.Length {
		if k == 0 {
			return c.Min.X
		}
		return c.Min.X + widest + vg.Length(k)*step
	}
	y := c.Max.Y - line
	write := func(row []string, head bool) {
		for k, cell := range row {
			style := figure
			if k == 0 {
				style = name
			} else {
				style.XAlign = draw.XRight
			}
			if head && k > 0 && len(t.colors) > 1 {
				style.Color = t.colors[k-1]
			}
			room := step - 6
			if k == 0 {
				room = widest + step/2
			}
			c.FillText(style, vg.Point{X: at(k), Y: y}, fitText(style, cell, room))
		}
		y -= line
	}
	if t.head[columns-1] != "" {
		write(t.head, true)
		rule := y + line*0.72
		c.StrokeLine2(draw.LineStyle{Color: t.style.grid, Width: 0.8}, c.Min.X, rule, at(columns-1), rule)
	}
	for _, row := range t.rows {
		write(row, false)
	}
}

// dot is a glyph in a legend.
type dot struct {
	color color.Color
	glyph int
}

func (d dot) Thumbnail(c *draw.Canvas) {
	c.DrawGlyph(draw.GlyphStyle{Color: d.color, Radius: 3.5, Shape: lineGlyphs[d.glyph%len(lineGlyphs)]}, c.Center())
}
