package picture

import (
	"image/color"
	"math"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Door is a wall from A to B that exists while Open is false. A closed door is also in Crowd.Obstacles.
type Door struct {
	A, B   r2.Vec  // m
	Radius float64 // m, half the thickness
	Open   bool
}

// doorLine returns the style of open doors and of lines between portals. em is the size of letters.
func doorLine(em float64, c color.RGBA) line {
	return line{color: c, width: max(0.09*em, 1), opacity: 1, dash: 0.22 * em, gap: 0.22 * em}
}

// drawDoors draws a line along each closed door, and a thin dashed line between two posts for each open door. The
// line of a closed door is as thick as its wall without the rim, but at least as a thin wall.
func (s *sheet) drawDoors(to pen, doors []Door) {
	for _, d := range doors {
		way := Path{Points: []r2.Vec{d.A, d.B}}
		for _, seen := range way.lines(s.frame) {
			if d.Open {
				drawOpenDoor(to, seen[0], seen[1], s.em, s.colors.theme)
				continue
			}
			leaf := max(2*(length(d.Radius)*s.frame.scale-rimWidth(s.frame)), 2*wallWidth(s.frame))
			to.stroke(line{color: s.colors.theme.door, width: leaf, opacity: 1}, seen)
		}
	}
}

func drawOpenDoor(to pen, a, b r2.Vec, em float64, t *theme) {
	to.stroke(doorLine(em, t.door), []r2.Vec{a, b})
	for _, post := range [2]r2.Vec{a, b} {
		to.disc(post, max(0.13*em, 1.6), t.door, 1)
	}
}

// Opacities of portals.
const (
	portalFloor = 0.25
	portalEdge  = 0.9
)

// drawPortals draws the boxes of each portal, only From with a floor, and a dashed line between their centers.
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

// stepsOf returns the edges of the steps of stairs, in image coordinates. A level zone has none.
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

// drawZones draws zones as tinted boxes, with the steps of stairs.
func (s *sheet) drawZones(to pen, zones []systems.Zone) {
	c := s.colors.theme.faintInk
	for i := range zones {
		if s.drawBox(to, zones[i].Box, c, zoneFloor, zoneEdge) {
			to.stroke(line{color: c, width: goalLine(s.em), opacity: zoneStep}, stepsOf(&zones[i], s.frame)...)
		}
	}
}
