package scene

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// people are pedestrians of different size and pace who stand in rows in a box,
// and avoid one another. Each goes to the stops of one of the itineraries.
func people(name string, count int, in r2.Box, itineraries ...[]systems.Stop) Group {
	return Group{
		Name: name, Count: count, At: Place{Rows: in, Jitter: 0.06},
		Radius:   Value{Spread: &Spread{Min: 0.2, Max: 0.25}},
		MaxSpeed: Value{Spread: &Spread{Min: 1.2, Max: 1.5}},
		MaxForce: Same(math.Inf(1)),
		Goal:     &Goal{Radius: Same(1), Then: Leave}, Itineraries: itineraries,
		Seek: &c.Seek{Gain: 2},
		ORCA: &c.ORCA{Gain: 2, Horizon: 1, ObstacleHorizon: 0.5, Range: 2, Most: 10, Priority: 1},
	}
}

// slim is the radius of the slimmest of the people, in metres.
const slim = 0.2

// through is a way through boxes, each passed as soon as somebody is in it. A box
// in a doorway leaves out what is nearer to the posts than the slimmest get.
func through(boxes ...r2.Box) []systems.Stop {
	var stops []systems.Stop
	for _, b := range boxes {
		stops = append(stops, systems.Stop{Kind: systems.StopBox, Box: b})
	}
	return stops
}

// gap is an opening in a wall.
type gap struct{ at, width float64 } // m, of its middle, from where the wall begins

// wall returns the parts of a wall of 20 cm with gaps in it, in their order.
func wall(from, to r2.Vec, gaps ...gap) (parts []Wall) {
	const radius = 0.1
	length := vec.Norm(vec.Sub(to, from))
	along := vec.Unit(vec.Sub(to, from))
	begin := 0.
	part := func(end float64) {
		parts = append(parts, Wall{vec.AddScaled(from, begin, along), vec.AddScaled(from, end, along), radius})
	}
	for _, g := range gaps {
		part(g.at - g.width/2 - radius)
		begin = g.at + g.width/2 + radius
	}
	part(length)
	return parts
}

// around returns the box with two opposite corners.
func around(a, b r2.Vec) r2.Box {
	return box(min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X), max(a.Y, b.Y))
}

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

// walls joins parts of walls.
func walls(parts ...[]Wall) (all []Wall) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// bottleneck is a room with one door.
func bottleneck() *Scene {
	const door = 1.2 // m
	return &Scene{
		Name: "bottleneck", Text: "300 people leave a room by a door of 1.2 m, and throng before it in an arch",
		Notes: []string{"1.1 people pass the door in a second, 0.92 a metre; of real people it is 1.9 (Seyfried et al. 2009), because they turn their shoulders"},
		Seed:  1, Dt: 1. / 30, Steps: 10500, Box: box(-16, -8, 6, 8),
		Groups: []Group{
			people("people", 300, box(-15, -7, -4, 7), through(box(0, slim-door/2, 1.5, door/2-slim), box(5, -4, 6, 4))),
		},
		Obstacles: Obstacles{Walls: walls(
			wall(xy(-16, -8), xy(0, -8)), wall(xy(-16, -8), xy(-16, 8)), wall(xy(-16, 8), xy(0, 8)),
			wall(xy(0, -8), xy(0, 8), gap{8, door}),
		)},
	}
}

// crossing is a way in the shape of an 8 that crosses itself.
func crossing() *Scene {
	const (
		lanes, lane = 15, 0.8           // m, from one to the next
		half        = lanes * lane / 2. // m, half the width of the way
		far         = 18.               // m, to the middle of the way where it is farthest
		beyond      = 100               // m, farther than anybody gets
	)
	s := &Scene{
		Name: "crossing", Text: "people on a way that crosses itself: two streams meet at a right angle, and form stripes",
		Seed: 1, Dt: 1. / 30, Steps: 3600, Box: box(-far-half-1, -far-half-1, far+half+1, far+half+1),
	}
	for _, start := range []struct {
		name  string
		in    r2.Box
		count int
		next  int
	}{
		{"eastwards", box(-far+1, -half, -half-.5, half), 150, 0},
		{"westwards", box(half+.5, far-half, far+half, far+half), 250, 2},
		{"southwards", box(-half, half+.5, half, far-1), 150, 3},
		{"northwards", box(-far-half, -far-half, -far+half, -half-.5), 250, 5},
	} {
		// Each turns where its lane does, so that lanes stay apart.
		var ways [][]systems.Stop
		for i := range lanes {
			d := lane * (float64(i) - (lanes-1)/2)
			way := through(
				box(far-d, -beyond, beyond, beyond), box(-beyond, far-d, beyond, beyond), box(-beyond, -beyond, d, beyond),
				box(-beyond, -beyond, beyond, -far-d), box(-beyond, -beyond, -far-d, beyond), box(-beyond, d, beyond, beyond))
			ways = append(ways, append(way[start.next:], way[:start.next]...))
		}
		g := people(start.name, start.count, start.in, ways...)
		g.Goal.Then = Repeat
		s.Groups = append(s.Groups, g)
	}
	return s
}

// evacuation is one storey of a building: two corridors, each with six rooms, a
// hall and an exit at its end. Whoever is in a corridor has the doors that others
// come out of to the left, because those in a throng step aside to the right.
func evacuation() *Scene {
	const (
		width, depth       = 52., 32.        // m, of the storey
		front, back, inner = 8.5, 12.5, 19.5 // m, both sides of the lower corridor, and where the upper one begins
		middle             = (front + back) / 2
		door, exit         = 1.4, 2.8 // m
		room               = width / 6
	)
	s := &Scene{
		Name: "evacuation", Text: "1,000 people leave a storey with 14 rooms, by doors, two corridors and two exits",
		Seed: 1, Dt: 1. / 30, Steps: 10500, Box: box(-5, -1, width+5, depth+1),
	}
	for _, half := range []string{"lower", "upper"} {
		at := func(x, y float64) r2.Vec {
			if half == "upper" {
				return xy(width-x, depth-y)
			}
			return xy(x, y)
		}
		area := func(x0, y0, x1, y1 float64) r2.Box { return around(at(x0, y0), at(x1, y1)) }
		enter := func(name string, count int, in r2.Box, doorway r2.Box) {
			s.Groups = append(s.Groups, people(half+" "+name, count, in, through(doorway,
				area(-1, middle-exit/2+slim, 0, middle+exit/2-slim), area(-5, middle-4, -4, middle+4))))
		}
		var doors []gap
		add := func(parts []Wall) { s.Obstacles.Walls = append(s.Obstacles.Walls, parts...) }
		for i := range 6 {
			x := room * float64(i)
			enter(fmt.Sprint("room ", i+1), 70, area(x+0.5, 0.5, x+room-0.5, front-0.5), area(x+room/2-0.4, front+1.6, x+room/2+0.4, front+2.4))
			doors = append(doors, gap{x + room/2, door})
			add(wall(at(x, 0), at(x, front)))
		}
		enter("hall", 80, area(width/2+0.5, back+0.5, width-0.5, inner-0.5), area(width-2.4, back-2.4, width-1.6, back-1.6))
		add(wall(at(0, 0), at(width, 0)))
		add(wall(at(0, front), at(width, front), doors...))
		add(wall(at(0, back), at(width, back), gap{width - 2, door}))
		add(wall(at(0, front), at(0, back), gap{(back - front) / 2, exit}))
		add(wall(at(width, 0), at(width, inner)))
	}
	s.Obstacles.Walls = append(s.Obstacles.Walls, wall(xy(width/2, back), xy(width/2, inner))...)
	return s
}
