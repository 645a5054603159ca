package picture

import (
	"image"
	"image/color"
)

// The colours of everything but the agents: a calm light ground, neutral
// solids, and for the targets a green that is darker than the ground to every
// kind of eye.
var (
	paper    = color.RGBA{0xff, 0xff, 0xff, 0xff}
	floor    = color.RGBA{0xf6, 0xf5, 0xf1, 0xff}
	border   = color.RGBA{0xcf, 0xcc, 0xc4, 0xff}
	ink      = color.RGBA{0x26, 0x28, 0x2c, 0xff}
	faintInk = color.RGBA{0x66, 0x69, 0x70, 0xff}
	solid    = color.RGBA{0xb9, 0xb8, 0xb3, 0xff}
	rim      = color.RGBA{0x7d, 0x7c, 0x78, 0xff}
	goal     = color.RGBA{0x00, 0x7a, 0x5e, 0xff}
)

// plasma holds the part of matplotlib's colour scale plasma that stands out
// from a light ground, from its 0.7 to its 0 in steps of 0.1: standing agents
// are orange, so that a jam glows, and the fastest are dark blue. The scale is
// perceptually uniform and its lightness falls all the way, so it can be read
// by the colour-blind and in grey.
//
// Source: N. J. Smith and S. van der Walt, matplotlib 1.5 (CC0).
var plasma = [...]color.RGBA{
	{0xf1, 0x84, 0x4b, 0xff},
	{0xe1, 0x64, 0x62, 0xff},
	{0xcc, 0x46, 0x78, 0xff},
	{0xb1, 0x2a, 0x90, 0xff},
	{0x90, 0x0d, 0xa4, 0xff},
	{0x6a, 0x00, 0xa8, 0xff},
	{0x42, 0x04, 0x9e, 0xff},
	{0x0d, 0x08, 0x87, 0xff},
}

// topLevel is the level of the fastest agents; level 0 stands still.
const topLevel = 255

// ramp holds the colour of every level.
var ramp = func() (r [topLevel + 1]color.RGBA) {
	for level := range r {
		at := level * (len(plasma) - 1)
		i := min(at/topLevel, len(plasma)-2)
		r[level] = mix(plasma[i], plasma[i+1], float64(at-i*topLevel)/topLevel)
	}
	return r
}()

// levelOf returns the level of a speed on a scale up to maxSpeed.
func levelOf(speed, maxSpeed float64) uint32 {
	if !(speed > 0) {
		return 0
	}
	return uint32(min(speed/maxSpeed, 1)*topLevel + 0.5)
}

// mix returns a turned into b by the share t from 0 to 1.
func mix(a, b color.RGBA, t float64) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*t + 0.5) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 0xff}
}

// blend lays the opaque colour c over a pixel, covering the share t of it.
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
