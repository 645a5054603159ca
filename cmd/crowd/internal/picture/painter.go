package picture

import (
	"image"
	"image/draw"
	"reflect"
	"runtime"
	"slices"
	"sync"
)

// A Painter draws the frames of an animation, with the view and the scales of the first frame. It uses all
// processors, but must not be used by several goroutines at once.
type Painter struct {
	sheet  *sheet
	shown  Crowd       // what ground shows
	ground *image.RGBA // everything that changes rarely
	canvas *canvas
	heat   *heatMap  // nil means agents
	spare  sync.Pool // *[2]layer for a band, with zero cells
	dabs   [][]dab   // by band
}

// NewPainter returns a Painter for an animation whose first frame is c.
func NewPainter(c *Crowd, o Options) *Painter {
	p := &Painter{sheet: compose(c, o)}
	p.canvas = &canvas{theme: p.sheet.colors.theme}
	if p.sheet.legend != nil {
		p.canvas.letters = p.sheet.legend.letters
	}
	if o.Heat != nil {
		p.heat = newHeatMap(p.sheet.frame, p.sheet.heat)
	}
	p.spare.New = func() any {
		band := image.Rect(p.sheet.frame.bounds.Min.X, 0, p.sheet.frame.bounds.Max.X, bandHeight)
		return &[2]layer{*newLayer(band), *newLayer(band)}
	}
	p.build(c)
	return p
}

func groundOf(c *Crowd) Crowd {
	return Crowd{
		Obstacles: slices.Clone(c.Obstacles), Paths: slices.Clone(c.Paths), Field: c.Field, Doors: slices.Clone(c.Doors),
		Goals: slices.Clone(c.Goals), Portals: slices.Clone(c.Portals), Zones: slices.Clone(c.Zones),
	}
}

func (p *Painter) build(c *Crowd) {
	p.shown = groundOf(c)
	p.ground = image.NewRGBA(image.Rectangle{Max: p.sheet.size})
	draw.Draw(p.ground, p.ground.Rect, image.NewUniform(p.sheet.colors.theme.paper), image.Point{}, draw.Src)
	p.sheet.drawGround(p.on(p.ground), c)
}

func (p *Painter) on(img *image.RGBA) *canvas {
	p.canvas.img, p.canvas.bounds = img, img.Rect
	return p.canvas
}

// drawGround draws what rarely changes, except what drawAbove draws.
func (s *sheet) drawGround(to pen, c *Crowd) {
	f, t := s.frame, s.colors.theme
	b := boxOf(f.bounds)
	to.fill(t.paper, 1, rect(0, 0, float64(s.size.X), float64(s.size.Y)))
	to.within(f.bounds, func() {
		to.fill(t.floor, 1, rect(b.Min.X, b.Min.Y, b.Max.X, b.Max.Y))
		if s.field != nil && c.Field.usable() {
			s.field.draw(to, f, c.Field, t)
		}
		if s.targets {
			s.drawGoals(to, c.Goals)
		}
		if s.heat.scale == nil {
			s.drawZones(to, c.Zones)
			s.drawPortals(to, c.Portals)
			s.drawObstacles(to, c.Obstacles)
			s.drawDoors(to, c.Doors)
		}
		if s.paths {
			s.drawPaths(to, c.Paths)
		}
	})
	if s.legend != nil {
		outer, hole := hollow(grow(b, 1), 1)
		to.fill(t.border, 1, outer, hole)
	}
}

// drawAbove draws obstacles and doors over a heat map. Without a heat map, it draws trips, trails, targets
// and dangers, beneath the agents.
func (s *sheet) drawAbove(to pen, c *Crowd) {
	if s.heat.scale != nil {
		s.drawObstacles(to, c.Obstacles)
		s.drawDoors(to, c.Doors)
		return
	}
	s.drawTrips(to, c.Trips)
	s.drawTrails(to, c.Trails)
	if s.targets {
		s.drawTargets(to, c)
	}
}

// Size returns the size of a frame, in pixels.
func (p *Painter) Size() image.Point { return p.sheet.size }

