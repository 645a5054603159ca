package plot

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// AddBars draws rows of bars from the top down, with names on the axis and figures beside the bars.
// Each series has a figure for each row; NaN is none. There are dots in place of bars on a
// logarithmic axis, which has no 0, and for more than six series.
func (p *Panel) AddBars(names []string, series ...[]float64) {
	wide, pitch, dots := vg.Length(10), vg.Length(10*len(series)+6), p.LogX || len(series) > 6
	if dots || len(series) == 1 {
		wide, pitch = 14, 18
	}
	p.Y.Padding = 0
	for k, figures := range series {
		values, points, texts := make(plotter.Values, len(names)), make(Points, len(names)), make([]string, len(names))
		for i, x := range figures {
			if points[i], texts[i] = At(x, -float64(i)), "–"; !math.IsNaN(x) {
				values[len(names)-1-i], texts[i] = x, Short(x)
			} else if !dots {
				points[i].X = 0
			}
		}
		offset := wide * (vg.Length(len(series)-1)/2 - vg.Length(k))
		if chart, err := plotter.NewBarChart(values, wide); dots {
			offset = 0
			p.AddSeries(Marked, Series{Color: k, Glyph: k, Points: points})
		} else if err == nil {
			chart.Horizontal, chart.XMin, chart.Offset, chart.Color, chart.LineStyle.Width = true, 1-float64(len(names)), offset, p.style.Line(k), 0
			p.Add(chart)
		}
		if !dots || len(series) == 1 {
			p.Write(points, texts, vg.Point{X: 6, Y: offset - 3}, p.style.Text(9, p.style.Ink))
		}
	}
	if !dots {
		p.X.Min = min(p.X.Min, 0)
	}
	p.Names(&p.Y, names, -1)
	p.High, p.Y.Tick.Length, p.Y.LineStyle.Width = 60+pitch*vg.Length(len(names)), 0, 0
}

// Short writes a figure with three digits, or more where it is whole.
func Short(x float64) string {
	if a := math.Abs(x); a >= 1e-4 && a < 1000 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return cli.Figure(x)
}

// grid is figures in rows from the bottom up, as a plotter.GridXYZ.
type grid [][]float64

func (g grid) Dims() (columns, rows int) { return len(g[0]), len(g) }
func (g grid) X(c int) float64           { return float64(c) }
func (g grid) Y(r int) float64           { return float64(r) }
func (g grid) Z(c, r int) float64        { return g[r][c] }

// shades is a palette.Palette.
type shades []color.Color

func (s shades) Colors() []color.Color { return s }

// AddHeat draws figures, in rows from the bottom up, as colors with the figures on them, and the colors
// in the legend. NaN is none.
func (p *Panel) AddHeat(cells [][]float64, across, up []string, shade func(share float64) color.RGBA) {
	all := make(shades, 256)
	for i := range all {
		all[i] = shade(float64(i) / 255)
	}
	heat := plotter.NewHeatMap(grid(cells), all)
	if heat.NaN = p.style.Grid; math.IsInf(heat.Min, 0) { // no figures
		heat.Min, heat.Max = 0, 0
	}
	if wide := max(1, math.Abs(heat.Max)); heat.Min == heat.Max { // one color
		heat.Min, heat.Max = heat.Min-wide, heat.Max+wide
	}
	p.Add(heat)
	for i, row := range cells {
		for k, x := range row {
			if math.IsNaN(x) {
				continue
			}
			style := p.style.Text(min(9.5, max(4, 120/vg.Length(len(row)))), color.White)
			style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
			if color.GrayModel.Convert(all[int((x-heat.Min)/(heat.Max-heat.Min)*255)]).(color.Gray).Y > 128 {
				style.Color = color.Black
			}
			p.Write(Points{At(float64(k), float64(i))}, []string{Short(x)}, vg.Point{}, style)
		}
	}
	p.Names(&p.X, across, 1)
	p.Names(&p.Y, up, 1)
	p.X.LineStyle.Width, p.Y.LineStyle.Width, p.X.Padding, p.Y.Padding = 0, 0, 0, 0
	for i, sample := range plotter.PaletteThumbnailers(shades{all[0], all[64], all[128], all[191], all[255]}) {
		p.Label(Short(heat.Min+(heat.Max-heat.Min)*float64(i)/4), sample)
	}
}

