package scene

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

func formation() *Scene {
	const (
		pace, fast = 1.4, 2.6 // m/s, of captains and of members
		slowing    = 1.5      // m
	)
	s := &Scene{
		Try:      "Raise the spacing of a formation: it spreads out as it moves. Set its files to 1, 3 or 12. Delete some of its members: the rest close up.",
		Featured: []string{"groups[1].formation.spacing", "groups[5].formation.slant", "groups[7].formation.turn-rate"},
		Seed:     1, Dt: 1. / 30, Steps: 3600, Box: box(0, 0, 120, 80),
	}
	for i, company := range []struct {
		name  string
		count int
		at    r2.Vec
		c.Formation
	}{
		{"line", 24, xy(30, 20), c.Formation{Spacing: 1.5, Files: 12, Distance: 3}},
		{"column", 24, xy(90, 20), c.Formation{Spacing: 1.5, Files: 2, Distance: 2}},
		{"wedge", 14, xy(90, 60), c.Formation{Spacing: 1.5, Slant: 1}},
		{"block", 48, xy(30, 60), c.Formation{Spacing: 1.5, Files: 8, Distance: 3}},
	} {
		var beat []r2.Vec // an oval
		for k := range 32 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 32)
			beat = append(beat, xy(company.at.X+float64(20*cos), company.at.Y-float64(11*sin)))
		}
		s.Paths = append(s.Paths, beat)
		company.Lead, company.TurnRate = slowing/fast, 0.4
		walker := Group{
			Radius: Same(0.35), MaxForce: Same(math.Inf(1)),
			Behaviors: []any{c.Facing{Rate: 4}},
		}
		captain, members := walker, walker
		captain.Name, captain.Count, captain.At, captain.MaxSpeed = company.name+" captain", 1, Place{Points: beat[:1]}, Same(pace)
		captain.Behaviors = append([]any{c.Seek{Gain: 2}, c.Path{Index: uint32(i), Next: 1, Reached: 2, Loop: true}}, walker.Behaviors...)
		members.Name, members.Count, members.MaxSpeed = company.name, company.count, Same(fast)
		members.At = Place{Box: box(company.at.X-15, company.at.Y-12, company.at.X+15, company.at.Y+12)}
		members.References = map[string]string{"formation.leader": captain.Name}
		members.Behaviors = append([]any{
			c.Arrival{Gain: 8, SlowingRadius: slowing}, c.Separation{Gain: 2, NeighborDist: 1.2}, company.Formation,
		}, walker.Behaviors...)
		s.Groups = append(s.Groups, captain, members)
	}
	return s
}

func leader() *Scene {
	return &Scene{
		Try:      "Bring the group closer to the guide: lower the distance of leader-following to 1. Set its width to 0: visitors no longer make way.",
		Featured: []string{"groups[1].leader-following.distance", "groups[1].leader-following.width", "groups[1].separation.gain"},
		Seed:     1, Dt: 1. / 30, Steps: 3600, Box: box(0, 0, 60, 40),
		Paths: [][]r2.Vec{{xy(10, 20), xy(20, 31), xy(48, 30), xy(36, 20), xy(48, 9), xy(36, 20), xy(20, 9)}},
		Groups: []Group{{
			Name: "guide", Count: 1, At: Place{Points: []r2.Vec{xy(14, 14)}}, Radius: Same(0.4), MaxSpeed: Same(1.3), MaxForce: Same(6),
			Behaviors: []any{c.Seek{Gain: 2}, c.Path{Reached: 1.5, Loop: true}, c.Facing{Rate: 4}},
		}, {
			Name: "visitors", Count: 30, At: Place{Box: box(4, 6, 14, 16)}, Radius: Same(0.3), MaxSpeed: Same(1.9), MaxForce: Same(8),
			References: map[string]string{"leader-following.leader": "guide"},
			Behaviors: []any{
				c.LeaderFollowing{Gain: 2, Distance: 2, Length: 5, Width: 3, SlowingRadius: 4},
				c.Separation{Gain: 4, NeighborDist: 1.6}, c.ThreatScan{LookAhead: 2}, c.Avoidance{MaxForce: 6}, c.Facing{Rate: 4},
			},
		}},
		Obstacles: Obstacles{Circles: []Circle{
			{xy(25, 20), 1.5}, {xy(33, 35), 1.2}, {xy(34, 5), 1.2}, {xy(53, 20), 1.5}, {xy(46, 20), 1}, {xy(8, 33), 1.5},
		}},
	}
}

