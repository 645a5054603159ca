package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/plot/vg"
)

// mostBars is how many rows are drawn one by one.
const mostBars = 60

// barRows draws a figure of each row, the highest first. Rows of several groups
// that have one name are on one line.
func (p *plotting) barRows() (*plotSheet, error) {
	column := p.X
	if err := p.checkColumn("--x", column); err != nil {
		return nil, err
	}
	groups, err := p.groups()
	if err != nil {
		return nil, err
	}
	m := measureOf(column)
	var rows []barRow
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
				rows = append(rows, barRow{name: name, figures: missing(len(groups))})
			}
			if x, ok := r.number(column); ok {
				rows[k].figures[i] = m.of(x)
			}
		}
	}
	p.noteMissing(groups, column)
	rows = slices.DeleteFunc(rows, func(r barRow) bool { return !slices.ContainsFunc(r.figures, drawable) })
	slices.SortStableFunc(rows, func(a, b barRow) int {
		switch x, y := highest(a.figures), highest(b.figures); {
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
		names[i] = rows[i].name
	}
	for i, name := range shortNames(names, ".xml", ".toml") {
		rows[i].name = name
	}
	fig := newPanel(p.style, "", m.axis(), "")
	fig.bars(rows, p.style.several(len(groups)), 0.08, p.Log, len(groups) > 1)
	for i := range groups {
		fig.label(groups[i].name, dot{p.style.line(i), i})
	}
	s := &plotSheet{style: p.style, title: p.title(), panels: []*panel{fig}, row: max(plotHeight/2, vg.Length(90+19*len(rows))*pixel)}
	s.shareLegend()
	return s, nil
}

// name returns what a row is called.
func (r plotRow) name(p *plotting) string {
	t := r.file.table
	switch {
	case t.text(r.row, "file") != "":
		return t.text(r.row, "file")
	case r.file.bench != nil:
		b := r.file.bench.Results[r.row]
		return strings.ReplaceAll(b.Label(), " by crowd", "")
	case p.kind == runKind:
		return p.runNames()[r.place(p)]
	}
	for _, column := range []string{"name", "scene"} {
		if name := t.text(r.row, column); name != "" {
			return name
		}
	}
	return fmt.Sprintf("row %d", r.row+1)
}

// place returns which of all rows it is.
func (r plotRow) place(p *plotting) int {
	n := r.row
	for _, f := range p.files {
		if f == r.file {
			break
		}
		n += len(f.table.rows)
	}
	return n
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
		if drawable(x) {
			top = max(top, x)
		}
	}
	return top
}
