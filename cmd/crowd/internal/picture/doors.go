package picture

import (
	"image"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Door is a wall from A to B that is there only while it is closed. A closed one is among the
// obstacles, too.
type Door struct {
	A, B   r2.Vec  // m
	Radius float64 // m, half the thickness
	Open   bool
}

// doorStyle says how doors are drawn. Lengths are in pixels.
type doorStyle struct {
	pathStyle         // of an open one
	post      float64 // radius of the posts
}

func doorStyleOf(em float64) doorStyle {
	return doorStyle{pathStyle{line: max(0.09*em, 1), dash: 0.22 * em, gap: 0.22 * em}, max(0.13*em, 1.6)}
}

// leaf returns how thick a closed door is drawn, in pixels: as a wall, without its rim if that leaves
// something.
func (d *Door) leaf(f viewport) float64 {
	return max(2*(length(d.Radius)*f.scale-rimWidth(f)), 2*wallWidth(f))
}

// ends returns where in the image the ends of a door are; false if it is not seen.
func (d *Door) ends(f viewport) (a, b r2.Vec, seen bool) {
	if !usable(d.A) || !usable(d.B) {
		return a, b, false
	}
	a, b = f.at(d.A), f.at(d.B)
	from, to, seen := clipLeg(a, b, f.bounds)
	along := r2.Sub(b, a)
	return r2.Add(a, r2.Scale(from, along)), r2.Add(a, r2.Scale(to, along)), seen
}

// drawDoors draws a line along each closed door, on the wall that it is, and for an open one a thin
// dashed line between two posts.
func drawDoors(img *image.RGBA, f viewport, em float64, doors []Door, t *theme) {
	if len(doors) == 0 {
		return
	}
	l, s, v := newLayer(f.bounds), doorStyleOf(em), valueOf(t.door)
	for i := range doors {
		d := &doors[i]
		a, b, seen := d.ends(f)
		if !seen {
			continue
		}
		line := func(a, b r2.Vec, width float64) {
			l.leg(a, b, [2]float64{width, width}, [2]float64{1, 1}, v)
		}
		if !d.Open {
			line(a, b, d.leaf(f))
			continue
		}
		s.dashes([]r2.Vec{a, b}, func(a, b r2.Vec) { line(a, b, s.line) })
		l.disc(f.at(d.A), s.post, v)
		l.disc(f.at(d.B), s.post, v)
	}
	l.paint(img, plain)
}

// drawDoor draws a closed door in the legend, and drawOpenDoor an open one.
func (g *legend) drawDoor(to pen, p r2.Vec) {
	half := max(0.12*g.em, 1)
	to.box(p.X-0.5*g.em, p.Y-half, p.X+0.5*g.em, p.Y+half, g.colors.theme.door)
}

func (g *legend) drawOpenDoor(to pen, p r2.Vec) {
	s, c := doorStyleOf(g.em), g.colors.theme.door
	for x := -0.5*g.em + s.dash/2; x < 0.45*g.em; x += s.dash + s.gap {
		to.box(p.X+x, p.Y-s.line/2, p.X+x+s.dash, p.Y+s.line/2, c)
	}
	to.dot(r2.Vec{X: p.X - 0.5*g.em, Y: p.Y}, s.post, c)
	to.dot(r2.Vec{X: p.X + 0.5*g.em, Y: p.Y}, s.post, c)
}

// doorSymbols returns the symbols for the doors of a crowd.
func (g *legend) doorSymbols(c *Crowd) (s []symbol) {
	if slices.ContainsFunc(c.Doors, func(d Door) bool { return !d.Open }) {
		s = append(s, symbol{"door", g.drawDoor})
	}
	if slices.ContainsFunc(c.Doors, func(d Door) bool { return d.Open }) {
		s = append(s, symbol{"open door", g.drawOpenDoor})
	}
	return s
}

func (v *vectors) doors(doors []Door) {
	f, s, color := v.sheet.frame, doorStyleOf(v.sheet.em), hex(v.theme.door)
	for i := range doors {
		d := &doors[i]
		a, b, seen := d.ends(f)
		if !seen {
			continue
		}
		width, dashes := d.leaf(f), ""
		if d.Open {
			width, dashes = s.line, ` stroke-dasharray="`+short(s.dash)+` `+short(s.gap)+`"`
		}
		v.put(`<path d="M%s %sL%s %s" stroke="%s" stroke-width="%s"%s/>`+"\n", short(a.X), short(a.Y), short(b.X), short(b.Y), color, short(width), dashes)
		if d.Open {
			v.dot(f.at(d.A), s.post, v.theme.door)
			v.dot(f.at(d.B), s.post, v.theme.door)
		}
	}
}

// Portal is a box from which agents come out in another one.
type Portal struct{ From, To r2.Box } // m

// boxes returns where in the image the two boxes of a portal are that are seen, first the one where
// agents enter, and how opaque their floors are.
func (p *Portal) boxes(f viewport) (all []r2.Box, floors []float64) {
	for i, b := range []r2.Box{p.From, p.To} {
		if r, seen := (&Goal{Box: b}).seen(f); seen {
			all, floors = append(all, r), append(floors, []float64{portalFloor, 0}[i])
		}
	}
	return all, floors
}

// How portals are drawn, by their opacity.
const (
	portalFloor = 0.25
	portalEdge  = 0.9
)

// between returns the line between the middles of both boxes.
func (p *Portal) between() Path {
	middle := func(b r2.Box) r2.Vec { return r2.Scale(0.5, r2.Add(b.Min, b.Max)) }
	return Path{Points: []r2.Vec{middle(p.From), middle(p.To)}}
}

// drawPortals draws both boxes of each portal, the floor of the one where agents enter, and a dashed line
// between them.
func drawPortals(img *image.RGBA, f viewport, em float64, portals []Portal, t *theme) {
	if len(portals) == 0 {
		return
	}
	l, s, v := newLayer(f.bounds), doorStyleOf(em), valueOf(t.path)
	for i := range portals {
		boxes, floors := portals[i].boxes(f)
		for k, r := range boxes {
			l.tinted(r, em, floors[k], portalEdge, v)
		}
		way := portals[i].between()
		for _, line := range way.lines(f) {
			s.dashes(line, func(a, b r2.Vec) { l.leg(a, b, [2]float64{s.line, s.line}, [2]float64{1, 1}, v) })
		}
	}
	l.paint(img, plain)
}

// drawPortal draws the box of a portal in the legend.
func (g *legend) drawPortal(to pen, p r2.Vec) {
	g.tinted(to, p, g.colors.theme.path, portalFloor, portalEdge)
}

func (v *vectors) portals(portals []Portal, t *theme) {
	s, f := doorStyleOf(v.sheet.em), v.sheet.frame
	for i := range portals {
		boxes, floors := portals[i].boxes(f)
		for k, r := range boxes {
			v.tinted(r, t.path, floors[k], portalEdge)
		}
		way := portals[i].between()
		for _, points := range way.lines(f) {
			a, b := points[0], points[len(points)-1]
			v.put(`<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s" stroke-width="%s" stroke-dasharray="%s %s"/>`+"\n",
				short(a.X), short(a.Y), short(b.X), short(b.Y), hex(t.path), short(s.line), short(s.dash), short(s.gap))
		}
	}
}

// Zone is a box in which agents walk slower, or faster.
type Zone struct {
	Box r2.Box // m
	Up  r2.Vec // where stairs lead up, a direction of any length; zero: there are none
}

// How zones are drawn, by their opacity, and stairs by the depth of their steps.
const (
	zoneFloor = 0.12
	zoneEdge  = 0.5
	zoneStep  = 0.4
	tread     = 0.3 // m
	leastStep = 5   // pixels
)

// steps returns the edges of the steps of stairs, in the image.
func (z *Zone) steps(f viewport) (all [][2]r2.Vec) {
	length := r2.Norm(z.Up)
	if !(length > 0) || math.IsInf(length, 1) {
		return nil
	}
	up := r2.Scale(1/length, z.Up)
	size := z.Box.Size()
	depth := max(tread, leastStep/f.scale)
	reach := (size.X*math.Abs(up.X) + size.Y*math.Abs(up.Y)) / 2
	middle, along := r2.Scale(0.5, r2.Add(z.Box.Min, z.Box.Max)), r2.Vec{X: -up.Y, Y: up.X}
	for d := depth - reach; d < reach; d += depth {
		p := r2.Add(middle, r2.Scale(d, up))
		from, to := span(p.X, along.X, z.Box.Min.X, z.Box.Max.X, math.Inf(-1), math.Inf(1))
		from, to = span(p.Y, along.Y, z.Box.Min.Y, z.Box.Max.Y, from, to)
		if from < to {
			all = append(all, [2]r2.Vec{f.at(r2.Add(p, r2.Scale(from, along))), f.at(r2.Add(p, r2.Scale(to, along)))})
		}
	}
	return all
}

// span returns for which t from one to another p + t·d is between low and high.
func span(p, d, low, high, from, to float64) (first, last float64) {
	if d == 0 {
		if p < low || p > high {
			return 1, 0
		}
		return from, to
	}
	a, b := (low-p)/d, (high-p)/d
	return max(from, min(a, b)), min(to, max(a, b))
}

// drawZones tints the floor of zones, and draws the steps of stairs.
func drawZones(img *image.RGBA, f viewport, em float64, zones []Zone, t *theme) {
	if len(zones) == 0 {
		return
	}
	l, v, line := newLayer(f.bounds), valueOf(t.faintInk), goalLine(em)
	for i := range zones {
		r, seen := (&Goal{Box: zones[i].Box}).seen(f)
		if !seen {
			continue
		}
		l.tinted(r, em, zoneFloor, zoneEdge, v)
		for _, s := range zones[i].steps(f) {
			l.leg(s[0], s[1], [2]float64{line, line}, [2]float64{zoneStep, zoneStep}, v)
		}
	}
	l.paint(img, plain)
}

// drawZone draws a zone in the legend.
func (g *legend) drawZone(to pen, p r2.Vec) {
	g.tinted(to, p, g.colors.theme.faintInk, zoneFloor, zoneEdge)
}

func (v *vectors) zones(zones []Zone, t *theme) {
	line, f := goalLine(v.sheet.em), v.sheet.frame
	for i := range zones {
		r, seen := (&Goal{Box: zones[i].Box}).seen(f)
		if !seen {
			continue
		}
		v.tinted(r, t.faintInk, zoneFloor, zoneEdge)
		for _, s := range zones[i].steps(f) {
			v.put(`<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s" stroke-opacity="%s" stroke-width="%s"/>`+"\n",
				short(s[0].X), short(s[0].Y), short(s[1].X), short(s[1].Y), hex(t.faintInk), short(zoneStep), short(line))
		}
	}
}