// TopDensity returns the greatest density of c in the frame, in agents/m², rounded up, or 1 without agents.
// The painter must draw heat maps.
func (p *Painter) TopDensity(c *Crowd) float64 { return roundAbove(p.heat.measure(c.Agents)) }

// Draw returns a new picture of c.
func (p *Painter) Draw(c *Crowd) *image.RGBA {
	if !reflect.DeepEqual(groundOf(c), p.shown) {
		p.build(c)
	}
	img := image.NewRGBA(p.ground.Rect)
	copy(img.Pix, p.ground.Pix)
	if p.heat != nil {
		p.heat.draw(img, c.Agents)
	}
	to := p.on(img)
	to.within(p.sheet.frame.bounds, func() { p.sheet.drawAbove(to, c) })
	if p.heat == nil {
		p.drawCrowd(img, c)
	}
	if p.sheet.legend != nil {
		p.sheet.legend.draw(to, p.sheet.size.Y, c, p.sheet.spots.enlarged)
	}
	return img
}

func (p *Painter) drawCrowd(img *image.RGBA, c *Crowd) {
	f := p.sheet.frame
	strokes := strokesOf(f, c.Wakes, p.sheet.colors, p.sheet.spots)
	all := bandsOf(f.bounds)
	p.sort(c.Agents, len(all))
	inParallel(len(all), func(i int) {
		band := all[i]
		layers := p.spare.Get().(*[2]layer) // new ones take longer to make than to draw
		defer p.spare.Put(layers)
		l, scratch := &layers[0], &layers[1]
		l.bounds, scratch.bounds = band, band
		if len(strokes) > 0 {
			drawStrokes(l, scratch, strokes)
			l.paint(img, p.sheet.colors.color)
		}
		drawSpots(l, p.dabs[i], p.sheet.spots)
		l.paint(img, p.sheet.colors.color)
		drawPucks(img, band, p.dabs[i], c.Agents, p.sheet.colors)
	})
}

// sort puts each agent, in order, into all bands that it touches.
func (p *Painter) sort(agents []Agent, bands int) {
	if p.dabs == nil {
		p.dabs = make([][]dab, bands)
	}
	for i := range p.dabs {
		p.dabs[i] = p.dabs[i][:0]
	}
	f := p.sheet.frame
	band := func(y float64) int {
		return int(min(max((y-float64(f.bounds.Min.Y))/bandHeight, 0), float64(bands-1)))
	}
	for _, i := range p.sheet.spots.seen(agents, f) {
		a := &agents[i]
		d := dab{at: f.at(a.Position), r: length(a.Radius) * f.scale, agent: int32(i), value: p.sheet.colors.of(a)}
		reach := p.sheet.spots.reach(a, f)
		for b := band(d.at.Y - reach); b <= band(d.at.Y+reach); b++ {
			p.dabs[b] = append(p.dabs[b], d)
		}
	}
}

const bandHeight = 64 // pixels, drawn by one goroutine at a time

func bandsOf(r image.Rectangle) (bands []image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y += bandHeight {
		bands = append(bands, image.Rect(r.Min.X, y, r.Max.X, min(y+bandHeight, r.Max.Y)))
	}
	return bands
}

// eachPixel calls the function do for each pixel of r, in parallel by bands.
func eachPixel(r image.Rectangle, do func(x, y int)) {
	bands := bandsOf(r)
	inParallel(len(bands), func(i int) {
		for y := bands[i].Min.Y; y < bands[i].Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				do(x, y)
			}
		}
	})
}

// inParallel calls the function do for each number from 0 to n-1, and waits for all calls.
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

// Swatch returns a sample for the palette of an animation: the colors of all levels or groups and of their
// outlines, each blended with the floor.
func (p *Painter) Swatch() *image.RGBA {
	t := p.sheet.colors.theme
	colors := groups[:]
	switch {
	case p.heat != nil:
		colors = p.heat.scale[:]
	case p.sheet.colors.scale != nil:
		colors = p.sheet.colors.scale[:]
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
