package picture

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

const (
	maxSpot   = 6    // maximum radius of a spot, in pixels
	fullCover = 4096 // cover of a pixel that is covered completely

	// crowded is the weight at which a cell stops counting, so that sums do not overflow.
	crowded = math.MaxUint32/topLevel - 2*fullCover
)

// scanlinesOf returns the number of scanlines per row of pixels for a spot of radius r. It keeps the
// error of the spot's area within a few percent.
func scanlinesOf(r float64) int {
	if r < 0.9 {
		return 8
	}
	return 4
}

// A layer collects many small shapes before they are painted. It holds the cover and the mean value of each
// pixel. The cover of translucent shapes adds up, so it shows density. Of opaque shapes, the greatest cover
// counts, so their edges stay smooth. Sums are integers, so the order of the shapes does not matter. A
// layer may be one of several bands of a picture; the pixels do not depend on the bands.
type layer struct {
	bounds image.Rectangle
	cells  []cell
}

type cell struct {
	cover  uint32    // by translucent shapes, in 1/fullCover of the pixel
	peak   uint32    // greatest cover by one opaque shape
	weight uint32    // sum of all cover
	sums   [3]uint32 // sum of all cover times each channel of the value
}

func newLayer(bounds image.Rectangle) *layer {
	return &layer{bounds, make([]cell, bounds.Dx()*bounds.Dy())}
}

func (l *layer) row(y int) []cell {
	width := l.bounds.Dx()
	return l.cells[(y-l.bounds.Min.Y)*width:][:width]
}

// spot adds a disc around p with a radius r of at most maxSpot. The cover is exact along each scanline.
func (l *layer) spot(p r2.Vec, r, opacity float64, v value) {
	if !(viewport{bounds: l.bounds}).shows(p, r) {
		return
	}
	left := int(math.Floor(p.X - r))
	right := int(math.Ceil(p.X + r))
	top := max(int(math.Floor(p.Y-r)), l.bounds.Min.Y)
	bottom := min(int(math.Ceil(p.Y+r)), l.bounds.Max.Y)
	first, end := max(left, l.bounds.Min.X), min(right, l.bounds.Max.X)

	x := p.X - float64(left)
	scanlines := scanlinesOf(r)
	step := 1 / float64(scanlines)
	unit := opacity * fullCover * step
	add := (*cell).add
	if opacity == 1 {
		add = (*cell).cap
	}
	for y := top; y < bottom; y++ {
		var cover [2*maxSpot + 3]float64
		dy := float64(y) + 0.5*step - p.Y
		for range scanlines {
			if h2 := r*r - dy*dy; h2 > 0 {
				h := math.Sqrt(h2)
				addSpan(&cover, x-h, x+h)
			}
			dy += step
		}
		cells := l.row(y)
		for i := first; i < end; i++ {
			add(&cells[i-l.bounds.Min.X], uint32(cover[i-left]*unit+0.5), v)
		}
	}
}

// addSpan adds the part of each pixel of a row that lies from a to b.
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

// leg adds a straight line from a to b with flat ends and returns the rectangle in which it has drawn. The
// width and opacity are interpolated from a to b. Consecutive legs join without a seam.
func (l *layer) leg(a, b r2.Vec, widths, opacities [2]float64, v value) image.Rectangle {
	along := r2.Sub(b, a)
	length := r2.Norm(along)
	if length == 0 {
		return image.Rectangle{}
	}
	along = r2.Scale(1/length, along)
	reach := max(widths[0], widths[1])/2 + 1
	box := pixelsOf(grow(union(r2.Box{Min: a, Max: a}, r2.Box{Min: b, Max: b}), reach)).Intersect(l.bounds)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		row := l.row(y)
		for x := box.Min.X; x < box.Max.X; x++ {
			d := r2.Vec{X: float64(x) + 0.5 - a.X, Y: float64(y) + 0.5 - a.Y}
			at, off := r2.Dot(d, along), math.Abs(r2.Cross(d, along))
			t := min(max(at/length, 0), 1)
			half := (widths[0] + (widths[1]-widths[0])*t) / 2
			cover := unit(at+0.5) - unit(at-length+0.5)
			cover *= unit(half-off+0.5) - unit(-half-off+0.5)
			cover *= opacities[0] + (opacities[1]-opacities[0])*t
			row[x-l.bounds.Min.X].add(uint32(cover*fullCover+0.5), v)
		}
	}
	return box
}

// unit clamps x to the range from 0 to 1.
func unit(x float64) float64 { return min(max(x, 0), 1) }

// add adds the cover of a translucent shape.
func (c *cell) add(cover uint32, v value) {
	if c.weight < crowded {
		c.cover += cover
		c.weigh(cover, v)
	}
}

// cap adds the cover of an opaque shape.
func (c *cell) cap(cover uint32, v value) {
	c.peak = max(c.peak, min(cover, fullCover))
	if c.weight < crowded {
		c.weigh(cover, v)
	}
}

func (c *cell) weigh(cover uint32, v value) {
	c.weight += cover
	c.sums[0] += cover * uint32(v[0])
	c.sums[1] += cover * uint32(v[1])
	c.sums[2] += cover * uint32(v[2])
}

// share returns the part of the pixel that is covered, from 0 to 1.
func (c *cell) share() float64 {
	sheer, opaque := min(float64(c.cover)/fullCover, 1), float64(c.peak)/fullCover
	return 1 - (1-sheer)*(1-opaque)
}

// mean returns the mean value of a cell. The cell must have some cover.
func (c *cell) mean() value {
	part := func(sum uint32) uint8 { return uint8((sum + c.weight/2) / c.weight) }
	return value{part(c.sums[0]), part(c.sums[1]), part(c.sums[2])}
}

// paint draws the layer over an image, each pixel in the color of its mean value, and clears the layer.
func (l *layer) paint(img *image.RGBA, color func(value) color.RGBA) {
	for y := l.bounds.Min.Y; y < l.bounds.Max.Y; y++ {
		row := l.row(y)
		for i := range row {
			if c := &row[i]; c.weight > 0 {
				blend(img, l.bounds.Min.X+i, y, color(c.mean()), c.share())
				*c = cell{}
			}
		}
	}
}

// plain returns the color of a value that holds a color.
func plain(v value) color.RGBA { return color.RGBA{v[0], v[1], v[2], 0xff} }
