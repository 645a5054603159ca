package picture

import (
	"image"
	"math"

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
