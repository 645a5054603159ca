package plot

import (
	"fmt"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"gonum.org/v1/plot/plotter"
)

// benchLines are the series of a panel, and what tells them apart.
type benchLines struct {
	all    []sheet.Series
	colors []string
	glyphs []string
	dashes []string
}

// add adds a point to the series with a name. Series with equal color have one
// color, and so on.
func (l *benchLines) add(name, color, glyph, dash string, at sheet.Point) {
	i := slices.IndexFunc(l.all, func(s sheet.Series) bool { return s.Name == name })
	if i < 0 {
		i = len(l.all)
		l.all = append(l.all, sheet.Series{Name: name, Color: placeOf(&l.colors, color), Glyph: placeOf(&l.glyphs, glyph), Dash: placeOf(&l.dashes, dash)})
	}
	l.all[i].Points = append(l.all[i].Points, at)
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
func costLines(files []*bench.File, labels []string) *benchLines {
	l, alone := &benchLines{}, true
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
			name := terminal.Shorten(fmt.Sprintf("%s, %s, %s", r.Name, r.By, numbers.Plural(r.Workers, "worker")), 60)
			if len(files) > 1 {
				name, color, glyph = labels[k]+": "+name, labels[k], r.Name+" "+r.By
			}
			y, half := r.NsPerAgentStep, r.NsPerAgentStep*r.Spread
			l.add(name, color, glyph, dash, sheet.Point{XY: plotter.XY{X: float64(r.Agents), Y: y}, Low: max(y-half, y/1e3), High: y + half})
		}
	}
	return l
}

// speedLines are speed-up against workers, a line for each case and size.
func speedLines(files []*bench.File, labels []string) *benchLines {
	l := &benchLines{}
	for k, f := range files {
		for i := range f.Results {
			r := &f.Results[i]
			if r.SpeedUp == nil {
				continue
			}
			size := numbers.Plural(r.Agents, "agent")
			name, color, dash := terminal.Shorten(r.Name, 60)+", "+size, size, r.Name
			if len(files) > 1 {
				name, color, dash = labels[k]+": "+name, labels[k], size
			}
			l.add(name, color, r.Name, dash, sheet.Point{XY: plotter.XY{X: float64(r.Workers), Y: *r.SpeedUp}, Low: *r.SpeedUp, High: *r.SpeedUp})
		}
	}
	return l
}
