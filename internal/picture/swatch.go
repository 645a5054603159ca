package picture

import "image"

// Swatch returns an image of the colours that frames consist of: those of all
// levels, each blended with the ground as far as the edges of shapes are. It is
// a sample for the palette of an animation.
func (p *Painter) Swatch() *image.RGBA {
	t := p.colours.theme
	colours := groups[:]
	switch {
	case p.heat != nil:
		colours = p.heat.scale[:]
	case p.colours.scale != nil:
		colours = p.colours.scale[:]
	}
	const shades = 8
	img := image.NewRGBA(image.Rect(0, 0, len(colours), 2*shades))
	for x, c := range colours {
		for y := range shades {
			share := float64(y+1) / shades
			img.SetRGBA(x, y, mix(t.floor, c, share))
			img.SetRGBA(x, shades+y, mix(t.floor, mix(c, t.outline, 0.55), share))
		}
	}
	return img
}
