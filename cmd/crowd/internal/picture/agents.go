package picture

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// spotting is the style of small agents: spots of a minimum radius. They are translucent, so density shows,
// if they would cover too much of the frame.
type spotting struct {
	least    float64 // pixels, minimum radius of a spot
	sheer    float64 // minimum opacity of an enlarged spot
	enlarged bool    // the mean radius of agents in the frame is well below least
}

func spottingFor(f viewport, agents []Agent) spotting {
	inView, sum := 0, 0.0
	for i := range agents {
		a := &agents[i]
		if r := length(a.Radius) * f.scale; usable(a.Position) && f.shows(f.at(a.Position), r) {
			inView++
			sum += min(r, maxSpot)
		}
	}
	area := float64(f.bounds.Dx() * f.bounds.Dy())
	n := float64(max(inView, 1))
	s := spotting{least: min(max(0.18*math.Sqrt(area/n), 0.9), 4)}
	// The total area of the spots, times this opacity, is at most three fifths of the frame's.
	s.sheer = min(0.6*area/(n*math.Pi*s.least*s.least), 1)
	s.enlarged = inView > 0 && sum/n < 0.8*s.least
	return s
}

type dab struct {
	at    r2.Vec  // pixels
	r     float64 // pixels, radius of the body
	agent int32   // index
	value value
}

func drawSpots(l *layer, dabs []dab, s spotting) {
	for i := range dabs {
		d := &dabs[i]
		if d.r > leastPuck {
			continue
		}
		l.spot(d.at, max(d.r, s.least), s.opacity(d.r), d.value)
	}
}

func (s spotting) opacity(r float64) float64 {
	if r >= s.least {
		return 1
	}
	return max(s.sheer, r*r/(s.least*s.least))
}

func (s spotting) seen(agents []Agent, f viewport) (rows []int) {
	for i := range agents {
		if a := &agents[i]; usable(a.Position) && f.shows(f.at(a.Position), s.reach(a, f)) {
			rows = append(rows, i)
		}
	}
	return rows
}

func drawPucks(img *image.RGBA, band image.Rectangle, dabs []dab, agents []Agent, c *coloring) {
	for i := range dabs {
		if d := &dabs[i]; d.r > leastPuck {
			drawPuck(img, band, d.at, d.r, agents[d.agent].Heading, c.color(d.value), c.theme.outline)
		}
	}
}

// reach returns the distance in pixels within which an agent covers the image.
func (s spotting) reach(a *Agent, f viewport) float64 {
	r := length(a.Radius) * f.scale
	if r > leastPuck {
		return noseReach*r + 1
	}
	return max(r, s.least)
}

const (
	leastPuck = 3.5  // pixels; agents with larger radii have an outline and a nose
	noseReach = 1.38 // radii, from the center of a puck to the tip of its nose
)

func puckLine(r float64) float64 { return min(max(0.09*r, 1), 3) }

func drawPuck(img *image.RGBA, bounds image.Rectangle, p r2.Vec, r float64, heading r2.Vec, fill, outline color.RGBA) {
	line := puckLine(r)
	edge := mix(fill, outline, 0.55)
	ahead, reach := r2.Vec{}, r
	if n := math.Hypot(heading.X, heading.Y); n > 0 && !math.IsInf(n, 1) {
		ahead, reach = r2.Vec{X: heading.X / n, Y: -heading.Y / n}, noseReach*r
	}
	cos := 1 / noseReach // where the sides of the nose touch the disc
	sin := math.Sqrt(1 - cos*cos)
	box := pixelsOf(grow(r2.Box{Min: p, Max: p}, reach+1)).Intersect(bounds)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			d := r2.Vec{X: float64(x) + 0.5 - p.X, Y: float64(y) + 0.5 - p.Y}
			dist := math.Sqrt(r2.Norm2(d))
			out := dist - r // distance from the edge of the disc or, ahead, of the nose
			if along := r2.Dot(d, ahead); along > cos*dist {
				out = cos*along + sin*math.Abs(r2.Cross(d, ahead)) - r
			}
			blend(img, x, y, edge, 0.5-out)
			blend(img, x, y, fill, 0.5-(dist-(r-line)))
		}
	}
}

const (
	maxSpot   = 6    // pixels, maximum radius of a spot
	fullCover = 4096 // coverage of a whole pixel

	// crowded is the weight at which a cell ignores further shapes, so sums do not overflow.
	crowded = math.MaxUint32/topLevel - 2*fullCover
)

// scanlinesOf returns the number of scanlines per row of pixels that keeps the error of a spot's area within
// a few percent.
func scanlinesOf(r float64) int {
	if r < 0.9 {
		return 8
	}
	return 4
}

// A layer collects the coverage and the mean value of each pixel from many small shapes. The coverage by
// translucent shapes adds up, so it shows density. For opaque shapes, only the greatest coverage counts, so
// edges stay smooth. Sums are integers, so the order of the shapes does not matter.
type layer struct {
	bounds image.Rectangle
	cells  []cell
}

type cell struct {
	cover  uint32    // coverage by translucent shapes, in 1/fullCover of the pixel
	peak   uint32    // greatest coverage by one opaque shape
	weight uint32    // sum of all coverage
	sums   [3]uint32 // sum of all coverage times each channel of the value
}

func newLayer(bounds image.Rectangle) *layer {
	return &layer{bounds, make([]cell, bounds.Dx()*bounds.Dy())}
}

func (l *layer) row(y int) []cell {
	width := l.bounds.Dx()
	return l.cells[(y-l.bounds.Min.Y)*width:][:width]
}

// spot adds a disc with a radius of at most maxSpot. The coverage is exact along each scanline.
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

// leg adds a straight line with flat ends and returns the rectangle that it drew in. Consecutive legs join
// without a seam.
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

func unit(x float64) float64 { return min(max(x, 0), 1) }

func (c *cell) add(cover uint32, v value) {
	if c.weight < crowded {
		c.cover += cover
		c.weigh(cover, v)
	}
}

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

func (c *cell) share() float64 {
	sheer, opaque := min(float64(c.cover)/fullCover, 1), float64(c.peak)/fullCover
	return 1 - (1-sheer)*(1-opaque)
}

// mean requires a positive weight.
func (c *cell) mean() value {
	part := func(sum uint32) uint8 { return uint8((sum + c.weight/2) / c.weight) }
	return value{part(c.sums[0]), part(c.sums[1]), part(c.sums[2])}
}

// paint draws the layer and clears it.
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

func plain(v value) color.RGBA { return color.RGBA{v[0], v[1], v[2], 0xff} }
