package scene

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

// rvoCircle is the example Circle of RVO2: agents prefer 1 m/s and may go at two.
func rvoCircle() *Scene {
	return &Scene{
		Name: "rvo-circle", ColorBy: ColorByHeading, Text: "250 agents on a circle of 200 m go to the opposite side by ORCA, as in the example Circle of RVO2",
		Try:      "Lower the time-horizon of orca to 1: they make way at the last moment only. Set its gain to 0: they walk through one another.",
		Featured: []string{"orca.time-horizon", "orca.gain"},
		Seed:     1, Dt: 0.25, Steps: 3000, Box: box(-215, -215, 215, 215),
		Groups: []Group{{
			Count: 250, At: Place{Ring: &Ring{Radius: 200}}, Radius: Same(1.5), MaxSpeed: Same(2), MaxForce: Same(math.Inf(1)),
			Target: &Place{Ring: &Ring{Radius: 200, Turn: math.Pi}}, Goal: &Goal{Radius: Same(1.5)},
			Behaviors: []any{
				c.KinematicSeek{Gain: 0.5},
				c.ORCA{Gain: 2, TimeHorizon: 10, TimeHorizonObst: 10, NeighborDist: 15, MaxNeighbors: 10, Priority: 1},
			},
		}},
	}
}

// rvoBlocks is the example Blocks of RVO2.
func rvoBlocks() *Scene {
	s := &Scene{
		Name: "rvo-blocks", Text: "four groups of 25 cross between four blocks to the opposite corners by ORCA, as in the example Blocks of RVO2",
		Try:      "Lower time-horizon to 1 and restart: they make way late, and block one another for longer in the middle.",
		Featured: []string{"orca.time-horizon", "max-speed"},
		Seed:     1, Dt: 0.25, Steps: 2500, Box: box(-100, -100, 100, 100),
	}
	for _, q := range []r2.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
		corner := r2.Vec{X: 75 * q.X, Y: 75 * q.Y}
		s.Groups = append(s.Groups, Group{
			Count: 25, At: Place{Grid: &Grid{Center: corner, Columns: 5, Pitch: 10}}, Radius: Same(2), MaxSpeed: Same(2), MaxForce: Same(math.Inf(1)),
			Target: &Place{Points: []r2.Vec{{X: -corner.X, Y: -corner.Y}}}, Goal: &Goal{Radius: Same(20)},
			Behaviors: []any{
				c.KinematicSeek{Gain: 0.5},
				c.ORCA{Gain: 2, TimeHorizon: 5, TimeHorizonObst: 5, NeighborDist: 15, MaxNeighbors: 10, Priority: 1},
			},
		})
		s.Obstacles.Boxes = append(s.Obstacles.Boxes, Box{Box: box(min(10*q.X, 40*q.X), min(10*q.Y, 40*q.Y), max(10*q.X, 40*q.X), max(10*q.Y, 40*q.Y))})
	}
	return s
}

// antipodal is a throng that meets in the middle.
func antipodal() *Scene {
	g := Group{
		Count: 1000, At: Place{Ring: &Ring{Radius: 100}}, Radius: Same(0.25), MaxSpeed: Same(1.4), MaxForce: Same(math.Inf(1)),
		Target: &Place{Ring: &Ring{Radius: 100, Turn: math.Pi}}, Goal: &Goal{Radius: Same(0.5), Then: Leave},
		Behaviors: []any{
			c.Arrival{Gain: 2, SlowingRadius: 1}, c.Facing{Rate: 5},
			c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 6, MaxNeighbors: 24, Priority: 1},
		},
	}
	return &Scene{
		Name: "antipodal", ColorBy: ColorByHeading, Text: "1,000 people on a circle of 100 m go to the opposite side, and avoid one another by ORCA",
		Try:      "Set the gain of orca to 0: they walk straight through one another. Or put an obstacle into the middle, with the obstacle tool.",
		Featured: []string{"orca.gain", "orca.time-horizon"},
		Seed:     1, Dt: 0.1, Steps: 4200, Box: box(-108, -108, 108, 108),
		Groups: []Group{g.walking()},
	}
}
