package picture

import (
	"image"
	"image/color"
	"image/draw"
	"runtime"
	"slices"
	"sync"

	"gonum.org/v1/gonum/spatial/r2"
)

// A Painter draws the frames of an animation. View, scales and sizes are those
// of the first frame. It is for one goroutine at a time, and draws with as many
// as there are processors.
type Painter struct {
	o         Options
	sheet     sheet
	colors    *coloring
	spots     spotting
	obstacles []Obstacle // which masks and ground show
	doors     []Door     // which ground shows, if agents are drawn
	goals     []Goal     // which ground shows
	portals   []Portal   // the same
	zones     []Zone     // the same
	paths     []Path     // the same
	field     *Field     // the same
	masks     *masks
	ground    *image.RGBA // all that is below what moves
	heat      *heatMap    // nil: agents are drawn
	cells     []cell
	dabs      [][][]dab // the agents in each band, by the part of the list they are in
}

// NewPainter returns a painter of frames like c.
func NewPainter(c *Crowd, o Options) *Painter {
	p := &Painter{o: o, sheet: compose(c, o)}
	f := p.sheet.frame
	p.colors = p.sheet.colors
	p.spots = spottingFor(f, c.Agents, o.MinRadius)
	if o.Heat != nil {
		p.heat = newHeatMap(f, p.sheet.heat)
	} else {
		p.cells = make([]cell, f.bounds.Dx()*f.bounds.Dy())
	}
	p.build(c)
	return p
}

// build draws the ground.
func (p *Painter) build(c *Crowd) {
	f, t := p.sheet.frame, p.colors.theme
	p.obstacles, p.paths, p.field = slices.Clone(c.Obstacles), slices.Clone(c.Paths), c.Field
	p.doors, p.goals, p.portals = slices.Clone(c.Doors), slices.Clone(c.Goals), slices.Clone(c.Portals)
	p.zones = slices.Clone(c.Zones)
	p.masks = masksOf(f, c.Obstacles)
	p.ground = image.NewRGBA(image.Rectangle{Max: p.sheet.size})
	draw.Draw(p.ground, p.ground.Rect, image.NewUniform(t.paper), image.Point{}, draw.Src)
	draw.Draw(p.ground, f.bounds, image.NewUniform(t.floor), image.Point{}, draw.Src)
	if p.sheet.field != nil && c.Field.usable() {
		p.sheet.field.draw(p.ground, f, c.Field, t)
	}
	if p.sheet.targets {
		drawGoals(p.ground, f, p.sheet.em, c.Goals, p.colors)
	}
	if p.heat == nil {
		drawZones(p.ground, f, p.sheet.em, c.Zones, t)
		drawPortals(p.ground, f, p.sheet.em, c.Portals, t)
		p.masks.draw(p.ground, f, t)
		drawDoors(p.ground, f, p.sheet.em, c.Doors, t)
	}
	if p.sheet.paths {
		drawPaths(p.ground, f, p.sheet.em, c.Paths, t)
	}
	if p.sheet.legend != nil {
		drawBorder(p.ground, f.bounds, t.border)
	}
}

// Size returns the size of all frames.
func (p *Painter) Size() image.Point { return p.sheet.size }

// TopDensity returns a top for the scale of density that suits c: the greatest
// density that there is, rounded up. The painter must be one of heat maps.
func (p *Painter) TopDensity(c *Crowd) float64 { return roundAbove(p.heat.measure(c.Agents)) }

// Draw returns the picture of c, which is the caller's to keep.
func (p *Painter) Draw(c *Crowd) *image.RGBA {
	if !slices.EqualFunc(c.Obstacles, p.obstacles, sameObstacle) || !slices.EqualFunc(c.Paths, p.paths, samePath) || c.Field != p.field ||
		!slices.Equal(c.Doors, p.doors) || !slices.Equal(c.Goals, p.goals) || !slices.Equal(c.Portals, p.portals) ||
		!slices.Equal(c.Zones, p.zones) {
		p.build(c)
	}
	f, t := p.sheet.frame, p.colors.theme
	img := image.NewRGBA(p.ground.Rect)
	copy(img.Pix, p.ground.Pix)
	if p.heat != nil {
		p.heat.draw(img, c.Agents)
		p.masks.draw(img, f, t)
		drawDoors(img, f, p.sheet.em, c.Doors, t)
	} else {
		drawWays(img, f, p.sheet.em, c.Ways, t)
		drawTrails(img, f, c.Trails, t)
		if p.sheet.targets {
			drawTargets(img, f, p.sheet.em, c, t)
		}
		p.drawCrowd(img, c)
	}
	if p.sheet.legend != nil {
		p.sheet.legend.draw(&brush{img, p.sheet.legend.letters, t}, p.sheet.size.Y, c, p.spots.enlarged)
	}
	return img
}

