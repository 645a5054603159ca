package picture

import (
	"image"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

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
