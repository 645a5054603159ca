package sheet

import (
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TextTable draws cells of text, from the top down: the first column flush left,
// the others flush right.
type TextTable struct {
	Style  *Style
	Head   []string
	Colors []color.Color // of the heads
	Rows   [][]string
}

// Draw draws the table in a canvas, smaller where it has no room.
func (t *TextTable) Draw(c draw.Canvas) {
	columns := len(t.Head)
	size := c.Size()
	line := min(vg.Length(19), size.Y/vg.Length(len(t.Rows)+2))
	name, figure := t.Style.text(labelSize, t.Style.Faint), t.Style.text(labelSize, t.Style.ink)
	for _, s := range []*text.Style{&name, &figure} {
		s.Font.Size = min(s.Font.Size, line*0.7)
	}
	var widest, step vg.Length
	for range 8 { // figures are written smaller, and never cut off
		var wide vg.Length
		widest = 0
		for _, row := range t.Rows {
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
			if head && k > 0 && len(t.Colors) > 1 {
				style.Color = t.Colors[k-1]
			}
			room := step - 6
			if k == 0 {
				room = widest + step/2
			}
			c.FillText(style, vg.Point{X: at(k), Y: y}, fit(style, cell, room))
		}
		y -= line
	}
	if t.Head[columns-1] != "" {
		write(t.Head, true)
		rule := y + line*0.72
		c.StrokeLine2(draw.LineStyle{Color: t.Style.grid, Width: 0.8}, c.Min.X, rule, at(columns-1), rule)
	}
	for _, row := range t.Rows {
		write(row, false)
	}
}
