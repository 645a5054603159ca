package picture

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/suggest"
)

// Color selects what the color of an agent means.
type Color int

// Meanings of colors.
const (
	Speed   Color = iota // by the palette
	Heading              // by a cyclic scale
	Group                // by Agent.Group
)

var colorNames = [...]string{"speed", "heading", "group"}

func (c Color) String() string { return colorNames[c] }

// UnmarshalText parses the name of a meaning.
func (c *Color) UnmarshalText(text []byte) error {
	for i, name := range colorNames {
		if string(text) == name {
			*c = Color(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no color, %s", text, suggest.OneOf(string(text), colorNames[:]))
}

// A value is what an agent's color shows: the level of its speed in the first channel, of which a
// layer shows the mean, or otherwise a color.
type value [3]uint8

// coloring converts agents to values, and values to colors.
type coloring struct {
	by       Color
	scale    *scale  // by speed or heading
	maxSpeed float64 // m/s
	theme    *theme
}

func newColoring(o Options, maxSpeed float64) *coloring {
	t := themeOf(o)
	c := &coloring{by: o.Color, maxSpeed: maxSpeed, theme: t}
	switch c.by {
	case Speed:
		c.scale = paletteOf(o.Palette).speeds(t)
	case Heading:
		c.scale = headings(t)
	}
	return c
}

// of returns the value of an agent.
func (c *coloring) of(a *Agent) value {
	switch c.by {
	case Heading:
		if h := a.Heading; h.X == 0 && h.Y == 0 || !usable(h) {
			return valueOf(c.theme.faintInk)
		}
		return valueOf(c.scale[headingLevel(math.Atan2(a.Heading.Y, a.Heading.X))])
	case Group:
		return valueOf(groupColor(a.Group))
	}
	return value{uint8(levelOf(a.Speed, c.maxSpeed))}
}

// color returns the color of a value.
func (c *coloring) color(v value) color.RGBA {
	if c.by == Speed {
		return c.scale[v[0]]
	}
	return plain(v)
}

func valueOf(c color.RGBA) value { return value{c.R, c.G, c.B} }

// headingLevel returns the level of an angle in radians.
func headingLevel(angle float64) int {
	const turn = topLevel + 1
	return (int(math.Floor(angle/(2*math.Pi)*turn+0.5)) + turn) % turn
}

// groupColor returns the color of the i-th group.
func groupColor(i int) color.RGBA {
	n := len(groups)
	return groups[(i%n+n)%n]
}

// levelOf returns the level of a speed on a scale up to maxSpeed.
func levelOf(speed, maxSpeed float64) uint32 {
	if !(speed > 0) {
		return 0
	}
	return uint32(min(speed/maxSpeed, 1)*topLevel + 0.5)
}

// A theme holds the colors of everything except the agents: a calm ground, neutral obstacles, and
// for targets and dangers a green and a red that differ in lightness from the ground, and in shape
// from each other, for every kind of color vision.
type theme struct {
	paper    color.RGBA // around the world
	floor    color.RGBA // free ground
	border   color.RGBA
	ink      color.RGBA // letters
	faintInk color.RGBA
	solid    color.RGBA // obstacles
	rim      color.RGBA // outline of obstacles
	door     color.RGBA
	goal     color.RGBA
	danger   color.RGBA
	path     color.RGBA // paths
	outline  color.RGBA // tint of outlines of bodies
	trail    color.RGBA
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
	trail:    color.RGBA{0x5b, 0x4a, 0x8a, 0xff},
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
	trail:    color.RGBA{0xb8, 0xa8, 0xe6, 0xff},
}

// trailOpacity is the opacity of one trail.
const trailOpacity = 80. / 255

// themeOf returns the theme that the options select.
func themeOf(o Options) *theme {
	if o.Dark {
		return &dark
	}
	return &light
}

// mix interpolates from a to b by the share t from 0 to 1.
func mix(a, b color.RGBA, t float64) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*t + 0.5) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 0xff}
}

// blend draws the opaque color c over a share t of a pixel, which must lie in the image.
func blend(img *image.RGBA, x, y int, c color.RGBA, t float64) {
	if t <= 0 {
		return
	}
	i := img.PixOffset(x, y)
	p := img.Pix[i : i+4 : i+4]
	m := mix(color.RGBA{p[0], p[1], p[2], p[3]}, c, min(t, 1))
	p[0], p[1], p[2] = m.R, m.G, m.B
}

// topLevel is the highest level of a scale, that of the fastest agents; level 0 is that of agents
// at rest.
const topLevel = 255

// A scale holds the color of every level.
type scale [topLevel + 1]color.RGBA

// A palette is a color scale from dark to light in equal steps.
type palette struct {
	name  string
	steps []uint32 // 0xRRGGBB

	// The shares of the scale with the least contrast to the floor, by WCAG 2: 2.3 on the light
	// one, 3.2 on the dark one, where small shapes need more.
	onLight, onDark float64
}