// drawCrowd draws wakes and agents, each processor a part of the bands.
func (p *Painter) drawCrowd(img *image.RGBA, c *Crowd) {
	f := p.sheet.frame
	strokes := strokesOf(f, c.Wakes, p.colors, p.spots)
	all := bandsOf(f.bounds)
	p.sort(c.Agents, len(all))
	inParallel(len(all), func(i int) {
		band := all[i]
		from := (band.Min.Y - f.bounds.Min.Y) * band.Dx()
		l := &layer{band, p.cells[from : from+band.Dx()*band.Dy()]}
		if len(strokes) > 0 {
			clear(l.cells)
			drawStrokes(l, newLayer(band), strokes)
			l.paint(img, p.colors.color)
		}
		clear(l.cells)
		for part := range p.dabs {
			drawSpots(l, p.dabs[part][i], p.spots)
		}
		l.paint(img, p.colors.color)
		for part := range p.dabs {
			drawPucks(img, band, p.dabs[part][i], c.Agents, p.colors)
		}
	})
}

// partSize is how many agents one goroutine sorts at a time.
const partSize = 1 << 15

// sort works out for each band what to draw in it, in the order of the
// agents.
func (p *Painter) sort(agents []Agent, bands int) {
	parts := (len(agents) + partSize - 1) / partSize
	for len(p.dabs) < parts {
		p.dabs = append(p.dabs, make([][]dab, bands))
	}
	p.dabs = p.dabs[:parts]
	inParallel(parts, func(part int) {
		to := p.dabs[part]
		for i := range to {
			to[i] = to[i][:0]
		}
		for i := part * partSize; i < min((part+1)*partSize, len(agents)); i++ {
			p.place(to, &agents[i], i)
		}
	})
}

// place adds the i-th agent to the bands that it is seen in.
func (p *Painter) place(bands [][]dab, a *Agent, i int) {
	f := p.sheet.frame
	if !usable(a.Position) {
		return
	}
	at, r, reach := f.at(a.Position), length(a.Radius)*f.scale, p.spots.reach(a, f)
	if !f.shows(at, reach) {
		return
	}
	top := float64(f.bounds.Min.Y)
	band := func(y float64) int { return int(min(max((y-top)/bandHeight, 0), float64(len(bands)-1))) }
	d := dab{at: at, r: r, agent: int32(i), value: p.colors.of(a)}
	for b := band(at.Y - reach); b <= band(at.Y+reach); b++ {
		bands[b] = append(bands[b], d)
	}
}

// bandHeight is how many rows of pixels one goroutine draws at a time.
const bandHeight = 64

// bandsOf divides r into bands from top to bottom.
func bandsOf(r image.Rectangle) (bands []image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y += bandHeight {
		bands = append(bands, image.Rect(r.Min.X, y, r.Max.X, min(y+bandHeight, r.Max.Y)))
	}
	return bands
}

// inParallel calls do for each number below n, on all processors.
func inParallel(n int, do func(i int)) {
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	all.Wait()
}

func sameObstacle(a, b Obstacle) bool {
	return a.A == b.A && a.B == b.B && a.Radius == b.Radius &&
		(len(a.Ring) == 0 && len(b.Ring) == 0 || slices.EqualFunc(a.Ring, b.Ring, func(p, q r2.Vec) bool { return p == q }))
}

func samePath(a, b Path) bool {
	return a.Loop == b.Loop && slices.EqualFunc(a.Points, b.Points, func(p, q r2.Vec) bool { return p == q })
}

// tinted adds a box with a tinted floor and a line around, by their opacities.
func (l *layer) tinted(r r2.Box, em, floor, edge float64, v value) {
	l.box(r.Min, r.Max, floor, v)
	for _, e := range edges(r, goalLine(em)) {
		l.box(e.Min, e.Max, edge-floor, v)
	}
}

// tinted is that as a shape.
func (v *vectors) tinted(r r2.Box, c color.RGBA, floor, edge float64) {
	size, line := r.Size(), goalLine(v.sheet.em)
	v.put(`<rect x="%s" y="%s" width="%s" height="%s" fill="%[5]s" fill-opacity="%[6]s" stroke="%[5]s" stroke-opacity="%[7]s" stroke-width="%[8]s"/>`+"\n",
		short(r.Min.X+line/2), short(r.Min.Y+line/2), short(max(size.X-line, 0)), short(max(size.Y-line, 0)),
		hex(c), short(floor), short(edge), short(line))
}

// tinted draws that in the legend.
func (g *legend) tinted(to pen, p r2.Vec, c color.RGBA, floor, edge float64) {
	paper, half, line := g.colors.theme.paper, 0.42*g.em, goalLine(g.em)
	to.box(p.X-half, p.Y-half, p.X+half, p.Y+half, mix(paper, c, edge))
	to.box(p.X-half+line, p.Y-half+line, p.X+half-line, p.Y+half-line, mix(paper, c, floor))
}
