package main

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// barRow is a name and its figures, one a color; NaN is none.
type barRow struct {
	name    string
	figures []float64
}

// bars draws rows of figures from the top down: as bars from 0, or on a
// logarithmic axis as dots, with the figures beside them.
type bars struct {
	rows   []barRow
	colors []color.Color
	scale  *plotScale
	style  text.Style // of the figures
	faint  color.Color
	dots   bool // in one line a row
}

// bars adds rows to a panel, and their names to its axis. Room is the part of its
// width for the figures beside the bars.
func (p *panel) bars(rows []barRow, colors []color.Color, room float64, log, dots bool) {
	x := plotScale{log: log, zero: !dots, ticks: 5}
	for _, row := range rows {
		x.add(row.figures...)
	}
	b := &bars{rows: rows, colors: colors, scale: &x, style: p.style.text(tickSize-0.5, p.style.ink), faint: p.style.faint, dots: dots || log}
	x.apply(&p.X)
	if !dots || len(colors) == 1 { // figures stand on the right
		p.X.Max += room * (p.X.Max - p.X.Min)
	}
	if b.dots && !log {
		p.X.Min -= 0.02 * (p.X.Max - p.X.Min)
	}
	g := plotter.NewGrid()
	g.Vertical.Color, g.Vertical.Width = p.style.grid, 0.6
	g.Horizontal.Color, g.Horizontal.Width = nil, 0
	if b.dots {
		g.Horizontal = g.Vertical
	}
	p.Add(g, b)
	var names plot.ConstantTicks
	for i, row := range rows {
		names = append(names, plot.Tick{Value: -float64(i), Label: row.name})
	}
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0.45-float64(len(rows)), 0.55, names
	p.Y.Tick.Length, p.Y.LineStyle.Width = 0, 0
}

func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	const room = 0.78 // of a row
	for i, row := range b.rows {
		for k, figure := range row.figures {
			if !b.scale.has(figure) {
				if len(row.figures) == 1 {
					style := b.style
					style.Color = b.faint
					text := "–"
					if drawable(figure) { // 0, which is on no logarithmic axis
						text = barText(figure)
					}
					c.FillText(style, vg.Point{X: c.Min.X + 4, Y: y(-float64(i)) - style.Font.Size*0.36}, text)
				}
				continue
			}
			n := vg.Length(len(row.figures))
			high := min(room/n*(y(1)-y(0)), 26)
			middle := y(-float64(i)) + high*(n/2-vg.Length(k)-0.5)
			if b.dots {
				middle = y(-float64(i))
			}
			end := x(b.scale.at(figure))
			if b.dots {
				style := draw.GlyphStyle{Color: b.colors[k], Radius: min(3.5, max(2, high)), Shape: lineGlyphs[k%len(lineGlyphs)]}
				c.DrawGlyphNoClip(style, vg.Point{X: end, Y: middle})
			} else {
				bar := []vg.Point{{X: x(0), Y: middle - high/2}, {X: x(0), Y: middle + high/2}, {X: end, Y: middle + high/2}, {X: end, Y: middle - high/2}}
				c.FillPolygon(b.colors[k], bar)
			}
			if b.dots && len(row.figures) > 1 {
				continue
			}
			style, beside := b.style, vg.Length(4)
			if b.dots {
				beside = 7
			}
			style.Font.Size = min(style.Font.Size, max(6, high*1.1))
			c.FillText(style, vg.Point{X: max(end, x(math.Max(p.X.Min, 0))) + beside, Y: middle - style.Font.Size*0.36}, barText(figure))
		}
	}
}
