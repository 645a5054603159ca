package picture

import (
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Goal is a goal of a crowd.
type Goal struct {
	Box   r2.Box // m
	Group int    // group that goes there, for Color Group
}

// Opacities of goals: pale, so that agents stand out.
const (
	goalFloor = 0.13
	goalEdge  = 0.75
)

// goalLine returns the width of the edge of a goal, in pixels.
func goalLine(em float64) float64 { return max(math.Round(0.1*em), 1) }

// seen returns the visible rectangle of a goal in the image, in whole pixels.
func (g *Goal) seen(f viewport) (r2.Box, bool) {
	if !usable(g.Box.Min) || !usable(g.Box.Max) {
		return r2.Box{}, false
	}
	low, high := f.at(g.Box.Min), f.at(g.Box.Max)
	const beyond = 16 // pixels
	b := f.bounds.Inset(-beyond)
	r := r2.Box{
		Min: r2.Vec{X: math.Floor(max(low.X, float64(b.Min.X))), Y: math.Floor(max(high.Y, float64(b.Min.Y)))},
		Max: r2.Vec{X: math.Ceil(min(high.X, float64(b.Max.X))), Y: math.Ceil(min(low.Y, float64(b.Max.Y)))},
	}
	return r, r.Min.X < r.Max.X && r.Min.Y < r.Max.Y
}

// goalColor returns the color of a goal: that of the agents that go there, if it is unique.
func (c *coloring) goalColor(g *Goal) color.RGBA {
	if c.by == Group {
		return groupColor(g.Group)
	}
	return c.theme.goal
}

// drawGoals tints the floor of goals, and draws a line around each.
func (s *sheet) drawGoals(to pen, goals []Goal) {
	for i := range goals {
		if r, seen := goals[i].seen(s.frame); seen {
			tinted(to, r, s.em, s.colors.goalColor(&goals[i]), goalFloor, goalEdge)
		}
	}
}

// manyTargets is the number of visible targets from which on marks are smallest. More would hide
// the crowd, and are not drawn.
const manyTargets = 2000

// tooMany reports whether more than manyTargets different targets are in view.
func tooMany(targets []r2.Vec, view r2.Box) bool {
	seen := make(map[r2.Vec]bool)
	for _, t := range targets {
		if view.Contains(t) {
			if seen[t] = true; len(seen) > manyTargets {
				return true
			}
		}
	}
	return false
}

// drawTargets draws a cross at every target, with a ring around it if there are few, and a diagonal
// cross at every danger. The more there are, the smaller and fainter, so that thousands do not hide
// the crowd. A target shared by many agents counts once.
func (s *sheet) drawTargets(to pen, c *Crowd) {
	places, m := marksOf(s.frame, s.em, c.Targets)
	m.draw(to, s.colors.theme.goal, false, places...)
	places, m = marksOf(s.frame, s.em, c.Dangers)
	m.draw(to, s.colors.theme.danger, true, places...)
}

// marksOf returns the visible targets, and their mark.
func marksOf(f viewport, em float64, targets []r2.Vec) ([]r2.Vec, mark) {
	places := placesOf(f, targets)
	m := markFor(len(places), em)
	// On average, marks may cover a fifteenth of the frame.
	area := float64(f.bounds.Dx() * f.bounds.Dy())
	m.opacity = min(m.opacity, area/15/(4*m.arm*m.line*float64(max(len(places), 1))))
	return places, m
}

// placesOf returns the positions in the image of the targets in the frame, without duplicates
// unless there are manyTargets.
func placesOf(f viewport, targets []r2.Vec) []r2.Vec {
	seen := make(map[r2.Vec]bool)
	var places []r2.Vec
	for _, t := range targets {
		if !usable(t) || len(places) < manyTargets && seen[t] {
			continue
		}
		if p := f.at(t); f.shows(p, 1) {
			places = append(places, p)
			if len(places) < manyTargets {
				seen[t] = true
			}
		}
	}
	return places
}

// mark describes how a target is drawn. Lengths are in pixels.
type mark struct {
	arm, line float64 // half the length of the cross, and its thickness
	opacity   float64
	ring      bool
}

// markFor returns the mark for n targets: the largest for up to ten, the smallest from manyTargets
// on.
func markFor(n int, em float64) mark {
	size := 1 - math.Log10(max(float64(n)/10, 1))/math.Log10(manyTargets/10)
	size = max(size, 0)
	arm := max((0.12+0.3*size)*em, 2)
	return mark{arm: arm, line: max(0.26*arm, 1), opacity: 0.45 + 0.55*size, ring: size > 0.4}
}

// draw draws marks, diagonal ones for dangers.
func (m mark) draw(to pen, c color.RGBA, aslant bool, places ...r2.Vec) {
	d, radius := r2.Vec{X: m.arm}, 0.62*m.arm
	if aslant {
		d, radius = r2.Vec{X: m.arm * math.Sqrt2 / 2, Y: m.arm * math.Sqrt2 / 2}, m.arm
	}
	var ways [][]r2.Vec
	for _, p := range places {
		for _, d := range [2]r2.Vec{d, {X: d.Y, Y: -d.X}} {
			ways = append(ways, []r2.Vec{r2.Sub(p, d), r2.Add(p, d)})
		}
		if m.ring {
			circle := Capsule(p, p, radius)
			ways = append(ways, append(circle, circle[0]))
		}
	}
	to.stroke(line{color: c, width: m.line, opacity: m.opacity}, ways...)
}
