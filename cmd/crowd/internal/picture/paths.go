package picture

import (
	"image/color"

	"gonum.org/v1/gonum/spatial/r2"
)

// Path is a path that agents follow.
type Path struct {
	Points []r2.Vec // m, waypoints
	Loop   bool     // the path continues from the last waypoint to the first
}

// With more than manyPaths paths, which would hide the crowd, neither paths nor waypoints are drawn. With
// more than manyWaypoints distinct waypoints in the frame, only paths are drawn.
const (
	manyPaths     = 200
	manyWaypoints = 500
)

func pathLine(em float64, t *theme) line {
	return line{color: t.path, width: max(0.1*em, 1.2), opacity: 1, dash: 0.55 * em, gap: 0.4 * em}
}

func waypointSize(em float64) float64 { return max(0.18*em, 2.2) }

func (s *sheet) drawPaths(to pen, paths []Path) {
	for i := range paths {
		for _, part := range paths[i].lines(s.frame) {
			to.stroke(pathLine(s.em, s.colors.theme), part)
		}
	}
	for _, p := range waypointsOf(s.frame, paths) {
		to.disc(p, waypointSize(s.em), s.colors.theme.path, 1)
	}
}

func waypointsOf(f viewport, paths []Path) []r2.Vec {
	var all []r2.Vec
	for i := range paths {
		all = append(all, paths[i].Points...)
	}
	if all = placesOf(f, all); len(all) > manyWaypoints {
		return nil
	}
	return all
}

// lines returns the parts of a path in or near the frame, in image coordinates.
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
		from, to := 1., 0. // the part in or near the frame; none if from > to
		along := r2.Sub(f.at(b), f.at(a))
		if usable(a) && usable(b) {
			a = f.at(a)
			from, to = clipLine(a, along, boxOf(f.bounds.Inset(-beyond)), 0, 1)
		}
		if from > 0 || from > to {
			end()
		}
		if from > to {
			continue
		}
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

// beyond is a margin around the frame, in pixels, that hides the ends of clipped shapes.
const beyond = 16

// clipLine returns the range [first, last] of t, within [from, to], in which p + t·d is in a box. If there
// is none, first > last.
//
// Source: Liang and Barsky 1984.
func clipLine(p, d r2.Vec, box r2.Box, from, to float64) (first, last float64) {
	for _, side := range [4][2]float64{ // speed toward the side, distance inside it
		{-d.X, p.X - box.Min.X}, {d.X, box.Max.X - p.X}, {-d.Y, p.Y - box.Min.Y}, {d.Y, box.Max.Y - p.Y},
	} {
		switch speed, inside := side[0], side[1]; {
		case speed == 0 && inside < 0:
			return 1, 0
		case speed < 0:
			from = max(from, inside/speed)
		case speed > 0:
			to = min(to, inside/speed)
		}
	}
	return from, to
}

// Trip is a path from a start to a goal, in the color of a group.
type Trip struct {
	Points []r2.Vec // m, from the start to the goal
	Group  int      // for its color; 0 or more
}

type tripStyle struct{ line, dot, ring float64 } // pixels

func tripStyleOf(em float64) tripStyle {
	return tripStyle{line: max(0.13*em, 1.4), dot: max(0.24*em, 2.4), ring: max(0.27*em, 2.8)}
}

// seen returns the trip in image coordinates, or nil if a point cannot be drawn.
func (w *Trip) seen(f viewport) (line []r2.Vec) {
	for _, p := range w.Points {
		if !usable(p) {
			return nil
		}
		line = append(line, f.at(p))
	}
	return line
}

// drawTrips draws each trip with a disc at the start and a ring at the goal. An edge in the color of the
// floor separates lines where they cross.
func (s *sheet) drawTrips(to pen, trips []Trip) {
	style, floor := tripStyleOf(s.em), s.colors.theme.floor
	for i := range trips {
		if path := trips[i].seen(s.frame); len(path) > 0 {
			to.stroke(line{color: floor, width: style.line + 2, opacity: 1}, path)
			to.stroke(line{color: groupColor(trips[i].Group), width: style.line, opacity: 1}, path)
		}
	}
	for i := range trips {
		if path := trips[i].seen(s.frame); len(path) > 0 {
			start, goal, c := path[0], path[len(path)-1], groupColor(trips[i].Group)
			to.disc(start, style.dot+1, floor, 1)
			to.disc(goal, style.ring+style.line/2+1, floor, 1)
			to.disc(start, style.dot, c, 1)
			style.drawGoal(to, goal, c, floor)
		}
	}
}

func (s tripStyle) drawGoal(to pen, p r2.Vec, c, floor color.RGBA) {
	to.disc(p, s.ring+s.line/2, c, 1)
	to.disc(p, s.ring-s.line/2, floor, 1)
}
