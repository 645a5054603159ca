package plot

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"gonum.org/v1/plot/vg"
)

// mostBars is how many rows are drawn one by one.
const mostBars = 60

// barRows draws a figure of each row, the highest first. Rows of several groups
// that have one name are on one line.
func (p *drawing) barRows() (*sheet.Sheet, error) {
	column := p.X
	if err := p.checkColumn("--x", column); err != nil {
		return nil, err
	}
	groups, err := p.groups()
	if err != nil {
		return nil, err
	}
	m := measureOf(column)
	var rows []sheet.Row
	places := map[string]int{}
	for i := range groups {
		seen := map[string]int{}
		for _, r := range groups[i].rows {
			name := r.name(p)
			if seen[name]++; seen[name] > 1 {
				name = fmt.Sprintf("%s (%d)", name, seen[name])
			}
			k, known := places[name]
			if !known {
				k, places[name] = len(rows), len(rows)
				rows = append(rows, sheet.Row{Name: name, Figures: missing(len(groups))})
			}
			if x, ok := r.number(column); ok {
				rows[k].Figures[i] = m.of(x)
			}
		}
	}
	p.noteMissing(groups, column)
	rows = slices.DeleteFunc(rows, func(r sheet.Row) bool { return !slices.ContainsFunc(r.Figures, numbers.Drawable) })
	slices.SortStableFunc(rows, func(a, b sheet.Row) int {
		switch x, y := highest(a.Figures), highest(b.Figures); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	if len(rows) > mostBars {
		p.note("the highest %d of %s %ss", mostBars, numbers.Thousands(len(rows)), p.noun())
		rows = rows[:mostBars]
	}
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].Name
	}
	for i, name := range data.ShortNames(names, ".xml", ".toml", ".scenario") {
		rows[i].Name = name
	}
	fig := sheet.NewPanel(p.style, "", m.axis(), "")
	fig.AddBars(rows, p.style.Several(len(groups)), 0.08, p.Log, len(groups) > 1)
	for i := range groups {
		fig.Label(groups[i].name, sheet.Dot{Color: p.style.Line(i), Glyph: i})
	}
	s := &sheet.Sheet{Style: p.style, Title: p.title(), Panels: []*sheet.Panel{fig}, Row: max(sheet.DefaultHeight/2, vg.Length(90+19*len(rows))*sheet.Pixel)}
	s.ShareLegend()
	return s, nil
}

func missing(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = math.NaN()
	}
	return all
}

// highest returns the highest of figures, of which some may be missing.
func highest(figures []float64) float64 {
	top := math.Inf(-1)
	for _, x := range figures {
		if numbers.Drawable(x) {
			top = max(top, x)
		}
	}
	return top
}
