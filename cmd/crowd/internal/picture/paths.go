package picture

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// Path is a way that agents are told to follow.
type Path struct {
	Points []r2.Vec // m, the waypoints
	Loop   bool     // goes on from the last waypoint to the first
}

// More paths than these say nothing: they would be a veil over the crowd. So would
// the dots of a path that is a curve of many waypoints.
const (
	manyPaths     = 200
	manyWaypoints = 500
)

// pathStyle says how paths are drawn. Lengths are in pixels.
type pathStyle struct{ line, dash, gap, dot float64 }

// pathStyleOf returns the style for letters of the size em, in pixels.
func pathStyleOf(em float64) pathStyle {
	return pathStyle{line: max(0.1*em, 1.2), dash: 0.55 * em, gap: 0.4 * em, dot: max(0.18*em, 2.2)}
}

// drawPaths draws a thin dashed line along each path, and a dot at each waypoint.
func drawPaths(img *image.RGBA, f viewport, em float64, paths []Path, t *theme) {
	l, s, v := newLayer(f.bounds), pathStyleOf(em), valueOf(t.path)
	for i := range paths {
		for _, line := range paths[i].lines(f) {
			s.dashes(line, func(a, b r2.Vec) {
				l.leg(a, b, [2]float64{s.line, s.line}, [2]float64{1, 1}, v)
			})
		}
	}
	for _, p := range waypointsOf(f, paths) {
		l.disc(p, s.dot, v)
	}
	l.paint(img, plain)
}

// waypointsOf returns where in the image the waypoints in the frame are, none if
// there are too many.
func waypointsOf(f viewport, paths []Path) []r2.Vec {
	seen := make(map[r2.Vec]bool)
	var places []r2.Vec
	for i := range paths {
		for _, w := range paths[i].Points {
			if !usable(w) || seen[w] {
				continue
			}
			if p := f.at(w); f.shows(p, 1) {
				if len(places) == manyWaypoints {
					return nil
				}
				seen[w], places = true, append(places, p)
			}
		}
	}
	return places
}

// lines returns the parts of a path that are in the frame or close to it, in the
// image. So a path that goes far beyond has few dashes.
func (w *Path) lines(f viewport) (all [][]r2.Vec) {
	legs := len(w.Points) - 1
	if w.Loop && legs > 1 {
		legs++
	}
	var line []r2.Vec
	end := func() {
		if len(line) > 1 {
			all = append(all, line)
		}
		line = nil
	}
	for i := range legs {
		a, b := w.Points[i], w.Points[(i+1)%len(w.Points)]
		if !usable(a) || !usable(b) {
			end()
			continue
		}
		a, b = f.at(a), f.at(b)
		from, to, seen := clipLeg(a, b, f.bounds)
		if !seen || from > 0 {
			end()
		}
		if !seen {
			continue
		}
		along := r2.Sub(b, a)
		if line == nil {
			line = append(line, r2.Add(a, r2.Scale(from, along)))
		}
		line = append(line, r2.Add(a, r2.Scale(to, along)))
		if to < 1 {
			end()
		}
	}
	end()
	return all
}

// clipLeg returns which part of the line from a to b is in bounds or a little
// beyond, from 0 at a to 1 at b, and whether any is.
//
// Source: Liang and Barsky 1984.
func clipLeg(a, b r2.Vec, bounds image.Rectangle) (from, to float64, seen bool) {
	const beyond = 16 // pixels
	box := bounds.Inset(-beyond)
	d := r2.Sub(b, a)
	from, to = 0, 1
	for _, side := range [4][2]float64{ // how fast it leaves, how far it is inside
		{-d.X, a.X - float64(box.Min.X)}, {d.X, float64(box.Max.X) - a.X},
		{-d.Y, a.Y - float64(box.Min.Y)}, {d.Y, float64(box.Max.Y) - a.Y},
	} {
		switch speed, inside := side[0], side[1]; {
		case speed == 0 && inside < 0:
			return 0, 0, false
		case speed < 0:
			from = max(from, inside/speed)
		case speed > 0:
			to = min(to, inside/speed)
		}
	}
	return from, to, from <= to
}

// dashes calls draw for each dash of a line, or where it goes round a corner for
// each part.
func (s pathStyle) dashes(line []r2.Vec, draw func(a, b r2.Vec)) {
	period, done := s.dash+s.gap, 0.0
	for i := 1; i < len(line); i++ {
		along := r2.Sub(line[i], line[i-1])
		length := r2.Norm(along)
		if length == 0 {
			continue
		}
		at := func(x float64) r2.Vec { return r2.Add(line[i-1], r2.Scale(x/length, along)) }
		for x := -done; x < length; x += period {
			if from, to := max(x, 0), min(x+s.dash, length); from < to {
				draw(at(from), at(to))
			}
		}
		done = math.Mod(done+length, period)
	}
}

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
