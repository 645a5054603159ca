package plot

import (
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"gonum.org/v1/plot/vg"
)

// histogramEach draws a panel for each group, with the same axes: which share of the
// group lies in each bin. It returns nil if no group has values.
func (p *drawing) histogramEach(groups []group, column string) *sheet.Sheet {
	m := measureOf(column)
	b := p.binsOfAll(groups, column)
	together := make([]float64, b.N+2)
	highest := 0.
	var names []string
	var counts []sheet.Counts
	var colors []int
	var without []string
	for i := range groups {
		c := b.Count(groups[i].values(column))
		if c.Sum() == 0 {
			without = append(without, groups[i].name)
			continue
		}
		names, counts, colors = append(names, groups[i].name), append(counts, c), append(colors, i)
	}
	if len(names) == 0 {
		return nil
	}
	if len(without) > 0 {
		p.note("nothing to draw of %s", strings.Join(without, ", "))
	}
	p.noteMissing(groups, column)
	s := &sheet.Sheet{Style: p.style, Title: p.title(), Row: 240 * sheet.Pixel}
	switch n := len(names); {
	case n <= 3:
		s.Columns = 1
	case n <= 8:
		s.Columns = 2
	default:
		s.Columns = 3
	}
	if p.Width > 0 && p.Height == 0 {
		s.Columns = max(1, min(s.Columns, int(vg.Length(p.Width)*sheet.Pixel/sheet.LeastPanel)))
	}
	var all []*sheet.HistogramBars
	for i := range counts {
		h := sheet.NewHistogramBars(&b, counts[i], p.style.Line(colors[i]), p.style.Paper)
		for k := range h.Heights {
			h.Heights[k] *= 100 / float64(counts[i].Sum())
			together[k] += h.Heights[k]
			highest = max(highest, h.Heights[k])
		}
		all = append(all, h)
	}
	for i, h := range all {
		title := fmt.Sprintf("%s, %s", names[i], numbers.Plural(counts[i].Sum(), p.noun()))
		fig := sheet.NewPanel(p.style, title, m.axis(), "share (%)")
		fig.HistogramAxes(&b, together, 15/s.Columns)
		fig.Add(h)
		fig.Y.Min, fig.Y.Max = 0, highest*(1+sheet.AxisMargin)
		fig.Y.Tick.Marker = sheet.RangeTicks(0, fig.Y.Max, 6)
		s.Panels = append(s.Panels, fig)
	}
	return s
}
