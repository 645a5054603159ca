package sheet

import (
	"image/color"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Row is a name and its figures, one a color; NaN is none.
type Row struct {
	Name    string
	Figures []float64
}

// bars draws rows of figures from the top down: as bars from 0, or on a
// logarithmic axis as dots, with the figures beside them.
type bars struct {
	rows   []Row
	colors []color.Color
	scale  *Scale
	style  text.Style // of the figures
	faint  color.Color
	dots   bool // in one line a row
}

// AddBars adds rows to a panel, and their names to its axis. Room is the part of its
// width for the figures beside the bars.
func (p *Panel) AddBars(rows []Row, colors []color.Color, room float64, log, dots bool) {
	x := Scale{Log: log, Zero: !dots, Ticks: 5}
	for _, row := range rows {
		x.Add(row.Figures...)
	}
	b := &bars{rows: rows, colors: colors, scale: &x, style: p.style.text(tickSize-0.5, p.style.ink), faint: p.style.Faint, dots: dots || log}
	x.Apply(&p.X)
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
		names = append(names, plot.Tick{Value: -float64(i), Label: row.Name})
	}
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0.45-float64(len(rows)), 0.55, names
	p.Y.Tick.Length, p.Y.LineStyle.Width = 0, 0
}

func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	const room = 0.78 // of a row
	for i, row := range b.rows {
		for k, figure := range row.Figures {
			if !b.scale.Has(figure) {
				if len(row.Figures) == 1 {
					style := b.style
					style.Color = b.faint
					text := "–"
					if numbers.Drawable(figure) { // 0, which is on no logarithmic axis
						text = barText(figure)
					}
					c.FillText(style, vg.Point{X: c.Min.X + 4, Y: y(-float64(i)) - style.Font.Size*0.36}, text)
				}
				continue
			}
			n := vg.Length(len(row.Figures))
			high := min(room/n*(y(1)-y(0)), 26)
			middle := y(-float64(i)) + high*(n/2-vg.Length(k)-0.5)
			if b.dots {
				middle = y(-float64(i))
			}
			end := x(b.scale.At(figure))
			if b.dots {
				style := draw.GlyphStyle{Color: b.colors[k], Radius: min(3.5, max(2, high)), Shape: lineGlyphs[k%len(lineGlyphs)]}
				c.DrawGlyphNoClip(style, vg.Point{X: end, Y: middle})
			} else {
				bar := []vg.Point{{X: x(0), Y: middle - high/2}, {X: x(0), Y: middle + high/2}, {X: end, Y: middle + high/2}, {X: end, Y: middle - high/2}}
				c.FillPolygon(b.colors[k], bar)
			}
			if b.dots && len(row.Figures) > 1 {
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
