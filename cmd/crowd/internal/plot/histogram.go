package plot

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"gonum.org/v1/plot/plotter"
)

// distributions draws in which share of the rows each figure is no higher.
func (p *drawing) distributions() (*Sheet, error) {
	return p.each(func(groups []*group, column string) *Panel {
		panel := NewPanel(p.style, "", figureOf(column).axis(), "share of "+p.noun()+"s with no more (%)")
		panel.Log(p.Log, false)
		for i, g := range groups {
			line, look := Series{Name: g.name, Color: i, Glyph: i, Dash: i / len(p.style.Lines)}, Joined
			sorted := slices.Sorted(slices.Values(g.values(column)))
			if len(sorted) < 50 {
				look |= Marked
			}
			for k, x := range sorted {
				line.Points = append(line.Points, At(x, 100*float64(k+1)/float64(len(sorted))))
			}
			panel.AddSeries(look, line)
		}
		panel.Y.Min, panel.Y.Max = 0, 100
		return panel
	})
}

// histograms draws how often figures have which value: of one figure the share in a panel for each group, of
// several figures the groups on top of each other.
func (p *drawing) histograms() (*Sheet, error) {
	groups, err := p.groups()
	if err != nil || p.X == "" || len(groups) == 1 {
		return p.each(func(groups []*group, column string) *Panel {
			return p.histogram(p.bins(groups, column), groups, groups, column)
		})
	}
	if groups, err = p.prepare("--x"); err != nil {
		return nil, err
	}
	var panels []*Panel
	bins, most := p.bins(groups, p.X), 0.
	for i := range groups {
		panel := p.histogram(bins, groups, groups[i:i+1], p.X)
		panels, most = append(panels, panel), max(most, panel.Y.Max)
	}
	for _, panel := range panels {
		panel.Y.Max, panel.High = most, 180
	}
	return p.picture(min(3, (len(groups)+2)/3), panels...), nil
}

// histogram draws some of all groups, stacked.
func (p *drawing) histogram(bins *Bins, all, some []*group, column string) *Panel {
	panel := NewPanel(p.style, "", figureOf(column).axis(), p.noun()+"s")
	panel.Log(bins.Log, false)
	panel.Y.Tick.Marker, panel.X.Padding, panel.Y.Padding = Ticks{Whole: true}, 0, 0
	scale := 1.
	if n := len(some[0].values(column)); len(some) < len(all) {
		panel.Title.Text, panel.Y.Label.Text = fmt.Sprintf("%s, %s", some[0].name, cli.Plural(n, p.noun())), "share (%)"
		scale = 100 / float64(max(1, n))
	}
	total := bins.Count(values(all, column)) // all panels have the same bars
	sums := make([]float64, len(total))
	var charts []*plotter.Histogram
	for i, g := range all {
		if !slices.Contains(some, g) {
			continue
		}
		h := &plotter.Histogram{Width: bins.width, FillColor: p.style.Line(i)}
		h.Color, h.LineStyle.Width = p.style.Paper, 0.7
		for k, count := range bins.Count(g.values(column)) {
			if sums[k] += count * scale; k > 0 && k < len(sums)-1 || total[k] > 0 {
				h.Bins = append(h.Bins, plotter.HistogramBin{Min: bins.First + bins.width*float64(k-1), Max: bins.First + bins.width*float64(k), Weight: sums[k]})
			}
		}
		charts = append(charts, h)
		panel.Label(g.name, Swatch{h.FillColor})
	}
	for _, h := range slices.Backward(charts) { // the lower ones hide the lower parts of the higher ones
		panel.Add(h)
	}
	return panel
}

// bins returns the bins for all groups, and notes what is beyond them.
func (p *drawing) bins(groups []*group, column string) *Bins {
	all := values(groups, column)
	b := NewBins(all, p.Log)
	if n := len(slices.DeleteFunc(slices.Clone(all), func(x float64) bool { return x > 0 })); b.Log && n > 0 {
		p.note("%s of %s are not above 0, and so not on a logarithmic axis", cli.Thousands(n), column)
	}
	counts := b.Count(all)
	if n := int(counts[0]); n > 0 {
		p.note("%s: %s below %s, down to %s, in the first bar", column, cli.Plural(n, p.noun()), cli.Figure(b.First), cli.Figure(slices.Min(all)))
	}
	if n := int(counts[len(counts)-1]); n > 0 {
		p.note("%s: %s above %s, up to %s, in the last bar", column, cli.Plural(n, p.noun()), cli.Figure(b.Last), cli.Figure(slices.Max(all)))
	}
	return b
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
