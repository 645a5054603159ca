package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"sort"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/gonum/spatial/r2"
)

// A brush is a pen that draws pixels.
type brush struct {
	img     *image.RGBA
	letters letters
	theme   *theme
}

func (b *brush) text(f face, c color.RGBA, s string, x, y float64, middle bool) {
	if middle {
		x -= b.letters.width(f, s) / 2
	}
	d := font.Drawer{Dst: b.img, Src: image.NewUniform(c), Face: b.letters[f],
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	d.DrawString(s)
}

func (b *brush) box(x0, y0, x1, y1 float64, c color.RGBA) {
	l := newLayer(image.Rect(int(x0), int(y0), int(x1)+1, int(y1)+1).Intersect(b.img.Rect))
	l.box(r2.Vec{X: x0, Y: y0}, r2.Vec{X: x1, Y: y1}, 1, valueOf(c))
	l.paint(b.img, plain)
}

func (b *brush) puck(p r2.Vec, r float64, heading r2.Vec, fill color.RGBA) {
	drawPuck(b.img, b.img.Rect, p, r, heading, fill, b.theme.outline)
}

func (b *brush) dot(p r2.Vec, r float64, c color.RGBA) {
	l := newLayer(pixelsAround(p, r+1).Intersect(b.img.Rect))
	l.disc(p, r, valueOf(c))
	l.paint(b.img, plain)
}

func (b *brush) target(p r2.Vec, m mark) {
	l := newLayer(pixelsAround(p, 2*m.arm).Intersect(b.img.Rect))
	l.mark(p, m, valueOf(b.theme.goal))
	l.paint(b.img, plain)
}

func (b *brush) danger(p r2.Vec, m mark) {
	l := newLayer(pixelsAround(p, 2*m.arm).Intersect(b.img.Rect))
	l.warning(p, m, valueOf(b.theme.danger))
	l.paint(b.img, plain)
}

func (b *brush) bar(x0, y0, x1, y1 float64, s *scale) {
	box := image.Rect(int(x0), int(y0), int(x1), int(y1))
	for i := box.Min.X; i < box.Max.X; i++ {
		level := (i - box.Min.X) * topLevel / max(box.Dx()-1, 1)
		draw.Draw(b.img, image.Rect(i, box.Min.Y, i+1, box.Max.Y), image.NewUniform(s[level]), image.Point{}, draw.Src)
	}
}

func (b *brush) wheel(p r2.Vec, inner, outer float64, s *scale) {
	box := pixelsAround(p, outer+1).Intersect(b.img.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			d := r2.Vec{X: float64(x) + 0.5 - p.X, Y: float64(y) + 0.5 - p.Y}
			r := math.Sqrt(r2.Norm2(d))
			blend(b.img, x, y, s[headingLevel(math.Atan2(-d.Y, d.X))], unit(outer-r+0.5)-unit(inner-r+0.5))
		}
	}
}

// drawBorder draws a line around r.
func drawBorder(img *image.RGBA, r image.Rectangle, c color.RGBA) {
	for x := r.Min.X - 1; x <= r.Max.X; x++ {
		img.SetRGBA(x, r.Min.Y-1, c)
		img.SetRGBA(x, r.Max.Y, c)
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		img.SetRGBA(r.Min.X-1, y, c)
		img.SetRGBA(r.Max.X, y, c)
	}
}

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

// A face is one of the fonts of a picture.
type face int

const (
	titleFace face = iota
	textFace
	smallFace
	faces
)

// faceSizes are the sizes of the faces, in em.
var faceSizes = [faces]float64{1.55, 1, 0.86}

// letters holds the fonts of one picture. A face keeps a cache, so pictures
// that are drawn at the same time must not share one.
type letters [faces]font.Face

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
	open := func(f *opentype.Font, size float64) font.Face {
		// 72 dots per inch make a point a pixel.
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72})
		if err != nil {
			panic(fmt.Sprintf("crowd: font: %v", err))
		}
		return face
	}
	var l letters
	for f, size := range faceSizes {
		l[f] = open(regular(), size*em)
	}
	l[titleFace] = open(bold(), faceSizes[titleFace]*em)
	return l
}

// width returns how many pixels s takes.
func (l *letters) width(f face, s string) float64 {
	return float64(font.MeasureString(l[f], s)) / 64
}

// fit returns s on one line, cut to a width in pixels.
func (l *letters) fit(f face, s string, room float64) string {
	s = strings.Join(strings.Fields(s), " ")
	if l.width(f, s) <= room {
		return s
	}
	runes := []rune(s)
	n := sort.Search(len(runes), func(n int) bool { return l.width(f, string(runes[:n+1])+"…") > room })
	return strings.TrimRight(string(runes[:n]), " ,") + "…"
}

// wrap returns s in lines of a width in pixels, the last of the most lines cut to it.
func (l *letters) wrap(f face, s string, room float64, most int) (lines []string) {
	for words := strings.Fields(s); len(words) > 0; {
		if len(lines) == most-1 {
			return append(lines, l.fit(f, strings.Join(words, " "), room))
		}
		n := 1
		for n < len(words) && l.width(f, strings.Join(words[:n+1], " ")) <= room {
			n++
		}
		lines = append(lines, l.fit(f, strings.Join(words[:n], " "), room))
		words = words[n:]
	}
	return lines
}
