package picture

import (
	"image/color"
	"math"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Goal is a box that a group walks to.
type Goal struct {
	Box   r2.Box // m
	Group int    // for Color Group; -1 means several groups
}

const (
	goalFloor = 0.13
	goalEdge  = 0.75
)

func goalLine(em float64) float64 { return max(math.Round(0.1*em), 1) }

// drawBox draws a tinted box in whole pixels, and reports whether the box is in or near the frame.
func (s *sheet) drawBox(to pen, box r2.Box, c color.RGBA, floor, edge float64) bool {
	if !usable(box.Min) || !usable(box.Max) {
		return false
	}
	low, high, b := s.frame.at(box.Min), s.frame.at(box.Max), boxOf(s.frame.bounds.Inset(-beyond))
	r := r2.Box{
		Min: r2.Vec{X: math.Floor(max(low.X, b.Min.X)), Y: math.Floor(max(high.Y, b.Min.Y))},
		Max: r2.Vec{X: math.Ceil(min(high.X, b.Max.X)), Y: math.Ceil(min(low.Y, b.Max.Y))},
	}
	if !(r.Min.X < r.Max.X && r.Min.Y < r.Max.Y) {
		return false
	}
	tinted(to, r, s.em, c, floor, edge)
	return true
}

func (c *coloring) goalColor(g *Goal) color.RGBA {
	if c.by == Group && g.Group >= 0 {
		return groupColor(g.Group)
	}
	return c.theme.goal
}

func (s *sheet) drawGoals(to pen, goals []Goal) {
	for i := range goals {
		s.drawBox(to, goals[i].Box, s.colors.goalColor(&goals[i]), goalFloor, goalEdge)
	}
}

// manyTargets is the number of targets at which marks reach their minimum size. With more distinct targets in
// view, which would hide the crowd, no targets, dangers or goals are drawn.
const manyTargets = 2000

func tooMany(targets []r2.Vec, view r2.Box) bool {
	return len(distinct(targets, view.Contains)) > manyTargets
}

func distinct(points []r2.Vec, shown func(r2.Vec) bool) (all []r2.Vec) {
	seen := make(map[r2.Vec]bool)
	for _, p := range points {
		if !seen[p] && shown(p) {
			seen[p], all = true, append(all, p)
		}
	}
	return all
}

// placesOf returns the distinct points in the frame, in image coordinates.
func placesOf(f viewport, points []r2.Vec) []r2.Vec {
	places := distinct(points, func(p r2.Vec) bool { return usable(p) && f.shows(f.at(p), 1) })
	for i, p := range places {
		places[i] = f.at(p)
	}
	return places
}

// drawTargets draws an upright cross at each target and a diagonal cross at each danger, each with a ring.
// If there are many, they are smaller and fainter, and have no rings.
func (s *sheet) drawTargets(to pen, c *Crowd) {
	s.drawMarks(to, c.Targets, s.colors.theme.goal, false)
	s.drawMarks(to, c.Dangers, s.colors.theme.danger, true)
}

func (s *sheet) drawMarks(to pen, targets []r2.Vec, c color.RGBA, diagonal bool) {
	places := placesOf(s.frame, targets)
	m := markFor(len(places), s.em)
	// The total area of the crosses, times their opacity, is at most a fifteenth of the frame's.
	area := float64(s.frame.bounds.Dx() * s.frame.bounds.Dy())
	m.opacity = min(m.opacity, area/15/(4*m.arm*m.line*float64(max(len(places), 1))))
	m.draw(to, c, diagonal, places...)
}

type mark struct {
	arm, line float64 // pixels, half the length of a bar of the cross, and its thickness
	opacity   float64
	ring      bool
}

func markFor(n int, em float64) mark {
	size := 1 - math.Log10(max(float64(n)/10, 1))/math.Log10(manyTargets/10)
	size = max(size, 0)
	arm := max((0.12+0.3*size)*em, 2)
	return mark{arm: arm, line: max(0.26*arm, 1), opacity: 0.45 + 0.55*size, ring: size > 0.4}
}

func (m mark) draw(to pen, c color.RGBA, diagonal bool, places ...r2.Vec) {
	d, radius := r2.Vec{X: m.arm}, 0.62*m.arm
	if diagonal {
		d, radius = r2.Vec{X: m.arm * math.Sqrt2 / 2, Y: m.arm * math.Sqrt2 / 2}, m.arm
	}
	var paths [][]r2.Vec
	for _, p := range places {
		for _, d := range [2]r2.Vec{d, {X: d.Y, Y: -d.X}} {
			paths = append(paths, []r2.Vec{r2.Sub(p, d), r2.Add(p, d)})
		}
		if m.ring {
			circle := Capsule(p, p, radius)
			paths = append(paths, append(circle, circle[0]))
		}
	}
	to.stroke(line{color: c, width: m.line, opacity: m.opacity}, paths...)
}

const (
	portalFloor = 0.25
	portalEdge  = 0.9
)

func (s *sheet) drawPortals(to pen, portals []sense.Portal) {
	c := s.colors.theme.path
	for i := range portals {
		p := &portals[i]
		s.drawBox(to, p.From, c, portalFloor, portalEdge)
		s.drawBox(to, p.To, c, 0, portalEdge)
		between := Path{Points: []r2.Vec{p.From.Center(), p.To.Center()}}
		to.stroke(doorLine(s.em, c), between.lines(s.frame)...)
	}
}

const (
	zoneFloor = 0.12 // opacities
	zoneEdge  = 0.5
	zoneStep  = 0.4
	tread     = 0.3 // m, depth of the steps of stairs
	leastStep = 5   // pixels, minimum distance between the drawn steps
)

// stepsOf returns the edges of the steps of stairs, in image coordinates.
func stepsOf(z *systems.Zone, f viewport) (all [][]r2.Vec) {
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
		if from, to := clipLine(p, along, z.Box, math.Inf(-1), math.Inf(1)); from < to {
			all = append(all, []r2.Vec{f.at(r2.Add(p, r2.Scale(from, along))), f.at(r2.Add(p, r2.Scale(to, along)))})
		}
	}
	return all
}

func (s *sheet) drawZones(to pen, zones []systems.Zone) {
	c := s.colors.theme.faintInk
	for i := range zones {
		if s.drawBox(to, zones[i].Box, c, zoneFloor, zoneEdge) {
			to.stroke(line{color: c, width: goalLine(s.em), opacity: zoneStep}, stepsOf(&zones[i], s.frame)...)
		}
	}
}
