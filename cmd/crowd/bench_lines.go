package main

import (
	"fmt"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/plot/plotter"
)

// plotLines are the series of a panel, and what tells them apart.
type plotLines struct {
	all    []series
	colors []string
	glyphs []string
	dashes []string
}

// add adds a point to the series with a name. Series with equal color have one
// color, and so on.
func (l *plotLines) add(name, color, glyph, dash string, at point) {
	i := slices.IndexFunc(l.all, func(s series) bool { return s.name == name })
	if i < 0 {
		i = len(l.all)
		l.all = append(l.all, series{name: name, color: placeOf(&l.colors, color), glyph: placeOf(&l.glyphs, glyph), dash: placeOf(&l.dashes, dash)})
	}
	l.all[i].points = append(l.all[i].points, at)
}

// placeOf returns where a text stands among those seen before, to which it is added.
func placeOf(seen *[]string, text string) int {
	i := slices.Index(*seen, text)
	if i < 0 {
		i, *seen = len(*seen), append(*seen, text)
	}
	return i
}

// costLines are cost against agents, a line for each contender and number of
// workers, with half the interquartile range up and down. Several files have a
// label and a color each.
func costLines(files []*bench.File, labels []string) *plotLines {
	l, alone := &plotLines{}, true
	for _, f := range files {
		for i := range f.Results {
			alone = alone && f.Results[i].By == files[0].Results[0].By
		}
	}
	for k, f := range files {
		for i := range f.Results {
			r := &f.Results[i]
			color, glyph, dash := r.By, r.Name, fmt.Sprint(r.Workers)
			if alone {
				color = r.Name
			}
			name := printable(fmt.Sprintf("%s, %s, %s", r.Name, r.By, numbers.Plural(r.Workers, "worker")), 60)
			if len(files) > 1 {
				name, color, glyph = labels[k]+": "+name, labels[k], r.Name+" "+r.By
			}
			y, half := r.NsPerAgentStep, r.NsPerAgentStep*r.Spread
			l.add(name, color, glyph, dash, point{XY: plotter.XY{X: float64(r.Agents), Y: y}, low: max(y-half, y/1e3), high: y + half})
		}
	}
	return l
}

// speedLines are speed-up against workers, a line for each case and size.
func speedLines(files []*bench.File, labels []string) *plotLines {
	l := &plotLines{}
	for k, f := range files {
		for i := range f.Results {
			r := &f.Results[i]
			if r.SpeedUp == nil {
				continue
			}
			size := numbers.Plural(r.Agents, "agent")
			name, color, dash := printable(r.Name, 60)+", "+size, size, r.Name
			if len(files) > 1 {
				name, color, dash = labels[k]+": "+name, labels[k], size
			}
			l.add(name, color, r.Name, dash, point{XY: plotter.XY{X: float64(r.Workers), Y: *r.SpeedUp}, low: *r.SpeedUp, high: *r.SpeedUp})
		}
	}
	return l
}
