package picture

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Heat defines how the density of agents is drawn.
type Heat struct {
	// Radius is the standard deviation in meters of the bell curve of each agent. 0 means a hundredth of the longer
	// side of the frame or, if greater, three times the largest radius of an agent, up to a tenth of the side.
	Radius float64

	// Max is the top of the scale in agents/m². 0 means the greatest density of the first picture, rounded up.
	Max float64
}

// heating holds the resolved options of a heat map.
type heating struct {
	radius float64 // m, greater than 0
	top    float64 // agents/m², greater than 0
	scale  *scale
}

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
	// A bell narrower than half a pixel is invisible, and one wider than the frame is slow.
	h.radius = min(max(h.radius, 0.5/f.scale), float64(max(f.bounds.Dx(), f.bounds.Dy()))/f.scale)
	if h.top == 0 {
		h.top = roundAbove(newHeatMap(f, h).measure(c.Agents))
	}
	return h
}

// A heatMap counts agents in square cells, and spreads the counts by a bell curve along each axis.
type heatMap struct {
	heating
	f             viewport
	side          int       // pixels, side of a cell
	pad           int       // cells around the frame, for agents just outside it
	width, height int       // cells
	bell          []float64 // share of each cell, by its distance, up to pad-1
	perCell       float64   // m²
	density       []float64
	spare         []float64
}

// whole is the weight of a whole agent along an axis.
const whole = 1 << 12

func newHeatMap(f viewport, h heating) *heatMap {
	m := &heatMap{heating: h, f: f}
	spread := h.radius * f.scale // pixels
	m.side = max(int(spread/3), 1)
	spread /= float64(m.side)
	sum := 0.0
	for i := range int(math.Ceil(3*spread)) + 1 {
		share := math.Exp(-float64(i*i) / (2 * spread * spread))
		m.bell = append(m.bell, share)
		if sum += share; i > 0 {
			sum += share
		}
	}
	for i := range m.bell {
		m.bell[i] /= sum
	}
	m.pad = len(m.bell)
	m.width = (f.bounds.Dx()+m.side-1)/m.side + 2*m.pad
	m.height = (f.bounds.Dy()+m.side-1)/m.side + 2*m.pad
	m.perCell = float64(m.side*m.side) / (f.scale * f.scale)
	m.density = make([]float64, m.width*m.height)
	m.spare = make([]float64, m.width*m.height)
	return m
}

// measure counts and smooths the agents, and returns the greatest density in the frame in agents/m².
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
	m.smooth()
	for y := m.pad; y < m.height-m.pad; y++ {
		for _, d := range m.density[y*m.width+m.pad : (y+1)*m.width-m.pad] {
			most = max(most, d)
		}
	}
	return most
}

// count adds an agent at p in the image to the four cells around it. The sums are integers, so the
// order of the agents does not matter.
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

// smooth spreads the counts along the rows, then along the columns.
func (m *heatMap) smooth() {
	inParallel(m.height, func(y int) {
		from, to := m.density[y*m.width:][:m.width], m.spare[y*m.width:][:m.width]
		clear(to)
		for x, v := range from {
			for k := max(x-m.pad+1, 0); v > 0 && k < min(x+m.pad, m.width); k++ {
				to[k] += float64(m.bell[max(k-x, x-k)] * v)
			}
		}
	})
	inParallel(m.height, func(y int) {
		to := m.density[y*m.width:][:m.width]
		clear(to)
		for k := max(y-m.pad+1, 0); k < min(y+m.pad, m.height); k++ {
			share := m.bell[max(k-y, y-k)]
			for x, v := range m.spare[k*m.width:][:m.width] {
				to[x] += float64(share * v)
			}
		}
	})
}

func (m *heatMap) draw(img *image.RGBA, agents []Agent) {
	m.measure(agents)
	eachPixel(m.f.bounds, func(x, y int) { img.SetRGBA(x, y, m.color(x, y)) })
}

// color returns the color of a pixel, by bilinear interpolation.
func (m *heatMap) color(x, y int) color.RGBA {
	u := (float64(x-m.f.bounds.Min.X)+0.5)/float64(m.side) + float64(m.pad) - 0.5
	v := (float64(y-m.f.bounds.Min.Y)+0.5)/float64(m.side) + float64(m.pad) - 0.5
	i, j := int(u), int(v)
	u, v = u-float64(i), v-float64(j)
	at := m.density[j*m.width+i:]
	d := (at[0]*(1-u)+at[1]*u)*(1-v) + (at[m.width]*(1-u)+at[m.width+1]*u)*v
	return m.scale[levelOf(d, m.top)]
}
