package scene

import (
	"fmt"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/measure"
	"gonum.org/v1/gonum/spatial/r2"
)

func people(name string, count int, in r2.Box, itineraries ...[]systems.Stop) Group {
	return People(name, count, Place{Rows: in, Jitter: 0.06}, itineraries...)
}

// People returns a group of pedestrians of different sizes and speeds. They avoid one another, keep their
// distance from people ahead, and leave on arrival. Each follows one of the itineraries; if there is
// none, the caller must set a target.
func People(name string, count int, at Place, itineraries ...[]systems.Stop) Group {
	return Group{
		Name: name, Count: count, At: at,
		Radius:   Value{Spread: &Spread{Min: 0.18, Max: 0.23}},
		MaxSpeed: Value{Spread: &Spread{Min: 1.2, Max: 1.5}},
		MaxForce: Same(math.Inf(1)),
		Goal:     &Goal{Radius: Same(1), Then: Leave}, Itineraries: itineraries,
		Behaviors: []any{
			c.Seek{Gain: 2}, c.Facing{Rate: 3}, jamORCA,
		},
	}.walking()
}

func (g Group) toward(b r2.Box) Group {
	g.Way, g.Target, g.Goal = Field, &Place{Exits: []Exit{{Box: b}}}, &Goal{Radius: Same(0.1), Then: Leave}
	return g
}

var jamORCA = c.ORCA{Gain: 2, TimeHorizon: 1, TimeHorizonObst: 0.5, NeighborDist: 3, MaxNeighbors: 24, Priority: 1}

// Walking returns behaviors, with the catalog's defaults, that make agents with ORCA walk like
// pedestrians.
func Walking() []any {
	return []any{
		c.FollowingDistance{TimeGap: 0.58, Variation: 0.6}, c.FundamentalDiagram{MaxDensity: 5.4},
		c.Passing{Overtaking: 0.8, Right: 0.4}, c.Inertia{MaxAcceleration: 5},
	}
}

func (g Group) walking() Group {
	g.Set(Walking()...)
	return g
}

// slim is the radius of the slimmest people, in m.
const slim = 0.18

// through returns a path through boxes. An agent has passed a box as soon as it is inside, so a box in a
// doorway must exclude places too close to the posts.
func through(boxes ...r2.Box) []systems.Stop {
	var stops []systems.Stop
	for _, b := range boxes {
		stops = append(stops, systems.Stop{Kind: systems.StopBox, Box: b})
	}
	return stops
}

type gap struct{ at, width float64 } // m; the field at is the distance of the middle from the start of the wall

// wall returns the parts between the gaps of a wall 20 cm thick. The gaps must be in ascending order.
func wall(from, to r2.Vec, gaps ...gap) (parts []Wall) {
	const radius = 0.1
	length := vec.Norm(vec.Sub(to, from))
	along := vec.Unit(vec.Sub(to, from))
	begin := 0.
	part := func(end float64) {
		parts = append(parts, Wall{vec.AddScaled(from, begin, along), vec.AddScaled(from, end, along), radius})
	}
	for _, g := range gaps {
		half := float64(g.width / 2)
		part(g.at - half - radius)
		begin = g.at + half + radius
	}
	part(length)
	return parts
}

func around(a, b r2.Vec) r2.Box {
	return box(min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X), max(a.Y, b.Y))
}

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func bottleneck() *Scene {
	const door = 1.2 // m
	return &Scene{
		Try:      "Drag the wall next to the door with the obstacle tool, to make the door wider or narrower. Raise max-speed to 3: people get out sooner.",
		Featured: []string{"max-speed", "orca.time-horizon"},
		Seed:     1, Dt: 1. / 30, Steps: 3600, Box: box(-16, -8, 6, 8),
		Lines: []measure.MeasurementLine{{A: xy(0, -door/2), B: xy(0, door/2)}},
		Areas: []r2.Box{box(-2.5, -1, -0.5, 1)},
		Groups: []Group{
			people("people", 300, box(-15, -7, -4, 7)).toward(box(5, -4, 6, 4)),
		},
		Obstacles: Obstacles{Walls: slices.Concat(
			wall(xy(-16, -8), xy(0, -8)), wall(xy(-16, -8), xy(-16, 8)), wall(xy(-16, 8), xy(0, 8)),
			wall(xy(0, -8), xy(0, 8), gap{8, door}),
		)},
	}
}

