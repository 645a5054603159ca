package picture

import (
	"image"
	"image/draw"

	"gonum.org/v1/gonum/spatial/r2"
)

// Panels draws the frames of several crowds in one picture: side by side, or one above
// another. Like a Painter, it keeps views and scales as they are in the first frame.
type Panels struct {
	painters []*Painter
	corners  []image.Point
	size     image.Point
}

// panelGap is between two panels that have no margins, in pixels.
const panelGap = 12

// NewPanels returns panels of frames like some crowds. The width of the options is that of
// all panels, a height that of each.
func NewPanels(crowds []*Crowd, o Options, stacked bool) *Panels {
	p, gap, room := &Panels{}, 0, o.Width
	if o.Bare {
		gap = panelGap
	}
	if room == 0 {
		room = DefaultWidth
	}
	if o.Width = room; !stacked {
		o.Width = max((room-gap*(len(crowds)-1))/len(crowds), 1)
	}
	for i, c := range crowds {
		painter := NewPainter(c, o)
		corner, end := image.Point{}, painter.Size()
		switch {
		case i > 0 && stacked:
			corner.Y = p.size.Y + gap
		case i > 0:
			corner.X = p.size.X + gap
		}
		end = end.Add(corner)
		p.size = image.Pt(max(p.size.X, end.X), max(p.size.Y, end.Y))
		p.painters, p.corners = append(p.painters, painter), append(p.corners, corner)
	}
	return p
}

// Wide reports whether panels of a view had better be one above another.
func Wide(view r2.Box) bool {
	size := view.Size()
	return size.X > 2*size.Y
}

// Size returns the size of all panels together, in pixels.
func (p *Panels) Size() image.Point { return p.size }

// Swatch returns the colors of the first panel, which are those of all: see Painter.Swatch.
func (p *Panels) Swatch() *image.RGBA { return p.painters[0].Swatch() }

// Draw returns the picture of as many crowds as there are panels, which is the caller's to keep.
func (p *Panels) Draw(crowds ...*Crowd) *image.RGBA {
	if len(crowds) == 1 {
		return p.painters[0].Draw(crowds[0])
	}
	img := image.NewRGBA(image.Rectangle{Max: p.size})
	draw.Draw(img, img.Rect, image.NewUniform(p.painters[0].colors.theme.paper), image.Point{}, draw.Src)
	for i, c := range crowds {
		part := p.painters[i].Draw(c)
		draw.Draw(img, part.Rect.Add(p.corners[i]), part, image.Point{}, draw.Src)
	}
	return img
}
