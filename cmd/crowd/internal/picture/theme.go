package picture

import (
	"image"
	"image/color"
)

// A theme holds the colors of everything but the agents: a calm ground,
// neutral solids, and for targets and dangers a green and a red that differ in
// lightness from the ground, and in shape from one another, to every kind of
// eye.
type theme struct {
	paper    color.RGBA // around the world
	floor    color.RGBA // free ground
	border   color.RGBA
	ink      color.RGBA // letters
	faintInk color.RGBA
	solid    color.RGBA // obstacles
	rim      color.RGBA // and their outline
	door     color.RGBA
	goal     color.RGBA
	danger   color.RGBA
	path     color.RGBA // what agents follow
	outline  color.RGBA // what the outline of a body is tinted with
	trail    color.NRGBA
}

var light = theme{
	paper:    color.RGBA{0xff, 0xff, 0xff, 0xff},
	floor:    color.RGBA{0xf6, 0xf5, 0xf1, 0xff},
	border:   color.RGBA{0xcf, 0xcc, 0xc4, 0xff},
	ink:      color.RGBA{0x26, 0x28, 0x2c, 0xff},
	faintInk: color.RGBA{0x66, 0x69, 0x70, 0xff},
	solid:    color.RGBA{0xb9, 0xb8, 0xb3, 0xff},
	rim:      color.RGBA{0x7d, 0x7c, 0x78, 0xff},
	door:     color.RGBA{0xa8, 0x52, 0x1a, 0xff},
	goal:     color.RGBA{0x00, 0x7a, 0x5e, 0xff},
	danger:   color.RGBA{0xc0, 0x2a, 0x1c, 0xff},
	path:     color.RGBA{0x8a, 0x6d, 0x00, 0xff},
	outline:  color.RGBA{0x26, 0x28, 0x2c, 0xff},
	trail:    color.NRGBA{0x5b, 0x4a, 0x8a, 0x50},
}

var dark = theme{
	paper:    color.RGBA{0x0e, 0x10, 0x14, 0xff},
	floor:    color.RGBA{0x16, 0x19, 0x1f, 0xff},
	border:   color.RGBA{0x34, 0x39, 0x42, 0xff},
	ink:      color.RGBA{0xe8, 0xe9, 0xec, 0xff},
	faintInk: color.RGBA{0x9a, 0x9f, 0xa9, 0xff},
	solid:    color.RGBA{0x3c, 0x41, 0x4a, 0xff},
	rim:      color.RGBA{0x6c, 0x73, 0x7f, 0xff},
	door:     color.RGBA{0xe0, 0x8f, 0x4f, 0xff},
	goal:     color.RGBA{0x3d, 0xd6, 0xa3, 0xff},
	danger:   color.RGBA{0xff, 0x6b, 0x57, 0xff},
	path:     color.RGBA{0xd1, 0xb1, 0x3c, 0xff},
	outline:  color.RGBA{0xff, 0xff, 0xff, 0xff},
	trail:    color.NRGBA{0xb8, 0xa8, 0xe6, 0x50},
}

// themeOf returns the theme that the options ask for.
func themeOf(o Options) *theme {
	if o.Dark {
		return &dark
	}
	return &light
}

// mix returns a turned into b by the share t from 0 to 1.
func mix(a, b color.RGBA, t float64) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*t + 0.5) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 0xff}
}

// blend lays the opaque color c over a pixel, covering the share t of it.
// The pixel must lie in the image.
func blend(img *image.RGBA, x, y int, c color.RGBA, t float64) {
	if t <= 0 {
		return
	}
	i := img.PixOffset(x, y)
	p := img.Pix[i : i+4 : i+4]
	m := mix(color.RGBA{p[0], p[1], p[2], p[3]}, c, min(t, 1))
	p[0], p[1], p[2] = m.R, m.G, m.B
}
