package picture

import (
	"image"
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
