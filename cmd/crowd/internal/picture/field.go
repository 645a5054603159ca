package picture

import (
	"image"
	"image/color"
	"maps"
	"math"
	"slices"

	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Heat defines how the density of agents is drawn.
type Heat struct {
	// Radius is the standard deviation in meters of the bell curve of each agent. 0 means three times the
	// largest radius of an agent, but between a hundredth and a tenth of the frame's longer side.
	Radius float64

	// Max is the top of the scale in agents/m². 0 means the greatest density of the first picture, rounded
	// up.
	Max float64
}

type heating struct {
	radius float64 // m
	top    float64 // agents/m²
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
	// A bell narrower than half a pixel is invisible, and one wider than the frame is slow to draw.
	h.radius = min(max(h.radius, 0.5/f.scale), float64(max(f.bounds.Dx(), f.bounds.Dy()))/f.scale)
	if h.top == 0 {
		h.top = roundAbove(newHeatMap(f, h).measure(c.Agents))
	}
	return h
}

// A heatMap counts agents in square cells, and spreads the counts with bell curves.
type heatMap struct {
	heating
	f             viewport
	side          int       // pixels, of a cell
	pad           int       // cells around the frame, for agents just outside it
	width, height int       // cells
	bell          []float64 // share of a count, by distance in cells
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

// count adds an agent at the pixel position p to the four nearest cells. Sums are integers, so the order of
// the agents does not matter.
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

func (m *heatMap) color(x, y int) color.RGBA {
	u := (float64(x-m.f.bounds.Min.X)+0.5)/float64(m.side) + float64(m.pad) - 0.5
	v := (float64(y-m.f.bounds.Min.Y)+0.5)/float64(m.side) + float64(m.pad) - 0.5
	i, j := int(u), int(v)
	u, v = u-float64(i), v-float64(j)
	at := m.density[j*m.width+i:]
	d := (at[0]*(1-u)+at[1]*u)*(1-v) + (at[m.width]*(1-u)+at[m.width+1]*u)*v
	return m.scale[levelOf(d, m.top)]
}

// Field holds the distance from each cell of a grid to the goals, row by row from the lower left; see
// sense.FieldGrid. It must not change: a Painter recognizes a new field by its pointer.
type Field sense.FieldGrid

func (g *Field) usable() bool {
	return g != nil && usable(g.Min) && g.Cell > 0 && g.Cell <= farthest && g.Columns > 0 && g.Rows > 0 && len(g.Distances) == g.Columns*g.Rows
}

// way returns the distance from the center of a cell to the goals, or +Inf if there is no path or no such
// cell.
func (g *Field) way(column, row int) float64 {
	if column < 0 || row < 0 || column >= g.Columns || row >= g.Rows {
		return math.Inf(1)
	}
	return float64(g.Distances[row*g.Columns+column])
}

func (g *Field) middle(column, row int) r2.Vec {
	return r2.Vec{X: g.Min.X + (float64(column)+0.5)*g.Cell, Y: g.Min.Y + (float64(row)+0.5)*g.Cell}
}

// at interpolates the distance from a point to the goals bilinearly, ignoring cells without a path. It
// returns +Inf if the point's cell has no path or is outside the grid.
func (g *Field) at(p r2.Vec) float64 {
	x, y := (p.X-g.Min.X)/g.Cell, (p.Y-g.Min.Y)/g.Cell
	if !(x >= 0 && y >= 0 && x < float64(g.Columns) && y < float64(g.Rows)) || math.IsInf(g.way(int(x), int(y)), 1) {
		return math.Inf(1)
	}
	x, y = x-0.5, y-0.5
	column, row := int(math.Floor(x)), int(math.Floor(y))
	x, y = x-float64(column), y-float64(row)
	sum, weight := 0.0, 0.0
	for i, share := range [4]float64{(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y} {
		if way := g.way(column+i%2, row+i/2); way <= math.MaxFloat64 {
			sum += share * way
			weight += share
		}
	}
	return sum / weight
}

// top returns the greatest finite distance in the frame, or 0.
func (g *Field) top(f viewport) (top float64) {
	for i, way := range g.Distances {
		if way := float64(way); way > top && way <= math.MaxFloat64 && f.shows(f.at(g.middle(i%g.Columns, i/g.Columns)), 0) {
			top = way
		}
	}
	return top
}

type shading struct {
	top   float64 // m, top of the scale
	every float64 // m, distance between contours
	scale *scale
	line  float64 // pixels
}

func shadingOf(g *Field, f viewport, em float64, t *theme) *shading {
	top := roundAbove(g.top(f))
	return &shading{top: top, every: RoundBelow(top / 12), scale: ways(t), line: max(em/20, 1)}
}

// ways returns a muted scale of distances, so agents stand out. Its colors differ from that of the floor,
// which means "no path".
func ways(t *theme) *scale {
	steps := []uint32{0xfff3b8, 0xd3ebb5, 0xb3dccb, 0xaacbe0, 0xb9b9e6}
	if t == &dark {
		steps = []uint32{0x5a4a10, 0x35501f, 0x1b4a44, 0x1f3a5c, 0x33285c}
	}
	return scaleOf(func(level float64) color.RGBA { return palette{steps: steps}.at(level / topLevel) })
}

func (s *shading) contour(way float64, t *theme) color.RGBA {
	return mix(s.scale[levelOf(way, s.top)], t.ink, 0.38)
}

func (s *shading) draw(to pen, f viewport, g *Field, t *theme) {
	img := image.NewRGBA(f.bounds)
	eachPixel(f.bounds, func(x, y int) {
		c := t.floor
		if way := g.at(f.from(r2.Vec{X: float64(x) + 0.5, Y: float64(y) + 0.5})); way <= math.MaxFloat64 {
			c = s.scale[levelOf(way, s.top)]
		}
		img.SetRGBA(x, y, c)
	})
	to.image(img)
	pieces := map[float64][][]r2.Vec{}
	s.contours(f, g, func(a, b r2.Vec, way float64) { pieces[way] = append(pieces[way], []r2.Vec{a, b}) })
	for _, way := range slices.Sorted(maps.Keys(pieces)) {
		to.stroke(line{color: s.contour(way, t), width: s.line, opacity: 1}, pieces[way]...)
	}
}

// contours calls the function draw for each visible piece of a contour. It applies marching squares to the
// centers of cells, and skips some centers if cells are small.
func (s *shading) contours(f viewport, g *Field, draw func(a, b r2.Vec, way float64)) {
	const least = 3 // pixels
	stride := max(int(math.Ceil(least/(g.Cell*f.scale))), 1)
	middle := func(column, row int) r2.Vec { return f.at(g.middle(column, row)) }
	for row := 0; row+stride < g.Rows; row += stride {
		for column := 0; column+stride < g.Columns; column += stride {
			at := [4]r2.Vec{middle(column, row), middle(column+stride, row), middle(column+stride, row+stride), middle(column, row+stride)}
			if !f.shows(at[0], g.Cell*f.scale*float64(stride)) {
				continue
			}
			ways := [4]float64{g.way(column, row), g.way(column+stride, row), g.way(column+stride, row+stride), g.way(column, row+stride)}
			low, high := min(ways[0], ways[1], ways[2], ways[3]), max(ways[0], ways[1], ways[2], ways[3])
			// A greater difference is not a slope: a wall thinner than the stride separates the cells.
			if !(high-low <= 2*math.Sqrt2*g.Cell*float64(stride)) {
				continue
			}
			for k := math.Floor(low/s.every) + 1; k*s.every <= min(high, s.top); k++ {
				cross(at, ways, k*s.every, draw)
			}
		}
	}
}

// cross calls the function draw for each piece of a contour in one square, given the square's corners and
// their distances.
func cross(at [4]r2.Vec, ways [4]float64, way float64, draw func(a, b r2.Vec, way float64)) {
	var in r2.Vec
	open := false
	for i := range 4 {
		a, b := ways[i], ways[(i+1)%4]
		if (a < way) == (b < way) {
			continue
		}
		p := r2.Add(at[i], r2.Scale((way-a)/(b-a), r2.Sub(at[(i+1)%4], at[i])))
		if open {
			draw(in, p, way)
		}
		in, open = p, !open
	}
}
