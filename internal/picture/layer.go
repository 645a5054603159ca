package picture

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// maxSpot is the largest radius of a spot, in pixels.
const maxSpot = 6

// Scanlines to a row of pixels, and the cover of a pixel that is fully covered.
const (
	scanlines = 8
	fullCover = 4096
)

// A layer collects very many small shapes before any is painted. It adds up
// how much of every pixel they cover, so that shapes side by side leave no seam
// and shapes on one another read as density, and at which mean level. The sums
// are whole numbers: the order of the shapes does not matter.
type layer struct {
	bounds image.Rectangle
	cells  []cell
}

// cell is the sum over one pixel.
type cell struct {
	cover  uint32 // in 1/fullCover of the pixel
	levels uint32 // the sum of cover times level
}

// crowded is the cover that a cell stops at: levels must not overflow.
const crowded = math.MaxUint32/topLevel - 2*fullCover

func newLayer(bounds image.Rectangle) *layer {
	return &layer{bounds, make([]cell, bounds.Dx()*bounds.Dy())}
}

// spot adds a disc around p of radius r, at most maxSpot. The cover is exact
// along a scanline.
func (l *layer) spot(p r2.Vec, r, opacity float64, level uint32) {
	x, y := p.X-float64(l.bounds.Min.X), p.Y-float64(l.bounds.Min.Y)
	width, height := l.bounds.Dx(), l.bounds.Dy()
	if !(x+r > 0 && x-r < float64(width) && y+r > 0 && y-r < float64(height)) {
		return
	}
	left := int(math.Floor(x - r))
	right := int(math.Ceil(x + r))
	top := max(int(math.Floor(y-r)), 0)
	bottom := min(int(math.Ceil(y+r)), height)

	x -= float64(left)
	unit := opacity * fullCover / scanlines
	for row := top; row < bottom; row++ {
		var cover [2*maxSpot + 3]float64
		dy := float64(row) + 0.5/scanlines - y
		for range scanlines {
			if h2 := r*r - dy*dy; h2 > 0 {
				h := math.Sqrt(h2)
				addSpan(&cover, x-h, x+h)
			}
			dy += 1.0 / scanlines
		}
		cells := l.cells[row*width : (row+1)*width]
		for i := max(left, 0); i < min(right, width); i++ {
			cells[i].add(uint32(cover[i-left]*unit+0.5), level)
		}
	}
}

// addSpan adds to each pixel of a row how much of it lies from a to b.
func addSpan(row *[2*maxSpot + 3]float64, a, b float64) {
	i, j := int(a), int(b)
	if i == j {
		row[i] += b - a
		return
	}
	row[i] += float64(i+1) - a
	for k := i + 1; k < j; k++ {
		row[k]++
	}
	row[j] += b - float64(j)
}

// box adds the rectangle from a to b.
func (l *layer) box(a, b r2.Vec, opacity float64) {
	off := r2.Vec{X: float64(l.bounds.Min.X), Y: float64(l.bounds.Min.Y)}
	width, height := float64(l.bounds.Dx()), float64(l.bounds.Dy())
	a, b = r2.Sub(a, off), r2.Sub(b, off)
	a = r2.Vec{X: min(max(a.X, 0), width), Y: min(max(a.Y, 0), height)}
	b = r2.Vec{X: min(max(b.X, 0), width), Y: min(max(b.Y, 0), height)}
	for y := int(a.Y); float64(y) < b.Y; y++ {
		dy := min(b.Y, float64(y+1)) - max(a.Y, float64(y))
		for x := int(a.X); float64(x) < b.X; x++ {
			dx := min(b.X, float64(x+1)) - max(a.X, float64(x))
			l.cells[y*l.bounds.Dx()+x].add(uint32(dx*dy*opacity*fullCover+0.5), 0)
		}
	}
}

// ring adds a circle of radius r around p, drawn with a line of some thickness.
func (l *layer) ring(p r2.Vec, r, line, opacity float64) {
	box := pixelsAround(p, r+line).Intersect(l.bounds)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			d := r2.Vec{X: float64(x) + 0.5 - p.X, Y: float64(y) + 0.5 - p.Y}
			t := min(max(0.5+line/2-math.Abs(math.Sqrt(r2.Norm2(d))-r), 0), 1)
			i := (y-l.bounds.Min.Y)*l.bounds.Dx() + x - l.bounds.Min.X
			l.cells[i].add(uint32(t*opacity*fullCover+0.5), 0)
		}
	}
}

func (c *cell) add(cover, level uint32) {
	if c.cover < crowded {
		c.cover += cover
		c.levels += cover * level
	}
}

// paint lays the layer over an image, each pixel in the colour of its mean
// level.
func (l *layer) paint(img *image.RGBA, colours *[topLevel + 1]color.RGBA) {
	width := l.bounds.Dx()
	for i, c := range l.cells {
		if c.cover > 0 {
			t := float64(c.cover) / fullCover
			mean := (c.levels + c.cover/2) / c.cover
			blend(img, l.bounds.Min.X+i%width, l.bounds.Min.Y+i/width, colours[mean], t)
		}
	}
}
