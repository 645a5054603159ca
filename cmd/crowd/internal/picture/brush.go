package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font"
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