func hide() *Scene {
	return &Scene{
		Try:      "Drag an obstacle away with the obstacle tool: agents behind it look for another one. Set range to 3: most agents find no obstacle, and run.",
		Featured: []string{"groups[1].hiding.range", "groups[1].hiding.distance", "groups[0].max-speed"},
		Seed:     1, Dt: 1. / 30, Steps: 3600, Box: box(0, 0, 60, 40), Bounds: systems.BoundsClamp,
		Paths: [][]r2.Vec{{xy(6, 20), xy(22, 27), xy(38, 34), xy(53, 28), xy(40, 19), xy(52, 8), xy(30, 6), xy(16, 10)}},
		Groups: []Group{{
			Name: "seeker", Count: 1, At: Place{Points: []r2.Vec{xy(6, 20)}}, Radius: Same(0.5), MaxSpeed: Same(1.5), MaxForce: Same(6),
			Behaviors: []any{c.Seek{Gain: 2}, c.Path{Next: 1, Reached: 1.5, Loop: true}, c.Facing{Rate: 4}},
		}, {
			Name: "hiders", Count: 24, At: Place{Clear: 0.5}, Radius: Same(0.3), MaxSpeed: Same(2.6), MaxForce: Same(12),
			References: map[string]string{"hiding.from": "seeker"},
			Behaviors: []any{
				c.Hiding{Gain: 4, Range: 7, Distance: 0.4, Horizon: 1, SlowingRadius: 2.8},
				c.Separation{Gain: 2, NeighborDist: 1.2}, c.ThreatScan{LookAhead: 2}, c.Avoidance{MaxForce: 8},
				c.Containment{Gain: 8, Horizon: 0.5}, c.Solid{Push: 0.8}, c.Facing{Rate: 6},
			},
		}},
		Obstacles: Obstacles{
			Circles: []Circle{{xy(14, 20), 1.5}, {xy(30, 20), 1.5}, {xy(46, 20), 1.2}, {xy(12, 33), 1.5}, {xy(48, 34), 1.5}, {xy(23, 5), 1.2}, {xy(45, 4), 1.2}},
			Walls:   []Wall{{xy(26, 34), xy(32, 36), 0.3}, {xy(52, 14), xy(56, 20), 0.3}},
			Boxes:   []Box{{Box: box(34, 10, 39, 14)}, {Box: box(5, 6, 10, 10)}},
		},
	}
}

func queue() *Scene {
	const door = 1.4 // m
	return &Scene{
		Try:      "Set the gain of queueing to 0: people push, and overlap in front of the door. Raise its horizon: they keep farther apart.",
		Featured: []string{"queueing.gain", "queueing.horizon", "queueing.width"},
		Seed:     1, Dt: 1. / 30, Steps: 3600, Box: box(-12, -9, 12, 9), Bounds: systems.BoundsClamp,
		Groups: []Group{{
			Name: "people", Count: 80, At: Place{Rows: box(-10, -5, -2, 5), Jitter: 0.2},
			Radius: Same(0.25), MaxSpeed: Value{Spread: &Spread{Min: 1.2, Max: 1.5}}, MaxForce: Same(math.Inf(1)),
			Goal: &Goal{Radius: Same(1), Then: Leave},
			Itineraries: [][]systems.Stop{
				through(box(-0.1, 0.22-door/2, 0.4, door/2-0.22), box(9, -6, 11, 6)),
			},
			Behaviors: []any{
				c.Seek{Gain: 2}, c.Separation{Gain: 3, NeighborDist: 1.2}, c.Queueing{Gain: 20, Horizon: 0.8, NeighborDist: 3, Width: 0.7},
				c.Solid{Push: 0.8}, c.Facing{Rate: 4},
			},
		}},
		Obstacles: Obstacles{Walls: wall(xy(0, -9), xy(0, 9), gap{9, door})},
	}
}

func floors() *Scene {
	const (
		width, depth   = 48., 17. // m, size of a floor
		room           = 8.       // m, width of a room
		lower, upper   = 7., 10.  // m, sides of the corridor
		stairs, beside = 5., 2.   // m, length of a stair room, and its extra width on each side of the corridor
		door, exit     = 1.2, 2.4 // m
		above          = 22.      // m, from the lower to the upper floor
	)
	s := &Scene{
		ColorBy:  ColorByGroup,
		Try:      "Draw a wall across the stairs at one end with the wall tool: all people take those at the other end. Switch on the walking distance and its contours.",
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
				row := k / 25
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
			for _, side := range []r2.Box{ // stairs down, on both sides of the exit
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
