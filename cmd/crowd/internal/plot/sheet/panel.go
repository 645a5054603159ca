package sheet

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panel is a plot with its legend apart, because within it would hide lines.
type Panel struct {
	*plot.Plot
	legend
	style *Style
	Paint func(draw.Canvas) // draws the panel in place of the plot; nil: the plot
	Plane bool              // a meter is as long upwards as sidewards
	Wide  bool              // has a row of the sheet for itself
}

// NewPanel returns a panel without data, with a title and labels of its axes.
func NewPanel(style *Style, title, x, y string) *Panel {
	p := &Panel{Plot: plot.New(), style: style, legend: legend{style: style}}
	p.BackgroundColor = nil
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = 7
	dress := func(t *text.Style, size vg.Length) {
		t.Font, t.Font.Size, t.Color, t.Handler = textFont, size, style.ink, textHandler
	}
	dress(&p.Title.TextStyle, titleSize)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		dress(&axis.Label.TextStyle, labelSize)
		dress(&axis.Tick.Label, tickSize)
		axis.Label.Padding, axis.Padding, axis.Tick.Length = 4, 0, 5
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = style.Faint, style.Faint
	}
	return p
}

// AddGrid draws lines at the ticks.
func (p *Panel) AddGrid() {
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = p.style.grid, p.style.grid
	g.Horizontal.Width, g.Vertical.Width = 0.6, 0.6
	p.Add(g)
}

// drawIn draws the panel and below it its legend.
func (p *Panel) drawIn(area draw.Canvas, below vg.Length) {
	upper := area
	if below > 0 {
		upper = draw.Crop(area, 0, 0, below+margin, 0)
		area.Max.Y = area.Min.Y + below
		p.legend.draw(area)
	}
	if p.Paint != nil {
		p.Paint(upper)
		return
	}
	if p.Plane {
		upper = p.square(upper)
	}
	p.Draw(upper)
}
