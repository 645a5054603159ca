package scene

import (
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// floors is a building with two floors, the upper one drawn above the lower one, and stairs at
// both ends.
func floors() *Scene {
	const (
		width, depth   = 48., 17. // m, of a floor
		room           = 8.       // m, how wide a room is
		lower, upper   = 7., 10.  // m, between which the corridor is
		stairs, beside = 5., 2.   // m, how long the room with the stairs is, and how much wider on each side than the corridor
		door, exit     = 1.2, 2.4 // m
		above          = 22.      // m, from a place on the lower floor to that on the upper one
	)
	s := &Scene{
		Name: "floors", ColorBy: ColorByGroup, Text: "600 people leave a building with two floors: stairs are portals from the upper floor to the lower one",
		Try:      "Draw a wall across one of the stairs with the wall tool: all take the others. Switch on the walking distance and its contours.",
		Featured: []string{"max-speed"},
		Seed:     1, Dt: 1. / 30, Steps: 4500, Box: box(-stairs-4, -1, width+stairs+4, above+depth+1),
	}
	exits := []r2.Vec{xy(-stairs-3, (lower+upper)/2), xy(width+stairs+3, (lower+upper)/2)}
	for floor, name := range []string{"lower floor", "upper floor"} {
		y := float64(above * float64(floor))
		add := func(from, to r2.Vec, gaps ...gap) {
			from.Y, to.Y = from.Y+y, to.Y+y
			s.Obstacles.Walls = append(s.Obstacles.Walls, wall(from, to, gaps...)...)
		}
		g := People(name, 0, Place{})
		g.Way, g.Target = Field, &Place{Points: exits}
		var doors []gap
		for i := range int(width / room) {
			x := float64(room * float64(i))
			doors = append(doors, gap{x + room/2, door})
			if i > 0 {
				add(xy(x, 0), xy(x, lower))
				add(xy(x, upper), xy(x, depth))
			}
			for k := range 50 {
				row := k / 25 // of rooms
				g.At.Points = append(g.At.Points, xy(x+1.6+float64(1.2*float64(k%5)), y+1.2+float64(float64(row)*upper)+float64(1.1*float64(k/5%5))))
			}
		}
		add(xy(0, 0), xy(width, 0))
		add(xy(0, depth), xy(width, depth))
		add(xy(0, lower), xy(width, lower), doors...)
		add(xy(0, upper), xy(width, upper), doors...)
		for _, end := range []struct{ inner, outer, sign float64 }{{0, -stairs, -1}, {width, width + stairs, 1}} {
			add(xy(end.inner, 0), xy(end.inner, lower))
			add(xy(end.inner, upper), xy(end.inner, depth))
			add(xy(end.inner, lower-beside), xy(end.outer, lower-beside))
			add(xy(end.inner, upper+beside), xy(end.outer, upper+beside))
			if floor > 0 {
				add(xy(end.outer, lower-beside), xy(end.outer, upper+beside))
				continue
			}
			middle := (lower + upper) / 2
			add(xy(end.outer, lower-beside), xy(end.outer, upper+beside), gap{middle - lower + beside, exit})
			s.Lines = append(s.Lines, measure.MeasurementLine{A: xy(end.outer, middle-exit/2), B: xy(end.outer, middle+exit/2)})
			for _, side := range []r2.Box{ // of the stairs, down and on both sides of the way out
				around(xy(end.outer-float64(0.2*end.sign), lower-beside+0.2), xy(end.outer-float64(3.2*end.sign), lower-0.2)),
				around(xy(end.outer-float64(0.2*end.sign), upper+0.2), xy(end.outer-float64(3.2*end.sign), upper+beside-0.2)),
			} {
				up := r2.Vec{Y: above}
				s.Portals = append(s.Portals, sense.Portal{From: r2.Box{Min: r2.Add(side.Min, up), Max: r2.Add(side.Max, up)}, To: side, Length: 8})
			}
		}
		g.Count = len(g.At.Points)
		s.Groups = append(s.Groups, g)
	}
	return s
}
