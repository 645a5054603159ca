package main

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panel is a plot with its legend apart, because within it would hide lines.
type panel struct {
	*plot.Plot
	legend
	style *plotStyle
	paint func(draw.Canvas) // draws the panel in place of the plot; nil: the plot
	plane bool              // a meter is as long upwards as sidewards
}

func newPanel(style *plotStyle, title, x, y string) *panel {
	p := &panel{Plot: plot.New(), style: style, legend: legend{style: style}}
	p.BackgroundColor = nil
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = 7
	dress := func(t *text.Style, size vg.Length) {
		t.Font, t.Font.Size, t.Color, t.Handler = plotFont, size, style.ink, plotText
	}
	dress(&p.Title.TextStyle, titleSize)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		dress(&axis.Label.TextStyle, labelSize)
		dress(&axis.Tick.Label, tickSize)
		axis.Label.Padding, axis.Padding, axis.Tick.Length = 4, 0, 5
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = style.faint, style.faint
	}
	return p
}

// grid draws lines at the ticks.
func (p *panel) grid() {
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = p.style.grid, p.style.grid
	g.Horizontal.Width, g.Vertical.Width = 0.6, 0.6
	p.Add(g)
}

// drawIn draws the panel and below it its legend.
func (p *panel) drawIn(area draw.Canvas, below vg.Length) {
	upper := area
	if below > 0 {
		upper = draw.Crop(area, 0, 0, below+plotMargin, 0)
		area.Max.Y = area.Min.Y + below
		p.legend.draw(area)
	}
	if p.paint != nil {
		p.paint(upper)
		return
	}
	if p.plane {
		upper = p.square(upper)
	}
	p.Draw(upper)
}

// square makes a unit as long on both axes: it takes less of the area, but no less
// than some of it, and widens one of the ranges. Ticks change the room for the data,
// and so it takes more than once.
func (p *panel) square(area draw.Canvas) draw.Canvas {
	const least = 0.4 // of each side
	lox, hix, loy, hiy := p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
	whole := area
	for range 3 {
		size := p.DataCanvas(whole).Size()
		if size.X <= 0 || size.Y <= 0 {
			break
		}
		unit := max((hix-lox)/float64(size.X), (hiy-loy)/float64(size.Y)) // a point
		x := min(size.X-vg.Length((hix-lox)/unit), (1-least)*size.X) / 2
		y := min(size.Y-vg.Length((hiy-loy)/unit), (1-least)*size.Y) / 2
		area = draw.Crop(whole, x, -x, y, -y)
		if size = p.DataCanvas(area).Size(); size.X <= 0 || size.Y <= 0 {
			break
		}
		p.widen(size, lox, hix, loy, hiy)
	}
	return area
}

// widen sets ranges about others, so that a unit is as long on both axes.
func (p *panel) widen(size vg.Point, lox, hix, loy, hiy float64) {
	unit := max((hix-lox)/float64(size.X), (hiy-loy)/float64(size.Y)) // a point
	x, y := unit*float64(size.X)/2, unit*float64(size.Y)/2
	p.X.Min, p.X.Max = (lox+hix)/2-x, (lox+hix)/2+x
	p.Y.Min, p.Y.Max = (loy+hiy)/2-y, (loy+hiy)/2+y
	ticks := func(size vg.Length) int { return int(min(max(size/45, 2), 10)) }
	p.X.Tick.Marker = rangeTicks(p.X.Min, p.X.Max, ticks(size.X))
	p.Y.Tick.Marker = rangeTicks(p.Y.Min, p.Y.Max, ticks(size.Y))
}

// legend is names with samples of how they are drawn.
type legend struct {
	style  *plotStyle
	names  []string
	thumbs [][]plot.Thumbnailer
}

func (l *legend) label(name string, thumbs ...plot.Thumbnailer) {
	l.names, l.thumbs = append(l.names, name), append(l.thumbs, thumbs)
}

// columns returns the legend in columns that fit in a width.
func (l *legend) columns(width vg.Length) []plot.Legend {
	column := func() plot.Legend {
		c := plot.NewLegend()
		c.Top, c.Left, c.Padding, c.ThumbnailWidth = true, true, 3, 24
		c.TextStyle = l.style.text(smallSize, l.style.ink)
		return c
	}
	c := column()
	var widest vg.Length
	for _, name := range l.names {
		widest = max(widest, c.TextStyle.Width(name)+c.ThumbnailWidth+16)
	}
	if widest == 0 {
		return nil
	}
	columns := max(1, int(width/widest))
	rows := (len(l.names) + columns - 1) / columns
	var all []plot.Legend
	for i := range l.names {
		if i%rows == 0 {
			all = append(all, column())
		}
		all[len(all)-1].Add(l.names[i], l.thumbs[i]...)
	}
	return all
}

func (l *legend) height(width vg.Length) vg.Length {
	var height vg.Length
	for _, c := range l.columns(width) {
		r := c.Rectangle(draw.Canvas{})
		height = max(height, r.Max.Y-r.Min.Y)
	}
	return height
}

func (l *legend) draw(area draw.Canvas) {
	width := area.Max.X - area.Min.X
	all := l.columns(width)
	var widest vg.Length
	for i := range all {
		r := all[i].Rectangle(draw.Canvas{})
		widest = max(widest, r.Max.X-r.Min.X+28)
	}
	for i := range all {
		column := area
		column.Min.X += vg.Length(i) * min(widest, width/vg.Length(len(all)))
		all[i].Draw(column)
	}
}
