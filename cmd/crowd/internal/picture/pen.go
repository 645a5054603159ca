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
	"golang.org/x/image/vector"
	"gonum.org/v1/gonum/spatial/r2"
)

// A pen draws shapes, as pixels or as elements of an SVG. Positions are in pixels.
type pen interface {
	fill(c color.RGBA, opacity float64, rings ...[]r2.Vec) // polygons, by nonzero winding
	stroke(l line, paths ...[]r2.Vec)                      // with flat ends and round corners
	disc(p r2.Vec, r float64, c color.RGBA, opacity float64)
	puck(p r2.Vec, r float64, heading r2.Vec, fill color.RGBA)
	text(f face, c color.RGBA, s string, x, y float64, middle bool) // on the baseline y, beginning or centered at x
	image(img *image.RGBA)
	within(r image.Rectangle, draw func()) // clips what draw draws
}

// A line is the style of a stroke. Lengths are in pixels.
type line struct {
	color     color.RGBA
	width     float64
	opacity   float64
	dash, gap float64 // 0 means solid
}

func rect(x0, y0, x1, y1 float64) []r2.Vec {
	return []r2.Vec{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

func hollow(b r2.Box, width float64) (outer, hole []r2.Vec) {
	x, y := min(width, b.Size().X/2), min(width, b.Size().Y/2)
	return rect(b.Min.X, b.Min.Y, b.Max.X, b.Max.Y), rect(b.Max.X-x, b.Min.Y+y, b.Min.X+x, b.Max.Y-y)
}

func tinted(to pen, b r2.Box, em float64, c color.RGBA, floor, edge float64) {
	outer, hole := hollow(b, goalLine(em))
	to.fill(c, floor, outer)
	to.fill(c, (edge-floor)/(1-floor), outer, hole)
}

type canvas struct {
	img     *image.RGBA
	bounds  image.Rectangle // clips all shapes
	letters letters
	theme   *theme
	ras     vector.Rasterizer
	mask    []uint8
}

func (b *canvas) fill(c color.RGBA, opacity float64, rings ...[]r2.Vec) {
	const margin = 4 // pixels
	area := b.bounds.Inset(-margin)
	box := image.Rectangle{}
	seen := make([][]r2.Vec, 0, len(rings))
	for _, ring := range rings {
		part := pixelsOf(around(ring))
		if !part.In(area) {
			ring = clip(ring, area)
			part = pixelsOf(around(ring))
		}
		if len(ring) >= 3 {
			seen, box = append(seen, ring), box.Union(part)
		}
	}
	box = box.Intersect(b.bounds)
	if box.Empty() {
		return
	}
	b.ras.Reset(box.Dx(), box.Dy())
	for _, ring := range seen {
		for i, p := range ring {
			if x, y := float32(p.X-float64(box.Min.X)), float32(p.Y-float64(box.Min.Y)); i == 0 {
				b.ras.MoveTo(x, y)
			} else {
				b.ras.LineTo(x, y)
			}
		}
		b.ras.ClosePath()
	}
	if n := box.Dx() * box.Dy(); len(b.mask) < n {
		b.mask = make([]uint8, n)
	}
	mask := &image.Alpha{Pix: b.mask, Stride: box.Dx(), Rect: image.Rectangle{Max: box.Size()}}
	b.ras.DrawOp = draw.Src
	b.ras.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	for y := range box.Dy() {
		for x, share := range mask.Pix[y*mask.Stride:][:box.Dx()] {
			if share > 0 {
				blend(b.img, box.Min.X+x, box.Min.Y+y, c, opacity*float64(share)/255)
			}
		}
	}
}

func (b *canvas) stroke(l line, paths ...[]r2.Vec) {
	var rings [][]r2.Vec
	add := func(p, q r2.Vec) { rings = append(rings, leg(p, q, l.width/2)) }
	for _, path := range paths {
		if l.dash > 0 {
			l.dashes(path, add)
			continue
		}
		for i := 1; i < len(path); i++ {
			if add(path[i-1], path[i]); i+1 < len(path) {
				rings = append(rings, Capsule(path[i], path[i], l.width/2))
			}
		}
	}
	b.fill(l.color, l.opacity, rings...)
}

func (b *canvas) disc(p r2.Vec, r float64, c color.RGBA, opacity float64) {
	b.fill(c, opacity, Capsule(p, p, r))
}

func (b *canvas) puck(p r2.Vec, r float64, heading r2.Vec, fill color.RGBA) {
	drawPuck(b.img, b.bounds, p, r, heading, fill, b.theme.outline)
}

func (b *canvas) text(f face, c color.RGBA, s string, x, y float64, middle bool) {
	if middle {
		x -= b.letters.width(f, s) / 2
	}
	d := font.Drawer{Dst: b.img, Src: image.NewUniform(c), Face: b.letters[f],
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	d.DrawString(s)
}

func (b *canvas) image(img *image.RGBA) {
	draw.Draw(b.img, img.Rect.Intersect(b.bounds), img, img.Rect.Intersect(b.bounds).Min, draw.Src)
}

func (b *canvas) within(r image.Rectangle, draw func()) {
	all := b.bounds
	b.bounds = r.Intersect(all)
	draw()
	b.bounds = all
}

// dashes calls the function draw for each dash of a path, or for each straight part of a dash around a
// corner.
func (s line) dashes(path []r2.Vec, draw func(a, b r2.Vec)) {
	period, done := s.dash+s.gap, 0.0
	for i := 1; i < len(path); i++ {
		along := r2.Sub(path[i], path[i-1])
		length := r2.Norm(along)
		if length == 0 {
			continue
		}
		at := func(x float64) r2.Vec { return r2.Add(path[i-1], r2.Scale(x/length, along)) }
		for x := -done; x < length; x += period {
			if from, to := max(x, 0), min(x+s.dash, length); from < to {
				draw(at(from), at(to))
			}
		}
		done = math.Mod(done+length, period)
	}
}

// leg returns the outline of a line with flat ends, oriented as in Capsule, or nil if a equals b.
func leg(a, b r2.Vec, half float64) []r2.Vec {
	n := r2.Norm(r2.Sub(b, a))
	if n == 0 {
		return nil
	}
	d := r2.Scale(half/n, r2.Sub(b, a))
	side := r2.Vec{X: d.Y, Y: -d.X}
	return []r2.Vec{r2.Add(b, side), r2.Sub(b, side), r2.Sub(a, side), r2.Add(a, side)}
}

// Capsule returns the outline of all points within r of the segment from a to b, or a circle if a equals b.
func Capsule(a, b r2.Vec, r float64) []r2.Vec {
	along := r2.Vec{X: r}
	if n := r2.Norm(r2.Sub(b, a)); n > 0 {
		along = r2.Scale(r/n, r2.Sub(b, a))
	}
	// Up to r = 21,000, chords deviate from the arc by at most 0.05.
	half := min(max(int(math.Ceil(math.Pi/2*math.Sqrt(r/0.1))), 6), 720)
	ring := make([]r2.Vec, 0, 2*half+2)
	for _, end := range [2]struct{ at, along r2.Vec }{{b, along}, {a, r2.Scale(-1, along)}} {
		for i := range half + 1 {
			sin, cos := math.Sincos(math.Pi * (float64(i)/float64(half) - 0.5))
			d := end.along
			ring = append(ring, r2.Vec{
				X: end.at.X + d.X*cos - d.Y*sin,
				Y: end.at.Y + d.X*sin + d.Y*cos,
			})
		}
	}
	return ring
}

// clip returns the part of a polygon in bounds.
//
// Source: Sutherland and Hodgman 1974.
func clip(ring []r2.Vec, bounds image.Rectangle) []r2.Vec {
	sides := [4]func(p r2.Vec) float64{ // distance of p from a side, positive inside
		func(p r2.Vec) float64 { return p.X - float64(bounds.Min.X) },
		func(p r2.Vec) float64 { return float64(bounds.Max.X) - p.X },
		func(p r2.Vec) float64 { return p.Y - float64(bounds.Min.Y) },
		func(p r2.Vec) float64 { return float64(bounds.Max.Y) - p.Y },
	}
	for _, inside := range sides {
		var kept []r2.Vec
		for i, p := range ring {
			last := ring[(i+len(ring)-1)%len(ring)]
			dp, dl := inside(p), inside(last)
			if (dp >= 0) != (dl >= 0) {
				kept = append(kept, r2.Add(last, r2.Scale(dl/(dl-dp), r2.Sub(p, last))))
			}
			if dp >= 0 {
				kept = append(kept, p)
			}
		}
		ring = kept
	}
	return ring
}

// pixelsOf returns the pixels that a box touches, clamped to fit in an int.
func pixelsOf(b r2.Box) image.Rectangle {
	if empty(b) {
		return image.Rectangle{}
	}
	pixel := func(x float64) int { return int(min(max(x, -MaxSize), 2*MaxSize)) }
	return image.Rect(
		pixel(math.Floor(b.Min.X)), pixel(math.Floor(b.Min.Y)),
		pixel(math.Ceil(b.Max.X)), pixel(math.Ceil(b.Max.Y)))
}

func boxOf(r image.Rectangle) r2.Box {
	return r2.NewBox(float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y))
}

type face int

const (
	titleFace face = iota
	textFace
	smallFace
	faces
)

var faceSizes = [faces]float64{1.55, 1, 0.86} // em

// letters are the fonts of one picture. A face has a cache, so pictures drawn at the same time must not share
// letters.
type letters [faces]font.Face

var (
	bold    = sync.OnceValue(func() *opentype.Font { return parse(gobold.TTF) })
	regular = sync.OnceValue(func() *opentype.Font { return parse(goregular.TTF) })
)

func parse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(fmt.Sprintf("crowd: font: %v", err))
	}
	return f
}

