package scene

import (
	"fmt"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/systems/measure"
	"gonum.org/v1/gonum/spatial/r2"
)

func office() *Scene {
	const (
		width, depth  = 84., 46.            // m, size of the floor
		room          = 8.                  // m, width of a room
		left, right   = 40., 44.            // m, sides of the passage between the corridors
		door, exit    = 1.2, 2.4            // m
		lower, upper  = 10., 33.            // m, where the corridors begin
		corridor      = 3.                  // m, width
		people, rooms = 50, (40 / room) * 2 // people per room, rooms per row
	)
	s := &Scene{
		Try:      "Draw a wall across an exit with the wall tool: people take the other exits. Switch on the walking distance and its contours.",
		Featured: []string{"max-speed", "orca.time-horizon"},
		Seed:     1, Dt: 1. / 30, Steps: 9000, Box: box(-8, -1, width+8, depth+1),
	}
	add := func(parts []Wall) { s.Obstacles.Walls = append(s.Obstacles.Walls, parts...) }
	g := People("people", 0, Place{})
	exits := []r2.Vec{xy(-5, lower+corridor/2), xy(width+5, lower+corridor/2), xy(width+5, upper+corridor/2)}
	g.Way, g.Target = Quickest, &Place{Points: exits}
	for _, row := range []struct{ bottom, top, doors float64 }{{0, lower, lower}, {lower + corridor, 23, lower + corridor}, {23, upper, upper}, {upper + corridor, depth, upper + corridor}} {
		var doors []gap
		for i := range int(rooms) {
			x := float64(room * float64(i))
			if x >= left {
				x += right - left
			}
			doors = append(doors, gap{x + room/2, door})
			add(wall(xy(x+room, row.bottom), xy(x+room, row.top)))
			if x == 0 || x == right {
				add(wall(xy(x, row.bottom), xy(x, row.top)))
			}
			for k := range people {
				g.At.Points = append(g.At.Points, xy(x+1.1+float64(0.85*float64(k%8)), row.bottom+1.4+float64(1.2*float64(k/8))))
			}
		}
		if row.bottom == 0 || row.top == depth { // outside the passage
			add(wall(xy(0, row.doors), xy(width, row.doors), doors...))
		} else {
			half := len(doors) / 2
			add(wall(xy(0, row.doors), xy(left, row.doors), doors[:half]...))
			for i := range doors[half:] {
				doors[half+i].at -= right
			}
			add(wall(xy(right, row.doors), xy(width, row.doors), doors[half:]...))
		}
	}
	add(wall(xy(0, 0), xy(width, 0)))
	add(wall(xy(0, depth), xy(width, depth)))
	add(slices.Concat(wall(xy(0, 23), xy(left, 23)), wall(xy(right, 23), xy(width, 23)), wall(xy(0, upper), xy(0, upper+corridor))))
	for _, x := range []float64{0, width} {
		add(wall(xy(x, lower), xy(x, lower+corridor), gap{corridor / 2, exit}))
		s.Lines = append(s.Lines, measure.MeasurementLine{A: xy(x, lower+(corridor-exit)/2), B: xy(x, lower+(corridor+exit)/2)})
	}
	add(wall(xy(width, upper), xy(width, upper+corridor), gap{corridor / 2, exit}))
	s.Lines = append(s.Lines, measure.MeasurementLine{A: xy(width, upper+(corridor-exit)/2), B: xy(width, upper+(corridor+exit)/2)})
	g.Count = len(g.At.Points)
	s.Groups = []Group{g}
	return s
}

