package picture

import "image"

// Swatch returns an image of the colors that frames consist of: those of all
// levels, each blended with the ground as far as the edges of shapes are. It is
// a sample for the palette of an animation.
func (p *Painter) Swatch() *image.RGBA {
	t := p.colors.theme
	colors := groups[:]
	switch {
	case p.heat != nil:
		colors = p.heat.scale[:]
	case p.colors.scale != nil:
		colors = p.colors.scale[:]
	}
	const shades = 8
	img := image.NewRGBA(image.Rect(0, 0, len(colors), 2*shades))
	for x, c := range colors {
		for y := range shades {
			share := float64(y+1) / shades
			img.SetRGBA(x, y, mix(t.floor, c, share))
			img.SetRGBA(x, shades+y, mix(t.floor, mix(c, t.outline, 0.55), share))
		}
	}
	return img
}
