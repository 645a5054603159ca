package picture

import (
	"fmt"
	"image"
	"image/color"
	"sort"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// letters holds the fonts of one picture. A face keeps a cache, so pictures
// that are drawn at the same time must not share one.
type letters struct {
	title, text, small font.Face
}

var (
	bold    = sync.OnceValue(func() *opentype.Font { return parse(gobold.TTF) })
	regular = sync.OnceValue(func() *opentype.Font { return parse(goregular.TTF) })
)

// parse reads a font that is compiled into the program.
func parse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(fmt.Sprintf("crowd: font: %v", err))
	}
	return f
}

// newLetters returns letters for an em of some pixels.
func newLetters(em float64) letters {
	face := func(f *opentype.Font, size float64) font.Face {
		// 72 dots per inch make a point a pixel.
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72})
		if err != nil {
			panic(fmt.Sprintf("crowd: font: %v", err))
		}
		return face
	}
	return letters{
		title: face(bold(), 1.55*em),
		text:  face(regular(), em),
		small: face(regular(), 0.86*em),
	}
}

// width returns how many pixels s takes.
func width(f font.Face, s string) float64 { return float64(font.MeasureString(f, s)) / 64 }

// fit returns s on one line, cut to a width in pixels.
func fit(f font.Face, s string, room float64) string {
	s = strings.Join(strings.Fields(s), " ")
	if width(f, s) <= room {
		return s
	}
	runes := []rune(s)
	n := sort.Search(len(runes), func(n int) bool { return width(f, string(runes[:n+1])+"…") > room })
	return strings.TrimRight(string(runes[:n]), " ,") + "…"
}

// write draws s from x on, standing on the line y.
func write(img *image.RGBA, f font.Face, c color.RGBA, s string, x, y float64) {
	d := font.Drawer{Dst: img, Src: image.NewUniform(c), Face: f,
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	d.DrawString(s)
}

// writeMiddle draws s with its middle at x.
func writeMiddle(img *image.RGBA, f font.Face, c color.RGBA, s string, x, y float64) {
	write(img, f, c, s, x-width(f, s)/2, y)
}