func newLetters(em float64) (l letters) {
	for f, size := range faceSizes {
		from := regular()
		if face(f) == titleFace {
			from = bold()
		}
		var err error
		if l[f], err = opentype.NewFace(from, &opentype.FaceOptions{Size: size * em, DPI: 72}); err != nil {
			panic(fmt.Sprintf("crowd: font: %v", err))
		}
	}
	return l
}

func (l *letters) width(f face, s string) float64 {
	return float64(font.MeasureString(l[f], s)) / 64
}

// fit returns s as one line, shortened with … if wider than room.
func (l *letters) fit(f face, s string, room float64) string {
	s = strings.Join(strings.Fields(s), " ")
	if l.width(f, s) <= room {
		return s
	}
	runes := []rune(s)
	n := sort.Search(len(runes), func(n int) bool { return l.width(f, string(runes[:n+1])+"…") > room })
	return strings.TrimRight(string(runes[:n]), " ,") + "…"
}

// wrap breaks s into at most limit lines, none wider than room.
func (l *letters) wrap(f face, s string, room float64, limit int) (lines []string) {
	for words := strings.Fields(s); len(words) > 0; {
		n := 1
		for n < len(words) && (len(lines) == limit-1 || l.width(f, strings.Join(words[:n+1], " ")) <= room) {
			n++
		}
		lines = append(lines, l.fit(f, strings.Join(words[:n], " "), room))
		words = words[n:]
	}
	return lines
}
