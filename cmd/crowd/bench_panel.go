package main

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panel is a plot with its legend apart, because within it would hide lines.
type panel struct {
	*plot.Plot
	names  []string
	thumbs [][]plot.Thumbnailer
}

func newPanel(title, x, y string) *panel {
	p := &panel{Plot: plot.New()}
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font.Size, p.Title.Padding = 13, 8
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font.Size, axis.Tick.Label.Font.Size = 11, 10
		axis.Label.Padding = 4
	}
	return p
}

// draw adds series to the panel.
func (p *panel) draw(all []series) {
	for _, s := range all {
		slices.SortFunc(s.points, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		line, points, err := plotter.NewLinePoints(s.points)
		if err != nil {
			continue // it has no points, or some that are not finite
		}
		line.Color, line.Width, line.Dashes = lineColours[s.colour%len(lineColours)], 1.6, lineDashes[s.dash%len(lineDashes)]
		points.Color, points.Radius, points.Shape = line.Color, 3, lineGlyphs[s.glyph%len(lineGlyphs)]
		p.Add(line, points)
		p.label(s.name, line, points)
	}
}

func (p *panel) label(name string, thumbs ...plot.Thumbnailer) {
	p.names, p.thumbs = append(p.names, name), append(p.thumbs, thumbs)
}

// legends returns the legend in columns that fit in a width.
func (p *panel) legends(width vg.Length) []plot.Legend {
	legend := func() plot.Legend {
		l := plot.NewLegend()
		l.Top, l.Left, l.Padding, l.ThumbnailWidth = true, true, 3, 26
		l.TextStyle.Font.Size = legendSize
		return l
	}
	l := legend()
	var widest vg.Length
	for _, name := range p.names {
		widest = max(widest, l.TextStyle.Width(name)+l.ThumbnailWidth+16)
	}
	if widest == 0 {
		return nil
	}
	columns := max(1, int(width/widest))
	rows := (len(p.names) + columns - 1) / columns
	var all []plot.Legend
	for i := range p.names {
		if i%rows == 0 {
			all = append(all, legend())
		}
		all[len(all)-1].Add(p.names[i], p.thumbs[i]...)
	}
	return all
}

func (p *panel) legendHeight(width vg.Length) vg.Length {
	var height vg.Length
	for _, l := range p.legends(width) {
		r := l.Rectangle(draw.Canvas{})
		height = max(height, r.Max.Y-r.Min.Y)
	}
	return height
}

func (p *panel) drawLegend(area draw.Canvas) {
	width := area.Max.X - area.Min.X
	all := p.legends(width)
	for i := range all {
		column := area
		column.Min.X += vg.Length(i) * width / vg.Length(len(all))
		all[i].Draw(column)
	}
}