// Bins are the steps of a histogram. Values far from all others have a bin of their own at either end.
type Bins struct {
	Log         bool
	First, Last float64 // ends of the steps, on the axis
	width       float64
}

// NewBins returns steps for values, by the rule of Freedman and Diaconis, rounded: 5 to 50. They are
// logarithmic on demand, or if the middle 80 % of the values span more than a factor of 40.
func NewBins(values []float64, log bool) *Bins {
	b := &Bins{Log: log, Last: 1, width: 1}
	sorted := slices.Sorted(slices.Values(values))
	middle := func() (lo, hi float64) { return sorted[len(sorted)/10], sorted[len(sorted)-1-len(sorted)/10] }
	if len(sorted) > 2 && sorted[0] > 0 {
		lo, hi := middle()
		b.Log = b.Log || hi > 40*lo
	}
	if b.Log {
		sorted = slices.DeleteFunc(sorted, func(x float64) bool { return x <= 0 })
		for i, x := range sorted {
			sorted[i] = math.Log10(x)
		}
	}
	if len(sorted) == 0 {
		return b
	}
	if lo, hi := middle(); !b.Log && lo < hi { // without what is farther away than three times the middle spans
		near := slices.DeleteFunc(slices.Clone(sorted), func(x float64) bool { return x < lo-3*(hi-lo) || x > hi+3*(hi-lo) })
		if sorted[len(sorted)-1]-sorted[0] > 2*(near[len(near)-1]-near[0]) {
			sorted = near
		}
	}
	lo, hi := sorted[0], sorted[len(sorted)-1]
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) {
		b.width = max(1e-3*math.Abs(hi), 1)
		b.First, b.Last = lo-2.5*b.width, lo+2.5*b.width
		return b
	}
	b.width = 2 * (cli.Quantile(sorted, 0.75) - cli.Quantile(sorted, 0.25)) / math.Cbrt(float64(len(sorted)))
	b.width = NiceStep(min(max(b.width, (hi-lo)/50), (hi-lo)/5))
	b.First = math.Floor(lo/b.width) * b.width
	if whole := func(x float64) bool { return x == math.Trunc(x) }; !b.Log && b.width <= 1 && !slices.ContainsFunc(sorted, func(x float64) bool { return !whole(x) }) {
		b.width, b.First = 1, lo-0.5
	}
	b.Last = b.First + b.width*math.Floor((hi-b.First)/b.width+1+1e-9)
	return b
}

// Count returns how many values are in each step, and before and after them how many are beyond.
func (b *Bins) Count(values []float64) []float64 {
	n := int(math.Round((b.Last - b.First) / b.width))
	counts := make([]float64, n+2)
	for _, x := range values {
		if b.Log {
			x = math.Log10(x)
		}
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			counts[int(min(max(math.Floor((x-b.First)/b.width+1e-9), -1), float64(n)))+1]++
		}
	}
	return counts
}

// AddHistograms draws counts of the same bins, each on top of those before. All are the counts of all
// panels with the same axis.
func (p *Panel) AddHistograms(b *Bins, all []float64, names []string, colors []int, counts ...[]float64) {
	sums, n := make([]float64, len(all)), len(all)-2
	var charts []*plotter.Histogram
	for i := range counts {
		h := &plotter.Histogram{Width: b.width, FillColor: p.style.Line(colors[i])}
		h.Color, h.LineStyle.Width = p.style.Paper, 0.7
		for k, count := range counts[i] {
			if sums[k] += count; k > 0 && k <= n || all[k] > 0 {
				h.Bins = append(h.Bins, plotter.HistogramBin{Min: b.First + b.width*float64(k-1), Max: b.First + b.width*float64(k), Weight: sums[k]})
			}
		}
		charts = append(charts, h)
		p.Label(names[i], Swatch{p.style.Line(colors[i])})
	}
	for _, h := range slices.Backward(charts) { // the lower ones hide the lower parts of the higher ones
		p.Add(h)
	}
	p.X.Padding, p.Y.Padding = 0, 0
	for i, text := range []string{"< " + Short(b.First), "> " + Short(b.Last)} {
		if k := i * (n + 1); all[k] > 0 {
			style := p.style.Text(9, p.style.Ink)
			style.XAlign = draw.XCenter
			p.Write(Points{At(b.First+b.width*(float64(k)-0.5), sums[k])}, []string{text}, vg.Point{Y: 2}, style)
		}
	}
}
