package plot

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

func (p *drawing) histograms() ([]*Panel, error) {
	return p.each(func(groups []*group, column string) *Panel {
		bins := newBins(values(groups, column), p.Log)
		first, last := bins.edges[0], bins.edges[len(bins.edges)-1]
		panel := NewPanel(p.style, "", metricOf(column).Axis(), p.noun()+"s").log(bins.log, false)
		panel.X.Padding, panel.Y.Padding = 0, 0
		counts, charts, left, beyond := make([]float64, len(bins.edges)-1), []plot.Plotter(nil), 0, 0
		for i, g := range groups {
			h := &plotter.Histogram{FillColor: p.style.Line(i)}
			h.Color, h.LineStyle.Width = p.style.Paper, 0.7
			for _, x := range values([]*group{g}, column) {
				k, ok := bins.of(x)
				switch {
				case !ok:
					left++
					continue
				case x < first || x > last:
					beyond++
				}
				counts[k]++
			}
			for k, n := range counts {
				h.Bins = append(h.Bins, plotter.HistogramBin{Min: bins.edges[k], Max: bins.edges[k+1], Weight: n})
			}
			charts = append(charts, h)
			panel.Label(g.name, h)
		}
		slices.Reverse(charts) // counts are cumulative, so lower bars go over higher ones
		panel.Add(charts...)
		if left > 0 {
			p.note("%s of %s left out: a logarithmic axis has no values of 0 or less", cli.Plural(left, "value"), column)
		}
		if beyond > 0 {
			p.note("%s: the first and the last bar include %s outside the range %s to %s", column, cli.Plural(beyond, p.noun()), cli.Number(first), cli.Number(last))
		}
		return panel
	})
}

// bins are the bars of a histogram. The first and the last also count the outliers.
type bins struct {
	log   bool
	edges []float64
}

// newBins returns at most 60 bins, whose width follows the rule of Freedman and Diaconis. The bins are
// logarithmic if log is set, and also if there are at least three values, all positive, of which the middle
// 80% span more than a factor of 40. Otherwise, values further than three times the width of the middle 80%
// from them are outliers.
func newBins(values []float64, log bool) *bins {
	sorted := slices.Sorted(slices.Values(values))
	quantile := func(q float64) float64 { return cli.Quantile(sorted, q) }
	if log = log || len(sorted) > 2 && sorted[0] > 0 && quantile(0.9) > 40*quantile(0.1); log {
		sorted = slices.DeleteFunc(sorted, func(x float64) bool { return x < tiny })
		for i, x := range sorted {
			sorted[i] = math.Log10(x)
		}
	}
	if len(sorted) == 0 {
		return &bins{log, []float64{1, 2}}
	}
	if lo, hi := quantile(0.1), quantile(0.9); !log && lo < hi {
		sorted = slices.DeleteFunc(sorted, func(x float64) bool { return x < lo-3*(hi-lo) || x > hi+3*(hi-lo) })
	}
	lo, hi := sorted[0], sorted[len(sorted)-1]
	width := 2 * (quantile(0.75) - quantile(0.25)) / math.Cbrt(float64(len(sorted)))
	width = picture.RoundBelow(min(max(width, (hi-lo)/20), (hi-lo)/3))
	first := math.Floor(lo/width) * width
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) {
		width = max(1e-3*math.Abs(hi), 1)
		first, hi = lo-2.5*width, lo+1.6*width // five bins, the third with values
	} else if !log && width <= 1 && !slices.ContainsFunc(sorted, func(x float64) bool { return x != math.Trunc(x) }) {
		width, first = 1, lo-0.5
	}
	b := &bins{log: log}
	for i := range int((hi-first)/width+1+1e-9) + 1 {
		edge := first + float64(i)*width
		if log {
			edge = math.Pow(10, min(max(edge, -300), 300))
		}
		b.edges = append(b.edges, edge)
	}
	return b
}

// of returns the index of the bin of x, and reports whether there is one. On a logarithmic axis, values below
// tiny have none.
func (b *bins) of(x float64) (k int, ok bool) {
	k, found := slices.BinarySearch(b.edges, x+1e-9*(b.edges[1]-b.edges[0]))
	if !found {
		k--
	}
	return min(max(k, 0), len(b.edges)-2), !b.log || x >= tiny
}
