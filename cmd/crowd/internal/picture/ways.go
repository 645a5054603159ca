package picture

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// Way is a way from a start to a goal, in the color of a group. A disc marks the start, a ring
// the goal.
type Way struct {
	Points []r2.Vec // m, from the start to the goal
	Group  int      // from 0
}

// wayStyle says how ways are drawn. Lengths are in pixels.
type wayStyle struct{ line, dot, ring float64 }

// wayStyleOf returns the style for letters of the size em, in pixels.
func wayStyleOf(em float64) wayStyle {
	return wayStyle{line: max(0.13*em, 1.4), dot: max(0.24*em, 2.4), ring: max(0.27*em, 2.8)}
}

// seen returns where the points of a way are in the image, none if one can't be drawn.
func (w *Way) seen(f viewport) (line []r2.Vec) {
	for _, p := range w.Points {
		if !usable(p) {
			return nil
		}
		line = append(line, f.at(p))
	}
	return line
}

// drawWays draws ways, each above those before, on a thin edge in the color of the floor, so
// that one can tell which goes on where they cross.
func drawWays(img *image.RGBA, f viewport, em float64, ways []Way, t *theme) {
	s, l := wayStyleOf(em), newLayer(f.bounds)
	paint := func() {
		l.paint(img, plain)
		clear(l.cells)
	}
	for i := range ways {
		line, c := ways[i].seen(f), valueOf(groupColor(ways[i].Group))
		if len(line) == 0 {
			continue
		}
		for _, pass := range []struct {
			line  float64
			color value
		}{{s.line + 2, valueOf(t.floor)}, {s.line, c}} {
			width := [2]float64{pass.line, pass.line}
			for k := 1; k < len(line); k++ {
				l.leg(line[k-1], line[k], width, [2]float64{1, 1}, pass.color)
				if k+1 < len(line) {
					l.disc(line[k], pass.line/2, pass.color)
				}
			}
			paint()
		}
	}
	// Ends are above all lines.
	for i := range ways {
		line, c := ways[i].seen(f), valueOf(groupColor(ways[i].Group))
		if len(line) == 0 {
			continue
		}
		goal := line[len(line)-1]
		l.disc(line[0], s.dot+1, valueOf(t.floor))
		l.disc(goal, s.ring+s.line/2+1, valueOf(t.floor))
		paint()
		l.disc(line[0], s.dot, c)
		l.ring(goal, s.ring, s.line, 1, c)
		paint()
	}
}

// ways writes what drawWays draws.
func (v *vectors) ways(ways []Way) {
	f, s, floor := v.sheet.frame, wayStyleOf(v.sheet.em), hex(v.theme.floor)
	for i := range ways {
		line := ways[i].seen(f)
		if len(line) == 0 {
			continue
		}
		var d strings.Builder
		for k, p := range line {
			fmt.Fprintf(&d, "%c%s %s", "ML"[min(k, 1)], short(p.X), short(p.Y))
		}
		v.put(`<g fill="none" stroke-linejoin="round"><path d="%s" stroke="%s" stroke-width="%s"/><path d="%s" stroke="%s" stroke-width="%s"/></g>`+"\n",
			d.String(), floor, short(s.line+2), d.String(), hex(groupColor(ways[i].Group)), short(s.line))
	}
	for i := range ways {
		if line := ways[i].seen(f); len(line) > 0 {
			v.wayEnds(line[0], line[len(line)-1], s, groupColor(ways[i].Group))
		}
	}
}

// wayEnds writes the marks of a start and a goal.
func (v *vectors) wayEnds(start, goal r2.Vec, s wayStyle, c color.RGBA) {
	floor := hex(v.theme.floor)
	v.put(`<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s"/>`, short(start.X), short(start.Y), short(s.dot+0.5), hex(c), floor)
	v.put(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, short(goal.X), short(goal.Y), short(s.ring+s.line/2+1), floor)
	v.put(`<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="%s"/>`+"\n", short(goal.X), short(goal.Y), short(s.ring), floor, hex(c), short(s.line))
}
