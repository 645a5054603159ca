package plot

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/study"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"gonum.org/v1/plot/plotter"
)

// mostBins is how many bins of scattered values an axis has at most.
const mostBins = 8

// effects draws the mean of each figure at each value of each axis, over all else. Panels of one figure
// have one scale.
func (p *studyDrawing) effects(s *sheet.Sheet) error {
	axes := p.Varies()
	if len(axes) == 0 {
		return fmt.Errorf("%s: no axis has two values, so nothing can be compared", p.Files[0])
	}
	if s.Columns = min(len(axes), 4); len(axes) == 1 {
		s.Columns = min(len(p.figures), 3)
	}
	if len(axes) > 4 && len(axes) < 7 {
		s.Columns = 3
	}
	p.captionMeans(s)
	for i, figure := range p.figures {
		m := measureOf(figure)
		y := sheet.Scale{}
		var panels []*sheet.Panel
		for _, axis := range axes {
			fig := p.effect(axis, figure, i, &y, s.Columns)
			panels = append(panels, fig)
		}
		for _, fig := range panels {
			fig.Y.Label.Text = m.axis()
			y.Apply(&fig.Y)
		}
		s.Panels = append(s.Panels, panels...)
		p.noteMissing(figure)
	}
	return nil
}

// captionMeans says what means are of, and how their intervals come about.
func (p *studyDrawing) captionMeans(s *sheet.Sheet) {
	seeds := p.Seeds()
	text := fmt.Sprintf("Means over all other axes of %s, %s each", numbers.Plural(len(p.Points), "point"), numbers.Plural(seeds, "seed"))
	if seeds > 1 {
		text += "; bars are 95 % intervals over seeds (Student's t of the means of each seed)"
	} else {
		text += ", and so without intervals"
	}
	s.Caption = append(s.Caption, text)
}

// effect draws a panel of one axis and one figure, and tells the scale what is on it.
func (p *studyDrawing) effect(axis int, figure string, color int, y *sheet.Scale, columns int) *sheet.Panel {
	a, m, levels := p.Axes[axis], measureOf(figure), p.Levels(axis, mostBins)
	of := measureOf(a.Name)
	fig := sheet.NewPanel(p.style, "", of.axis(), "")
	letters := 130 / columns // that have room below a panel
	line := sheet.Series{Color: color}
	x := sheet.Scale{Log: a.Numbers != nil && study.Geometric(a.Numbers), Ticks: letters / 7}
	look := sheet.Marked | sheet.Barred
	for _, mean := range p.Effect(axis, levels, figure) {
		at := sheet.Point{XY: plotter.XY{X: float64(mean.Level), Y: m.of(mean.Mean)}}
		at.Low, at.High = at.Y, at.Y
		if !math.IsNaN(mean.Half) {
			at.Low, at.High = m.of(mean.Mean-mean.Half), m.of(mean.Mean+mean.Half)
		}
		y.Add(at.Y, at.Low, at.High)
		if levels.At != nil {
			at.X = x.At(levels.At[mean.Level])
		}
		line.Points = append(line.Points, at)
	}
	if levels.At != nil {
		x.Add(levels.At...)
		x.Apply(&fig.X)
		if !levels.Binned && len(levels.At) <= 12 {
			fig.X.Tick.Marker = x.ValueTicks(levels.At, p.shortNames(levels.Names), letters)
		}
		look |= sheet.Joined
	} else {
		p.wordAxis(fig, levels.Names, letters)
	}
	if levels.Binned {
		fig.X.Label.Text += fmt.Sprintf(", in %d quantiles", len(levels.Names))
	}
	fig.AddGrid()
	fig.AddSeries([]sheet.Series{line}, look)
	return fig
}

// wordAxis writes words below a panel, aslant if they have no room side by side.
func (p *studyDrawing) wordAxis(fig *sheet.Panel, words []string, room int) {
	letters, short := 0, make([]string, len(words))
	for i, word := range words {
		short[i] = terminal.Shorten(word, 24)
		letters = max(letters, len(short[i])+2)
	}
	fig.Names(&fig.X, short)
	if letters*len(words) > room {
		fig.Slant()
	}
	fig.X.Min, fig.X.Max = -0.5, float64(len(words))-0.5
}
