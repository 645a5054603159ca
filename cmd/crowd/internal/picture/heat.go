package picture

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Heat says how the density of agents is drawn.
type Heat struct {
	// Radius is over which distance agents count: the standard deviation of the
	// bell that each is spread over. 0: a hundredth of the view's longer side, or
	// three times the radius of a body if that is more.
	Radius float64 // m

	// Max is the top of the scale. 0: the greatest density in the first picture,
	// rounded up.
	Max float64 // agents/m²
}

// heating is what a heat map needs to know beside the frame.
type heating struct {
	radius float64 // m, above 0
	top    float64 // agents/m², above 0
	scale  *scale
}

// heatingOf returns how the density of c is drawn in a frame.
func heatingOf(c *Crowd, f viewport, o Options) heating {
	h := heating{radius: length(o.Heat.Radius), top: length(o.Heat.Max), scale: paletteOf(o.Palette).densities(themeOf(o))}
	if h.radius == 0 {
		longer := float64(max(f.bounds.Dx(), f.bounds.Dy())) / f.scale
		body := 0.0
		for i := range c.Agents {
			body = max(body, length(c.Agents[i].Radius))
		}
		h.radius = max(longer/100, min(3*body, longer/10))
	}
	// A bell no wider than that of half a pixel says nothing, and one wider than
	// the frame takes ever longer.
	h.radius = min(max(h.radius, 0.5/f.scale), float64(max(f.bounds.Dx(), f.bounds.Dy()))/f.scale)
	if h.top == 0 {
		h.top = roundAbove(newHeatMap(f, h).measure(c.Agents))
	}
	return h
}

// A heatMap adds up agents in cells of some pixels, and spreads them by three
// passes of a moving mean along each axis, which together come within a few
// hundredths of a bell.
type heatMap struct {
	heating
	f             viewport
	side          int         // pixels of a cell
	pad           int         // cells around the frame, for agents just beyond its edge
	halves        [passes]int // cells to each side of the moving means
	width, height int         // cells
	perCell       float64     // m²
	density       []float64
	spare         []float64
}

const (
	passes = 3       // of the moving mean
	whole  = 1 << 12 // the share of an agent along an axis that all of it is
)

func newHeatMap(f viewport, h heating) *heatMap {
	m := &heatMap{heating: h, f: f}
	spread := h.radius * f.scale // pixels
	m.side = max(int(spread/5), 1)
	m.halves = halvesFor(spread / float64(m.side))
	m.pad = 1
	for _, half := range m.halves {
		m.pad += half
	}
	m.width = (f.bounds.Dx()+m.side-1)/m.side + 2*m.pad
	m.height = (f.bounds.Dy()+m.side-1)/m.side + 2*m.pad
	m.perCell = float64(m.side*m.side) / (f.scale * f.scale)
	m.density = make([]float64, m.width*m.height)
	m.spare = make([]float64, m.width*m.height)
	return m
}

// halvesFor returns the widths of moving means that together have about the given
// standard deviation, in cells. The variance of the mean of 2·half+1 cells
// is half·(half+1)/3.
func halvesFor(cells float64) (halves [passes]int) {
	variance := func(half int) float64 { return float64(half*(half+1)) / 3 }
	want := cells * cells
	for i := range halves {
		share := want / float64(passes-i)
		half := int((math.Sqrt(1+12*share) - 1) / 2)
		if variance(half+1)-share < share-variance(half) {
			half++
		}
		halves[i] = half
		want = max(want-variance(half), 0)
	}
	return halves
}

// measure spreads the agents and returns the greatest density in the frame.
func (m *heatMap) measure(agents []Agent) (most float64) {
	clear(m.density)
	for i := range agents {
		if p := agents[i].Position; usable(p) {
			m.count(m.f.at(p))
		}
	}
	scale := 1 / (whole * whole * m.perCell)
	for i := range m.density {
		m.density[i] *= scale
	}
	for _, half := range m.halves {
		m.smooth(half)
	}
	for y := m.pad; y < m.height-m.pad; y++ {
		for _, d := range m.density[y*m.width+m.pad : (y+1)*m.width-m.pad] {
			most = max(most, d)
		}
	}
	return most
}

// count adds an agent at a place in the image to the four cells around it. The
// sums are whole numbers, so that the order of the agents does not matter.
func (m *heatMap) count(p r2.Vec) {
	x := (p.X-float64(m.f.bounds.Min.X))/float64(m.side) + float64(m.pad) - 0.5
	y := (p.Y-float64(m.f.bounds.Min.Y))/float64(m.side) + float64(m.pad) - 0.5
	if !(x >= 0 && x < float64(m.width-1) && y >= 0 && y < float64(m.height-1)) {
		return
	}
	i, j := int(x), int(y)
	right, down := math.Round((x-float64(i))*whole), math.Round((y-float64(j))*whole)
	at := m.density[j*m.width+i:]
	at[0] += (whole - right) * (whole - down)
	at[1] += right * (whole - down)
	at[m.width] += (whole - right) * down
	at[m.width+1] += right * down
}

// smooth takes a moving mean along the rows and along the columns.
func (m *heatMap) smooth(half int) {
	w, h := m.width, m.height
	inParallel(h, func(y int) { movingMean(m.spare[y*w:(y+1)*w], m.density[y*w:(y+1)*w], half) })
	transpose(m.density, m.spare, w, h)
	inParallel(w, func(x int) { movingMean(m.spare[x*h:(x+1)*h], m.density[x*h:(x+1)*h], half) })
	transpose(m.density, m.spare, h, w)
}

// movingMean sets to to the mean of the 2·half+1 numbers around each of from,
// which is zero beyond its ends.
func movingMean(to, from []float64, half int) {
	sum, n := 0.0, float64(2*half+1)
	for i := range min(half, len(from)) {
		sum += from[i]
	}
	for i := range to {
		if in := i + half; in < len(from) {
			sum += from[in]
		}
		to[i] = max(sum, 0) / n
		if out := i - half; out >= 0 {
			sum -= from[out]
		}
	}
}

// transpose makes the rows of from, each of width numbers, the columns of to.
func transpose(to, from []float64, width, height int) {
	for y := range height {
		for x, v := range from[y*width : (y+1)*width] {
			to[x*height+y] = v
		}
	}
}

// draw draws the density of agents over the frame.
func (m *heatMap) draw(img *image.RGBA, agents []Agent) {
	m.measure(agents)
	all := bandsOf(m.f.bounds)
	inParallel(len(all), func(i int) {
		for y := all[i].Min.Y; y < all[i].Max.Y; y++ {
			for x := all[i].Min.X; x < all[i].Max.X; x++ {
				img.SetRGBA(x, y, m.color(x, y))
			}
		}
	})
}

// color returns the color of a pixel: that of the mean of the four cells
// around it.
func (m *heatMap) color(x, y int) color.RGBA {
	u := (float64(x-m.f.bounds.Min.X)+0.5)/float64(m.side) + float64(m.pad) - 0.5
	v := (float64(y-m.f.bounds.Min.Y)+0.5)/float64(m.side) + float64(m.pad) - 0.5
	i, j := int(u), int(v)
	u, v = u-float64(i), v-float64(j)
	at := m.density[j*m.width+i:]
	d := (at[0]*(1-u)+at[1]*u)*(1-v) + (at[m.width]*(1-u)+at[m.width+1]*u)*v
	return m.scale[levelOf(d, m.top)]
}
