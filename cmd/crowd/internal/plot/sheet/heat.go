package sheet

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heat draws a table as colors with the figures on them, and a bar that tells the colors.
type heat struct {
	cells       [][]float64 // rows from the bottom up; NaN: nothing is known
	low, high   float64
	shade       func(share float64) color.Color
	style       text.Style
	faint, line color.Color
}

// Widths at the right of the cells, as parts of theirs.
const (
	heatGap = 0.03
	heatBar = 0.035
	heatEnd = 0.16 // what the bar is told by stands there
)

// AddHeat adds a table of figures as colors, with names of its columns and rows.
func (p *Panel) AddHeat(cells [][]float64, across, up []string, shade func(share float64) color.Color) {
	h := &heat{cells: cells, low: math.Inf(1), high: math.Inf(-1), shade: shade, style: p.style.text(tickSize, p.style.ink), faint: p.style.Faint, line: p.style.Paper}
	for _, row := range cells {
		for _, x := range row {
			if !math.IsNaN(x) {
				h.low, h.high = min(h.low, x), max(h.high, x)
			}
		}
	}
	p.Add(h)
	columns := float64(len(across))
	p.X.Min, p.X.Max = -0.5, columns-0.5+(heatGap+heatBar+heatEnd)*columns
	p.Y.Min, p.Y.Max = -0.5, float64(len(up))-0.5
	p.Names(&p.X, across)
	p.Names(&p.Y, up)
	p.X.LineStyle.Width, p.Y.LineStyle.Width, p.X.Tick.Length, p.Y.Tick.Length = 0, 0, 0, 3
}

// Names writes names at 0, 1, 2 … of an axis.
func (p *Panel) Names(axis *plot.Axis, names []string) {
	var ticks plot.ConstantTicks
	for i, name := range names {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: name})
	}
	axis.Tick.Marker = ticks
}

// Slant writes the names of the horizontal axis aslant, which takes less of its length.
func (p *Panel) Slant() {
	p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = math.Pi/7, draw.XRight, draw.YTop
}

// Plot draws the cells and the bar.
func (h *heat) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := h.style
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	wide := x(1) - x(0)
	widest := vg.Length(1)
	for _, row := range h.cells {
		for _, value := range row {
			if !math.IsNaN(value) {
				widest = max(widest, style.Width(barText(value)))
			}
		}
	}
	style.Font.Size = min(style.Font.Size, style.Font.Size*0.9*wide/widest, 0.8*(y(1)-y(0)))
	const readable = 5
	for i, row := range h.cells {
		for k, value := range row {
			left, right, low, high := x(float64(k)-0.5), x(float64(k)+0.5), y(float64(i)-0.5), y(float64(i)+0.5)
			box := []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}}
			middle := vg.Point{X: (left + right) / 2, Y: (low + high) / 2}
			if math.IsNaN(value) {
				c.StrokeLines(draw.LineStyle{Color: h.faint, Width: 0.5, Dashes: []vg.Length{2, 2}}, []vg.Point{box[0], box[2]}, []vg.Point{box[1], box[3]})
				continue
			}
			of := h.colorOf(value)
			c.FillPolygon(of, box)
			c.StrokeLines(draw.LineStyle{Color: h.line, Width: 1}, append(box, box[0]))
			if style.Color = inkOn(of); style.Font.Size >= readable {
				c.FillText(style, middle, barText(value))
			}
		}
	}
	h.bar(c, x, y)
}

// bar draws the scale of colors.
func (h *heat) bar(c draw.Canvas, x, y func(float64) vg.Length) {
	if h.low >= h.high {
		return // one color tells nothing
	}
	columns, rows := float64(len(h.cells[0])), float64(len(h.cells))
	left, right := x(columns-0.5+heatGap*columns), x(columns-0.5+(heatGap+heatBar)*columns)
	bottom, top := y(-0.5), y(rows-0.5)
	const steps = 64
	for k := range steps {
		from := bottom + (top-bottom)*vg.Length(k)/steps // each over the rest: between boxes one would see through
		c.FillPolygon(h.shade(float64(k)/(steps-1)), []vg.Point{{X: left, Y: from}, {X: right, Y: from}, {X: right, Y: top}, {X: left, Y: top}})
	}
	style := h.style
	style.YAlign = draw.YCenter
	for _, t := range RangeTicks(h.low, h.high, 6) {
		at := bottom + (top-bottom)*vg.Length((t.Value-h.low)/(h.high-h.low))
		c.StrokeLine2(draw.LineStyle{Color: h.faint, Width: 0.8}, right, at, right+3, at)
		c.FillText(style, vg.Point{X: right + 6, Y: at}, t.Label)
	}
}

func (h *heat) colorOf(x float64) color.Color {
	if h.high == h.low {
		return h.shade(0.5)
	}
	return h.shade((x - h.low) / (h.high - h.low))
}

// inkOn returns what can be read on a color.
func inkOn(c color.Color) color.Color {
	if color.GrayModel.Convert(c).(color.Gray).Y > 128 {
		return color.Black
	}
	return color.White
}
