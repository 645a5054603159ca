package experiment

import (
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// thick is half the thickness of the walls of a plan, in meters.
const thick = 0.1

// opening is a door in a wall: its middle, along the wall, and its width, in meters.
type opening struct{ at, width float64 }

// along adds a wall along x at y, with openings in their order.
func along(s *scene.Scene, y, from, to float64, doors ...opening) {
	for _, d := range append(doors, opening{to, 0}) {
		if end := d.at - d.width/2; end > from {
			s.Obstacles.Boxes = append(s.Obstacles.Boxes, solid(from, y-thick, end, y+thick))
		}
		from = d.at + d.width/2
	}
}

// across adds a wall along y at x, with openings in their order.
func across(s *scene.Scene, x, from, to float64, doors ...opening) {
	for _, d := range append(doors, opening{to, 0}) {
		if end := d.at - d.width/2; end > from {
			s.Obstacles.Boxes = append(s.Obstacles.Boxes, solid(x-thick, from, x+thick, end))
		}
		from = d.at + d.width/2
	}
}

// byField lets people go by a field to the nearest of some lines behind doors, each given by
// its middle and its length along y, and leave there.
func byField(g *scene.Group, way scene.Way, exits ...exit) {
	const apart = 0.25 // m, of the points of a line
	g.Itineraries, g.Way, g.FieldCell = nil, way, 0.15
	g.Goal = &scene.Goal{Radius: scene.Same(0.4), Then: scene.Leave}
	g.Target = &scene.Place{}
	for _, e := range exits {
		for y := -e.length / 2; y <= e.length/2; y += apart {
			g.Target.Points = append(g.Target.Points, r2.Add(e.at, xy(0, y)))
		}
	}
}

// exit is a line along y where people leave.
type exit struct {
	at     r2.Vec
	length float64 // m
}

// somebody is one person at a place who goes through boxes at a speed in m/s.
func somebody(speed float64, at r2.Vec, boxes ...r2.Box) scene.Group {
	g := scene.People("", 1, scene.Place{Points: []r2.Vec{at}}, through(boxes...))
	g.MaxSpeed, g.Radius = scene.Same(speed), scene.Same(0.2)
	return g
}

// stairs is a zone that leads up along x, with the factors of RiMEA.
func stairs(in r2.Box) systems.Zone {
	return systems.Zone{Box: in, Speed: 0.75, Up: xy(1, 0), SpeedUp: 0.5}
}
