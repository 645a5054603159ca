package sheet

import (
	"image/color"
	"math"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// textFont is the font of all text in pictures.
var textFont = font.Font{Typeface: "Liberation", Variant: "Sans"}

// Sizes of text, in points.
const (
	headlineSize = 14
	titleSize    = 12
	labelSize    = 10.5
	tickSize     = 9.5
	smallSize    = 9
)

// text returns a style of text that begins at its point and stands on it.
func (s *Style) text(size vg.Length, c color.Color) text.Style {
	return text.Style{Font: font.From(textFont, size), Color: c, Handler: textHandler}
}

var textHandler = evenDigits{text.Plain{Fonts: font.DefaultCache}}

// evenDigits draws text in which all digits are equally wide: the font moves ones
// together, which looks like a slip in 0.0011.
type evenDigits struct{ text.Plain }

// pieces cuts a text between ones.
func pieces(s string) []string {
	if !strings.Contains(s, "11") {
		return []string{s}
	}
	var all []string
	for {
		i := strings.Index(s, "11")
		if i < 0 {
			return append(all, s)
		}
		all, s = append(all, s[:i+1]), s[i+1:]
	}
}

// Box returns the width, height and depth of a line.
func (h evenDigits) Box(s string, f font.Font) (width, height, depth vg.Length) {
	for _, piece := range pieces(s) {
		var w vg.Length
		w, height, depth = h.Plain.Box(piece, f)
		width += w
	}
	return width, height, depth
}

// Draw draws a line.
func (h evenDigits) Draw(c vg.Canvas, s string, style text.Style, at vg.Point) {
	width, _, _ := h.Box(s, style.Font)
	along := vg.Length(style.XAlign) * width
	style.XAlign = 0
	sin, cos := math.Sincos(style.Rotation)
	for _, piece := range pieces(s) {
		h.Plain.Draw(c, piece, style, at.Add(vg.Point{X: along * vg.Length(cos), Y: along * vg.Length(sin)}))
		w, _, _ := h.Plain.Box(piece, style.Font)
		along += w
	}
}

// fit shortens a text until it fits in a width.
func fit(style text.Style, s string, room vg.Length) string {
	for most := len([]rune(s)); most > 2 && style.Width(s) > room; most-- {
		s = terminal.Shorten(s, most)
	}
	return s
}
