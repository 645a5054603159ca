package picture

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/suggest"
)

// Color is the meaning of the color of an agent.
type Color int

const (
	Speed   Color = iota // by the palette
	Heading              // by a cyclic scale
	Group                // by Agent.Group
)

var colorNames = [...]string{"speed", "heading", "group"}

func (c Color) String() string { return colorNames[c] }

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *Color) UnmarshalText(text []byte) error {
	i := slices.Index(colorNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("no coloring is named %q, %s", text, suggest.OneOf(string(text), colorNames[:]))
	}
	*c = Color(i)
	return nil
}

// A value is a color, or has the level of a speed in its first channel.
type value [3]uint8

type coloring struct {
	by       Color
	scale    *scale  // for speed or heading
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

func (c *coloring) color(v value) color.RGBA {
	if c.by == Speed {
		return c.scale[v[0]]
	}
	return plain(v)
}

func valueOf(c color.RGBA) value { return value{c.R, c.G, c.B} }

func headingLevel(angle float64) int {
	const turn = topLevel + 1
	return (int(math.Floor(angle/(2*math.Pi)*turn+0.5)) + turn) % turn
}

// groupColor accepts a negative i.
func groupColor(i int) color.RGBA {
	n := len(groups)
	return groups[(i%n+n)%n]
}

func levelOf(x, top float64) uint32 {
	if !(x > 0) {
		return 0
	}
	return uint32(min(x/top, 1)*topLevel + 0.5)
}

// A theme holds the colors of everything except the agents. Color-blind readers can distinguish targets,
// dangers and the ground by lightness or shape.
type theme struct {
	paper, floor, border color.RGBA // around the world, free ground, and the line between them
	ink, faintInk        color.RGBA
	outline              color.RGBA // tints bodies
	solid, rim, door     color.RGBA // obstacles, their outline, and doors
	goal, danger         color.RGBA
	path, trail          color.RGBA
}

var light = theme{
	paper: rgb(0xffffff), floor: rgb(0xf6f5f1), border: rgb(0xcfccc4),
	ink: rgb(0x26282c), faintInk: rgb(0x666970), outline: rgb(0x26282c),
	solid: rgb(0xb9b8b3), rim: rgb(0x7d7c78), door: rgb(0xa8521a),
	goal: rgb(0x007a5e), danger: rgb(0xc02a1c), path: rgb(0x8a6d00), trail: rgb(0x5b4a8a),
}

var dark = theme{
	paper: rgb(0x0e1014), floor: rgb(0x16191f), border: rgb(0x343942),
	ink: rgb(0xe8e9ec), faintInk: rgb(0x9a9fa9), outline: rgb(0xffffff),
	solid: rgb(0x3c414a), rim: rgb(0x6c737f), door: rgb(0xe08f4f),
	goal: rgb(0x3dd6a3), danger: rgb(0xff6b57), path: rgb(0xd1b13c), trail: rgb(0xb8a8e6),
}

func rgb(v uint32) color.RGBA { return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff} }

func themeOf(o Options) *theme {
	if o.Dark {
		return &dark
	}
	return &light
}

func mix(a, b color.RGBA, t float64) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*t + 0.5) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 0xff}
}

// blend covers the fraction t of a pixel with a color. The pixel must be in the image.
func blend(img *image.RGBA, x, y int, c color.RGBA, t float64) {
	if t <= 0 {
		return
	}
	i := img.PixOffset(x, y)
	p := img.Pix[i : i+4 : i+4]
	m := mix(color.RGBA{p[0], p[1], p[2], p[3]}, c, min(t, 1))
	p[0], p[1], p[2] = m.R, m.G, m.B
}

const topLevel = 255 // highest level of a scale; the lowest is 0

type scale [topLevel + 1]color.RGBA

func scaleOf(color func(level float64) color.RGBA) *scale {
	var s scale
	for level := range s {
		s[level] = color(float64(level))
	}
	return &s
}

// A palette is a color scale from dark to light, in equal steps.
type palette struct {
	name  string
	steps []uint32 // 0xRRGGBB

	// Positions at which the contrast with the floor (WCAG 2) is the minimum for small shapes: 2.3 on the
	// light floor, 3.2 on the dark floor.
	onLight, onDark float64
}

// palettes are the named scales, the default first. Lightness increases along each, so the order stays
// visible to color-blind readers and in grayscale prints.
//
// Source of all but gray: N. J. Smith and S. van der Walt, mpl-colormaps, 2015 (CC0), every sixteenth color.
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

// paletteOf returns the named palette, or the default one if the name is unknown.
func paletteOf(name string) palette {
	i := slices.IndexFunc(palettes, func(p palette) bool { return p.name == name })
	return palettes[max(i, 0)]
}

func (p palette) at(t float64) color.RGBA {
	x := min(max(t, 0), 1) * float64(len(p.steps)-1)
	i := min(int(x), len(p.steps)-2)
	return mix(rgb(p.steps[i]), rgb(p.steps[i+1]), x-float64(i))
}

// speeds returns the part of the scale that stands out from the floor. The contrast increases with speed, as
// in the live view (world/view/page/colors.js).
func (p palette) speeds(t *theme) *scale {
	slow, fast := p.onLight, 0.0
	if t == &dark {
		slow, fast = p.onDark, 1
	}
	return scaleOf(func(level float64) color.RGBA { return p.at(slow + (fast-slow)*level/topLevel) })
}

func (p palette) densities(t *theme) *scale {
	const merge = 24 // levels over which the floor blends into the palette
	return scaleOf(func(level float64) color.RGBA {
		at := level / topLevel
		if t == &light {
			at = 1 - at
		}
		return mix(t.floor, p.at(at), min(level/merge, 1))
	})
}

// headings returns a cyclic scale: level 0 is +x, level 64 is +y. The colors vary in lightness and between
// blue and yellow, which color-blind readers can distinguish. They form a closed curve in the color space
// OKLab (B. Ottosson 2020).
func headings(t *theme) *scale {
	middle, swing := 0.60, 0.16
	if t == &dark {
		middle = 0.70
	}
	return scaleOf(func(level float64) color.RGBA {
		sin, cos := math.Sincos(2 * math.Pi * level / (topLevel + 1))
		return oklab(middle+swing*sin, 0.09*sin*cos+0.07*sin, -0.12*cos)
	})
}

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

// groups are the colors of groups, as in the live view on a light background. They repeat.
//
// Source: the first six are by M. Okabe and K. Ito, Color Universal Design, 2002, without black and yellow,
// which have too little contrast with a floor. Each later color is as far as possible from all earlier ones,
// even for color-blind readers.
var groups = [...]color.RGBA{
	rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xcc79a7), rgb(0xe69f00), rgb(0x56b4e9),
	rgb(0x3c3cc3), rgb(0x87c34b), rgb(0xa50f0f), rgb(0xb43cff), rgb(0x694b4b), rgb(0x5a00ff),
}

// Shade returns the color of the named palette at a position from 0 (dark) to 1 (light). An unknown name
// means the first of Palettes.
func Shade(palette string, share float64) color.RGBA { return paletteOf(palette).at(share) }
