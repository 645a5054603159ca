package picture

import (
	"fmt"
	"image/color"
	"math"

	"github.com/8f878440/crowd/internal/suggest"
)

// Color says what the color of an agent stands for.
type Color int

// What colors can stand for.
const (
	Speed   Color = iota // by the palette
	Heading              // by a scale that closes
	Group                // by Agent.Group
)

var colorNames = [...]string{"speed", "heading", "group"}

func (c Color) String() string { return colorNames[c] }

// UnmarshalText reads the name of what colors stand for.
func (c *Color) UnmarshalText(text []byte) error {
	for i, name := range colorNames {
		if string(text) == name {
			*c = Color(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no color, %s", text, suggest.OneOf(string(text), colorNames[:]))
}

// A value is what of an agent is shown by its color: in its first channel the
// level of its speed, of which a layer shows the mean, or else a color.
type value [3]uint8

// coloring turns agents into values, and values into colors.
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