// palettes are the named scales, the default first. They are perceptually uniform with increasing
// lightness, so that they work for the color-blind and in gray.
//
// Source: N. J. Smith and S. van der Walt, mpl-colormaps, 2015 (CC0), each sixteenth color; gray is
// ours.
var palettes = []palette{
	{"plasma", []uint32{
		0x0d0887, 0x310597, 0x4c02a1, 0x6600a7, 0x7e03a8, 0x9511a1, 0xaa2395, 0xbc3587, 0xcc4778,
		0xd9586a, 0xe56b5d, 0xf07f4f, 0xf89441, 0xfdab33, 0xfdc328, 0xf9dd25, 0xf0f921}, 181. / 256, 108. / 256},
	{"viridis", []uint32{
		0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d, 0x2c728e, 0x26828e, 0x21918c,
		0x1f9f88, 0x27ad81, 0x3dbc74, 0x5cc863, 0x81d34d, 0xaadc32, 0xd5e21a, 0xfde725}, 172. / 256, 94. / 256},
	{"magma", []uint32{
		0x000004, 0x0a0822, 0x1d1147, 0x36106b, 0x51127c, 0x6a1c81, 0x832681, 0x9c2e7f, 0xb73779,
		0xcf4070, 0xe55064, 0xf4695c, 0xfb8761, 0xfea571, 0xfec287, 0xfde0a1, 0xfcfdbf}, 188. / 256, 128. / 256},
	{"inferno", []uint32{
		0x000004, 0x0b0724, 0x210c4a, 0x3d0965, 0x57106e, 0x71196e, 0x8a226a, 0xa32c61, 0xbc3754,
		0xd04545, 0xe35933, 0xf1711f, 0xf98c0a, 0xfcaa0f, 0xf9c932, 0xf2e865, 0xfcffa4}, 188. / 256, 129. / 256},
	{"gray", []uint32{0x000000, 0xffffff}, 164. / 256, 105. / 256},
}

// Palettes returns the names of the color scales, the default first.
func Palettes() (names []string) {
	for _, p := range palettes {
		names = append(names, p.name)
	}
	return names
}

// paletteOf returns a palette by its name; the default if it is unknown.
func paletteOf(name string) palette {
	i := slices.IndexFunc(palettes, func(p palette) bool { return p.name == name })
	return palettes[max(i, 0)]
}

// at returns the color at a share of the scale from 0 to 1.
func (p palette) at(t float64) color.RGBA {
	x := min(max(t, 0), 1) * float64(len(p.steps)-1)
	i := min(int(x), len(p.steps)-2)
	rgb := func(v uint32) color.RGBA { return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff} }
	return mix(rgb(p.steps[i]), rgb(p.steps[i+1]), x-float64(i))
}

// speeds returns the part of the scale that contrasts with the floor. Faster agents contrast more:
// darker on the light one, lighter on the dark one, as in the live view
// (world/view/page/colors.js).
func (p palette) speeds(t *theme) *scale {
	slow, fast := p.onLight, 0.0
	if t == &dark {
		slow, fast = p.onDark, 1
	}
	var s scale
	for level := range s {
		s[level] = p.at(slow + (fast-slow)*float64(level)/topLevel)
	}
	return &s
}

// densities returns a scale that starts at the color of the floor.
func (p palette) densities(t *theme) *scale {
	const merge = 24 // levels over which the floor blends into the palette
	var s scale
	for level := range s {
		at := float64(level) / topLevel
		if t == &light {
			at = 1 - at
		}
		s[level] = mix(t.floor, p.at(at), min(float64(level)/merge, 1))
	}
	return &s
}

// headings returns a cyclic scale: level 0 is +x, a quarter of the levels is +y. It varies in
// lightness and between blue and yellow, which every kind of color vision distinguishes, with some
// red and green in addition.
//
// The circle lies in the color space OKLab (B. Ottosson 2020).
func headings(t *theme) *scale {
	middle, swing := 0.60, 0.16
	if t == &dark {
		middle = 0.70
	}
	var s scale
	for level := range s {
		sin, cos := math.Sincos(2 * math.Pi * float64(level) / (topLevel + 1))
		s[level] = oklab(middle+swing*sin, 0.09*sin*cos+0.07*sin, -0.12*cos)
	}
	return &s
}

// oklab converts a color from OKLab to sRGB, clipped to its gamut.
func oklab(l, a, b float64) color.RGBA {
	cube := func(x float64) float64 { return x * x * x }
	long := cube(l + 0.3963377774*a + 0.2158037573*b)
	mid := cube(l - 0.1055613458*a - 0.0638541728*b)
	short := cube(l - 0.0894841775*a - 1.2914855480*b)
	part := func(x float64) uint8 {
		x = min(max(x, 0), 1)
		if x <= 0.0031308 {
			x *= 12.92
		} else {
			x = 1.055*math.Pow(x, 1/2.4) - 0.055
		}
		return uint8(255*x + 0.5)
	}
	return color.RGBA{
		part(4.0767416621*long - 3.3077115913*mid + 0.2309699292*short),
		part(-1.2684380046*long + 2.6097574011*mid - 0.3413193965*short),
		part(-0.0041960863*long - 0.7034186147*mid + 1.7076147010*short), 0xff}
}

// groups are the colors of groups, repeating.
//
// Source: the first six are from M. Okabe and K. Ito, Color Universal Design, 2002, without black
// and yellow, which one of the two grounds would hide. Each of the others is the one farthest from
// all before it, also for viewers without red or green. The live view has the same.
var groups = [...]color.RGBA{
	{0x00, 0x72, 0xb2, 0xff},
	{0xd5, 0x5e, 0x00, 0xff},
	{0x00, 0x9e, 0x73, 0xff},
	{0xcc, 0x79, 0xa7, 0xff},
	{0xe6, 0x9f, 0x00, 0xff},
	{0x56, 0xb4, 0xe9, 0xff},
	{0x3c, 0x3c, 0xc3, 0xff},
	{0x87, 0xc3, 0x4b, 0xff},
	{0xa5, 0x0f, 0x0f, 0xff},
	{0xb4, 0x3c, 0xff, 0xff},
	{0x69, 0x4b, 0x4b, 0xff},
	{0x5a, 0x00, 0xff, 0xff},
}

// Shade returns the color of a palette at a share from 0, dark, to 1, light.
func Shade(palette string, share float64) color.RGBA { return paletteOf(palette).at(share) }