func city() *Scene {
	const (
		side   = 900. // m
		blocks = 16   // per row
		pitch  = side / blocks
		people = 12_500 // per group
	)
	s := &Scene{
		ColorBy:  ColorByGroup,
		Try:      "Draw a wall across a street with the wall tool: all people find another route.",
		Featured: []string{"max-speed"},
		Seed:     1, Dt: 1. / 30, Steps: 1200, Box: box(0, 0, side, side),
	}
	draw := func(i, k, use int, from, to float64) float64 {
		return from + float64((to-from)*hash.Float(hash.Mix(hash.Mix(hash.Mix(s.Seed)+uint64(i))+uint64(1000*k+use))))
	}
	line := func(i, use int) float64 { // middle of a street
		if i == 0 || i == blocks {
			return float64(pitch * float64(i))
		}
		return float64(pitch * (float64(i) + draw(i, 0, use, -0.2, 0.2)))
	}
	half := func(i, use int) float64 { return draw(i, 1, use, 5, 11) } // half the width
	squares := map[[2]int]bool{}
	for i := range 8 {
		squares[[2]int{[]int{1, 5, 10, 14}[i%4], []int{3, 12}[i/4] + i%2}] = true
	}
	for i := range blocks {
		for k := range blocks {
			b := box(line(i, 1)+half(i, 1), line(k, 2)+half(k, 2), line(i+1, 1)-half(i+1, 1), line(k+1, 2)-half(k+1, 2))
			if squares[[2]int{i, k}] {
				g := People(fmt.Sprint("to square ", len(s.Groups)+1), people, Place{Clear: 0.5})
				g.Target, g.Way, g.Goal.Radius = &Place{Box: b}, Field, Same(2)
				s.Groups = append(s.Groups, g)
				continue
			}
			s.Obstacles.Polygons = append(s.Obstacles.Polygons, chamfered(b, func(corner int) float64 { return draw(i, k, 10+corner, 1, 8) }))
		}
	}
	return s
}

// chamfered returns the counterclockwise outline of a box with its corners cut off. The function by
// returns the length cut off at a corner, in m; corner 0 is in the southwest, and the others follow
// counterclockwise.
func chamfered(b r2.Box, by func(corner int) float64) []r2.Vec {
	sw, se, ne, nw := by(0), by(1), by(2), by(3)
	return []r2.Vec{
		xy(b.Min.X+sw, b.Min.Y), xy(b.Max.X-se, b.Min.Y), xy(b.Max.X, b.Min.Y+se), xy(b.Max.X, b.Max.Y-ne),
		xy(b.Max.X-ne, b.Max.Y), xy(b.Min.X+nw, b.Max.Y), xy(b.Min.X, b.Max.Y-nw), xy(b.Min.X, b.Min.Y+sw),
	}
}

// maze returns a scene with exactly one path between any two cells.
func maze() *Scene {
	const (
		n    = 24  // cells per row
		wide = 2.5 // m, width of a cell
		side = n * wide
	)
	s := &Scene{
		Try:      "Delete a wall with the obstacle tool: the paths become shorter. Select an agent, and switch on the routes.",
		Featured: []string{"max-speed"},
		Seed:     3, Dt: 1. / 30, Steps: 3600, Box: box(-1, -1, side+1, side+1),
	}
	var open [n][n][2]bool // passages to the right, and up
	var seen [n][n]bool
	type place struct{ x, y int }
	way := []place{{0, 0}}
	seen[0][0] = true
	for draws := uint64(0); len(way) > 0; draws++ {
		at := way[len(way)-1]
		var next []place
		for _, d := range []place{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			to := place{at.x + d.x, at.y + d.y}
			if to.x >= 0 && to.x < n && to.y >= 0 && to.y < n && !seen[to.x][to.y] {
				next = append(next, to)
			}
		}
		if len(next) == 0 {
			way = way[:len(way)-1]
			continue
		}
		to := next[hash.Mix(hash.Mix(s.Seed)+draws)%uint64(len(next))]
		low := place{min(at.x, to.x), min(at.y, to.y)}
		open[low.x][low.y][max(to.y-at.y, at.y-to.y)] = true
		seen[to.x][to.y] = true
		way = append(way, to)
	}
	add := func(from, to r2.Vec) { s.Obstacles.Walls = append(s.Obstacles.Walls, wall(from, to)...) }
	at := func(x, y int) r2.Vec { return xy(float64(wide*float64(x)), float64(wide*float64(y))) }
	add(at(0, 0), at(n, 0))
	add(at(0, 0), at(0, n))
	for i := range n { // join collinear walls
		for up, first := 0, 0; up < n; up++ {
			if open[i][up][0] {
				first = up + 1
			} else if up == n-1 || open[i][up+1][0] {
				add(at(i+1, first), at(i+1, up+1))
			}
		}
		for right, first := 0, 0; right < n; right++ {
			if open[right][i][1] {
				first = right + 1
			} else if right == n-1 || open[right+1][i][1] {
				add(at(first, i+1), at(right+1, i+1))
			}
		}
	}
	g := People("people", 400, Place{Box: box(0, 0, side, side), Clear: 0.4})
	g.Target, g.Way = &Place{Box: box(0, 0, side, side), Clear: 0.4}, Route
	g.Radius = Same(0.2) // one size, so routes share the corners of obstacles
	s.Groups = []Group{g}
	return s
}

