package sheet

import (
	"image/color"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Parts of the axis of a histogram, for what is beyond its bins.
const (
	farGap   = 0.02
	farWidth = 0.03
)

// farBar returns from where to where the bar stands for what is beyond the bins, on
// their left or right.
func (b *Bins) farBar(right bool) (from, to float64) {
	span := b.end() - b.first
	gap, width := farGap*span, max(farWidth*span, b.width)
	if right {
		return b.end() + gap, b.end() + gap + width
	}
	return b.first - gap - width, b.first - gap
}

// HistogramAxes sets the axis of values: of the bins, and of bars for what is beyond
// them. Heights are those of all bars together; ticks is how many short labels have
// room.
func (p *Panel) HistogramAxes(b *Bins, heights []float64, ticks int) {
	p.X.Min, p.X.Max = b.first, b.end()
	var marks plot.ConstantTicks
	if b.Log {
		marks = inRange(logTicks(p.X.Min, p.X.Max), p.X.Min, p.X.Max)
		thinLabels(marks, 8*ticks)
		p.X.Label.Text += ", log"
	} else {
		marks = RangeTicks(p.X.Min, p.X.Max, ticks)
		for most := ticks; most > 2 && len(marks)*widestLabel(marks) > 8*ticks; most-- {
			marks = RangeTicks(p.X.Min, p.X.Max, most-1)
		}
	}
	below, above := b.Edges()
	for _, far := range []struct {
		height float64
		right  bool
		label  string
	}{{heights[0], false, "< " + numbers.Figure(below)}, {heights[b.N+1], true, "> " + numbers.Figure(above)}} {
		if far.height == 0 {
			continue
		}
		from, to := b.farBar(far.right)
		p.X.Min, p.X.Max = min(p.X.Min, from), max(p.X.Max, to)
		at := (from + to) / 2
		letter := (b.end() - b.first) / float64(8*ticks)
		marks = slices.DeleteFunc(marks, func(m plot.Tick) bool { // the others make room
			return math.Abs(m.Value-at) < letter*float64(len(m.Label)+len(far.label)+2)/2
		})
		marks = append(marks, plot.Tick{Value: at, Label: far.label})
	}
	p.X.Tick.Marker = marks
	p.AddGrid()
}

// HistogramBars draws the bars of a histogram: first that for what is below its
// bins, then theirs, and last that for what is above.
type HistogramBars struct {
	bins          *Bins
	Heights, Base []float64 // base nil: they stand on the axis
	color, paper  color.Color
}

// NewHistogramBars returns bars as high as what was counted.
func NewHistogramBars(b *Bins, c Counts, of, paper color.Color) *HistogramBars {
	h := &HistogramBars{bins: b, Heights: make([]float64, b.N+2), color: of, paper: paper}
	h.Heights[0], h.Heights[b.N+1] = float64(c.Below), float64(c.Above)
	for k, n := range c.bins {
		h.Heights[k+1] = float64(n)
	}
	return h
}

// Plot draws the bars.
func (h *HistogramBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	b := h.bins
	for k, height := range h.Heights {
		if height == 0 {
			continue
		}
		from, to := b.first+float64(k-1)*b.width, b.first+float64(k)*b.width
		far := k == 0 || k == b.N+1
		if far {
			from, to = b.farBar(k > 0)
		}
		base := 0.
		if h.Base != nil {
			base = h.Base[k]
		}
		lo, hi := y(base), y(base+height)
		bar := []vg.Point{{X: x(from), Y: lo}, {X: x(from), Y: hi}, {X: x(to), Y: hi}, {X: x(to), Y: lo}}
		if far { // it stands for a range that is not drawn
			c.FillPolygon(Pale(h.color, 0.45), bar)
			c.StrokeLines(draw.LineStyle{Color: h.color, Width: 1, Dashes: []vg.Length{2, 2}}, append(bar, bar[0]))
			continue
		}
		c.FillPolygon(h.color, bar)
		c.StrokeLines(draw.LineStyle{Color: h.paper, Width: 0.7}, append(bar, bar[0]))
	}
}

// Thumbnail draws the color.
func (h *HistogramBars) Thumbnail(c *draw.Canvas) { Swatch{Color: h.color}.Thumbnail(c) }
