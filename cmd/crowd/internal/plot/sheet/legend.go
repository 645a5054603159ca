package sheet

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legend is names with samples of how they are drawn.
type legend struct {
	style  *Style
	names  []string
	thumbs [][]plot.Thumbnailer
}

// Label adds a name, and samples that are drawn over one another.
func (l *legend) Label(name string, thumbs ...plot.Thumbnailer) {
	l.names, l.thumbs = append(l.names, name), append(l.thumbs, thumbs)
}

// DropLegend takes all names out of the legend.
func (p *Panel) DropLegend() { p.legend = legend{style: p.style} }

// RenameFirst gives the first sample of the legend another name.
func (p *Panel) RenameFirst(name string) { p.legend.names[0] = name }

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