func siege() *Scene {
	const gate = 5. // m
	s := &Scene{
		ColorBy:  ColorByGroup,
		Try:      "Click the gate with the door tool to open it, or draw a wall across the yard. Set the files of a company to 0: it marches in a line.",
		Featured: []string{"max-speed"},
		Seed:     1, Dt: 1. / 30, Steps: 4500, Box: box(-60, -45, 60, 45),
	}
	o := &s.Obstacles
	o.Walls = slices.Concat(
		wall(xy(0, -40), xy(55, -40)), wall(xy(55, -40), xy(55, 40)), wall(xy(0, 40), xy(55, 40)),
		wall(xy(0, -40), xy(0, 40), gap{40, gate}),
	)
	o.Doors = []Door{{A: xy(0, -gate/2), B: xy(0, gate/2), Radius: 0.2, Door: c.Door{Opens: 25, Closes: 1e6}}}
	for _, at := range []r2.Vec{xy(0, -40), xy(0, 40), xy(55, -40), xy(55, 40), xy(0, -4.2), xy(0, 4.2)} { // towers
		o.Circles = append(o.Circles, Circle{at, 1.5})
	}
	marching := []any{
		c.ORCA{Gain: 2, TimeHorizon: 1, TimeHorizonObst: 0.5, NeighborDist: 4, MaxNeighbors: 12, Priority: 1}, c.Solid{Push: 0.8}, c.Facing{Rate: 4},
	}
	for i, y := range []float64{-33, -11, 11, 33} {
		captain, company := fmt.Sprint("captain ", i+1), fmt.Sprint("company ", i+1)
		s.Groups = append(s.Groups, Group{
			Name: captain, Count: 1, At: Place{Points: []r2.Vec{xy(-38, y)}}, Radius: Same(0.3), MaxSpeed: Same(1.1), MaxForce: Same(math.Inf(1)),
			Target: &Place{Points: []r2.Vec{xy(42, float64(0.75*y))}}, Way: Route, Goal: &Goal{Radius: Same(0.5), Then: Stay},
			Behaviors: append([]any{c.Arrival{Gain: 2, SlowingRadius: 2}}, marching...),
		}, Group{
			Name: company, Count: 100, At: Place{Grid: &Grid{Center: xy(-48, y), Columns: 10, Pitch: 1.2}},
			Radius: Same(0.25), MaxSpeed: Same(1.8), MaxForce: Same(math.Inf(1)), Way: Route,
			References: map[string]string{"formation.leader": captain},
			Behaviors:  append([]any{c.Formation{Spacing: 1.1, Files: 10, Distance: 2.5, Lead: 0.6, TurnRate: 0.5}, c.Arrival{Gain: 2, SlowingRadius: 2}}, marching...),
		})
	}
	return s
}
