package picture

import (
	"image"

	"gonum.org/v1/gonum/spatial/r2"
)

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
