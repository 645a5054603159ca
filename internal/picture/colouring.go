package picture

import (
	"fmt"
	"image/color"
	"math"

	"github.com/8f878440/crowd/internal/suggest"
)

// Colour says what the colour of an agent stands for.
type Colour int

// What colours can stand for.
const (
	Speed   Colour = iota // by the palette
	Heading               // by a scale that closes
	Group                 // by Agent.Group
)

var colourNames = [...]string{"speed", "heading", "group"}

func (c Colour) String() string { return colourNames[c] }

// UnmarshalText reads the name of what colours stand for.
func (c *Colour) UnmarshalText(text []byte) error {
	for i, name := range colourNames {
		if string(text) == name {
			*c = Colour(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no colour, %s", text, suggest.OneOf(string(text), colourNames[:]))
}

// A value is what of an agent is shown by its colour: in its first channel the
// level of its speed, of which a layer shows the mean, or else a colour.
type value [3]uint8

// colouring turns agents into values, and values into colours.
type colouring struct {
	by       Colour
	scale    *scale  // by speed or heading
	maxSpeed float64 // m/s
	theme    *theme
}

func newColouring(o Options, maxSpeed float64) *colouring {
	t := themeOf(o)
	c := &colouring{by: o.Colour, maxSpeed: maxSpeed, theme: t}
	switch c.by {
	case Speed:
		c.scale = paletteOf(o.Palette).speeds(t)
	case Heading:
		c.scale = headings(t)
	}
	return c
}

// of returns the value of an agent.
func (c *colouring) of(a *Agent) value {
	switch c.by {
	case Heading:
		if h := a.Heading; h.X == 0 && h.Y == 0 || !usable(h) {
			return valueOf(c.theme.faintInk)
		}
		return valueOf(c.scale[headingLevel(math.Atan2(a.Heading.Y, a.Heading.X))])
	case Group:
		return valueOf(groupColour(a.Group))
	}
	return value{uint8(levelOf(a.Speed, c.maxSpeed))}
}

// colour returns the colour of a value.
func (c *colouring) colour(v value) color.RGBA {
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

// groupColour returns the colour of the i-th group.
func groupColour(i int) color.RGBA {
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