func crossing() *Scene {
	const (
		lanes, lane = 15, 0.8           // number of lanes; m, their spacing
		half        = lanes * lane / 2. // m, half the width of the path
		far         = 18.               // m, greatest coordinate of the centerline
		beyond      = 100               // m, beyond any agent
	)
	s := &Scene{
		Try:      "Set the gain of orca to 0: people walk through one another where the path crosses itself. Or put an obstacle there with the obstacle tool.",
		Featured: []string{"orca.gain", "max-speed"},
		Seed:     1, Dt: 1. / 30, Steps: 3600, Box: box(-far-half-1, -far-half-1, far+half+1, far+half+1),
	}
	for _, start := range []struct {
		name  string
		in    r2.Box
		count int
		next  int
	}{
		{"eastward", box(-far+1, -half, -half-.5, half), 90, 0},
		{"westward", box(half+.5, far-half, far+half, far+half), 150, 2},
		{"southward", box(-half, half+.5, half, far-1), 90, 3},
		{"northward", box(-far-half, -far-half, -far+half, -half-.5), 150, 5},
	} {
		// Agents turn where their lane turns, so lanes stay apart.
		var ways [][]systems.Stop
		for i := range lanes {
			d := float64(lane * (float64(i) - (lanes-1)/2))
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

func evacuation() *Scene {
	const (
		width, depth = 54., 28.               // m, size of the floor
		front, back  = 8.5, 12.5              // m, sides of the lower corridor
		middle, room = (front + back) / 2, 9. // m, middle of the lower corridor; width of a room
		door, exit   = 1.2, 2.8               // m
	)
	s := &Scene{
		Try:      "Put an obstacle into an exit with the obstacle tool: the jam grows through the corridor into the rooms. Delete the obstacle, and people move again.",
		Featured: []string{"max-speed", "orca.time-horizon"},
		Seed:     1, Dt: 1. / 30, Steps: 4800, Box: box(-5, -1, width+5, depth+1),
	}
	s.Obstacles.Boxes = []Box{{Box: box(0, back, width, depth-back)}}
	add := func(parts []Wall) { s.Obstacles.Walls = append(s.Obstacles.Walls, parts...) }
	for _, half := range []string{"lower", "upper"} {
		at := func(x, y float64) r2.Vec {
			if half == "upper" {
				return xy(width-x, depth-y)
			}
			return xy(x, y)
		}
		area := func(x0, y0, x1, y1 float64) r2.Box { return around(at(x0, y0), at(x1, y1)) }
		var doors []gap
		for i, count := range []int{84, 84, 83, 83, 83, 83} {
			x := float64(room * float64(i))
			s.Groups = append(s.Groups, people(fmt.Sprint("room ", len(s.Groups)+1), count, area(x+0.5, 0.5, x+room-0.5, front-0.5)).toward(area(-5, middle-4, -4, middle+4)))
			doors = append(doors, gap{x + room/2, door})
			add(wall(at(x, 0), at(x, front)))
		}
		add(wall(at(0, 0), at(width, 0)))
		add(wall(at(0, front), at(width, front), doors...))
		add(wall(at(0, front), at(0, back), gap{(back - front) / 2, exit}))
		add(wall(at(width, 0), at(width, back)))
		s.Lines = append(s.Lines, measure.MeasurementLine{A: at(0, middle-exit/2), B: at(0, middle+exit/2)})
	}
	return s
}

func concert() *Scene {
	const (
		side, depth         = 45., 75.    // m, half the width, and the length of the field
		mouth, throat, long = 13., 6., 5. // m, inner and outer width, and length of a passage
		lanes               = 3           // per passage, so people use its full width
	)
	s := &Scene{
		Try:      "Put an obstacle into a passage with the obstacle tool, and watch the jam in front of it. Raise max-speed to 2.5: people get out sooner.",
		Featured: []string{"max-speed", "orca.time-horizon"},
		Seed:     1, Dt: 1. / 30, Steps: 8400, Box: box(-side-14, -14, side+14, depth+1),
	}
	o := &s.Obstacles
	o.Boxes = []Box{{Box: box(-16, 66, 16, 74)}, {Box: box(-1.8, 26, 1.8, 31)}} // stage and sound desk
	o.Walls = slices.Concat(wall(xy(-side, depth), xy(side, depth)), wall(xy(-20, 63), xy(20, 63)))
	stands := func(from, to, out r2.Vec, passages ...float64) {
		along := vec.Unit(vec.Sub(to, from))
		place := func(u, v float64) r2.Vec {
			return vec.AddScaled(vec.AddScaled(from, u, out), v, along)
		}
		block := []r2.Vec{place(0, 0), place(long, 0)}
		for _, at := range passages {
			o.Polygons = append(o.Polygons, append(block, place(long, at-throat/2), place(0, at-mouth/2)))
			block = []r2.Vec{place(0, at+mouth/2), place(long, at+throat/2)}
		}
		end := vec.Norm(vec.Sub(to, from))
		o.Polygons = append(o.Polygons, append(block, place(long, end), place(0, end)))
	}
	stands(xy(-side, 0), xy(-side, depth), xy(-1, 0), 19, 47)
	stands(xy(side, 0), xy(side, depth), xy(1, 0), 19, 47)
	stands(xy(-side-long, 0), xy(side+long, 0), xy(0, -1), 23, 41, 59, 77)
	leave := func(name string, count int, in r2.Box, at, out r2.Vec) {
		place := func(u, v float64) r2.Vec {
			return vec.AddScaled(vec.AddScaled(at, u, out), v, vec.Left(out))
		}
		var ways [][]systems.Stop
		for i := range lanes {
			const width = (throat - 2*slim) / lanes
			v := float64(width*float64(i)) + slim - throat/2
			ways = append(ways, through(around(place(2, v), place(long+3, v+width)), around(place(long+8, -7), place(long+9, 7))))
		}
		s.Groups = append(s.Groups, people(name, count, in, ways...))
	}
	for i, y := range []float64{19, 47} {
		leave(fmt.Sprint("left ", i+1), 1370, box(-44, y-14, -22, y+14), xy(-side, y), xy(-1, 0))
		leave(fmt.Sprint("right ", i+1), 1370, box(22, y-14, 44, y+14), xy(side, y), xy(1, 0))
	}
	for i, x := range []float64{-21.5, -11.7, 2.4, 12.2} {
		leave(fmt.Sprint("front ", i+1), 1130, box(x, 4, x+9.3, 61), xy(float64(18*float64(i))-27, 0), xy(0, -1))
	}
	return s
}
