package scene

import (
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

type builtinScene struct {
	name, text string
	make       func() *Scene
}

// builtin is in display order. Names and texts are here because making all scenes to list them would delay
// the first picture in a browser.
var builtin = []builtinScene{
	{"plaza", "people walk to random places in a square 480 m wide with 1,024 pillars", plaza},
	{"seek", "agents seek the pointer, pass it and come back", seek},
	{"seek-kinematic", "agents go straight to the pointer and turn instantly", kinematicSeek},
	{"flee", "agents start at the center and flee from the pointer", flee},
	{"arrival", "agents arrive at the pointer, slowing down within 100 pixels", arrival},
	{"arrival-opposing", "agents brake by accelerating away from the pointer, and may stop short of it for good", opposingArrival},
	{"arrival-damped", "agents arrive by damping their velocity, and come to rest at the pointer", dampedArrival},
	{"avoidance", "agents seek the pointer; circles found by two probes push outward", avoidance},
	{"avoidance-cocos", "one agent among four circles in 480 × 320 pixels, avoiding sideways and bouncing off the edges", avoidanceCocos},
	{"tank-path", "a tank with a limited turn rate follows a path and slows at every stop", tankPath},
	{"tank-flee", "a tank with a limited turn rate turns away from the pointer and flees", tankFlee},
	{"predators", "three predators pursue prey that flock and evade, within a fence", predators},
	{"boids", "birds keep apart, align with their neighbors, and keep together: they flock", boids},
	{"rvo-circle", "250 agents on a circle of radius 200 m go to the opposite side by ORCA, as in RVO2's example Circle", rvoCircle},
	{"rvo-blocks", "four groups of 25 cross between four blocks to the opposite corners by ORCA, as in RVO2's example Blocks", rvoBlocks},
	{"antipodal", "1,000 people on a circle of radius 100 m go to the opposite side, and avoid one another by ORCA", antipodal},
	{"leader", "visitors follow their guide among trees, and make way when the guide turns back through them", leader},
	{"queue", "80 people go through a door 1.4 m wide: they brake behind slower people, and line up rather than push", queue},
	{"hide", "24 agents hide behind pillars, walls and sheds from a seeker that walks among them", hide},
	{"formation", "four companies fall in behind their captains as a line, a column, a wedge and a block, and wheel with them", formation},
	{"bottleneck", "300 people leave a room through a door 1.2 m wide, and jam in front of it", bottleneck},
	{"crossing", "480 people on a path in the shape of an 8: where it crosses itself, two streams pass through one another", crossing},
	{"evacuation", "1,000 people leave a floor with 12 rooms through doors, two corridors and two exits", evacuation},
	{"concert", "10,000 people leave a concert through eight passages", concert},
	{"office", "2,000 people leave a floor with 40 rooms through the quickest of three exits, following a field", office},
	{"floors", "600 people leave a building with two floors: stairs are portals from the upper floor to the lower one", floors},
	{"city", "100,000 people walk through a town to eight squares, following eight fields", city},
	{"maze", "400 people find their way through a maze, each to a different place", maze},
	{"siege", "four companies of 100 march to a castle, wait for its gate to open, and form up in the yard", siege},
}

// Names returns the names of the built-in scenes.
func Names() []string {
	names := make([]string, len(builtin))
	for i := range builtin {
		names[i] = builtin[i].name
	}
	return names
}

func indexOf(name string) int {
	return slices.IndexFunc(builtin, func(b builtinScene) bool { return b.name == name })
}

// Text returns the text of the named built-in scene, or "" if there is none.
func Text(name string) string {
	if i := indexOf(name); i >= 0 {
		return builtin[i].text
	}
	return ""
}

// Named returns a new copy of the named built-in scene, or an UnknownError.
func Named(name string) (*Scene, error) {
	i := indexOf(name)
	if i < 0 {
		return nil, UnknownError(name)
	}
	s := builtin[i].make()
	s.Name, s.Text = name, builtin[i].text
	s.sortBehaviors()
	return s, nil
}

func box(x0, y0, x1, y1 float64) r2.Box {
	return r2.Box{Min: r2.Vec{X: x0, Y: y0}, Max: r2.Vec{X: x1, Y: y1}}
}

func plaza() *Scene {
	const side = 480
	return &Scene{
		ColorBy:  ColorByHeading,
		Notes:    []string{"agents do not avoid one another"},
		Try:      "Set the max-force of avoidance to 0: people walk through the pillars. Color by contact to see them touch.",
		Featured: []string{"avoidance.max-force", "threat-scan.look-ahead"},
		Seed:     1, Dt: 1. / 60, Steps: 600, Box: box(0, 0, side, side), Bounds: systems.BoundsClamp,
		Groups: []Group{{
			Count: 50_000, At: Place{Clear: 1}, Speed: 1.4,
			Radius: Same(0.25), MaxSpeed: Same(1.4), MaxForce: Same(6),
			Target: &Place{Clear: 1}, Goal: &Goal{Radius: Same(0.5), Then: Wander},
			Behaviors: []any{
				c.Arrival{Gain: 2, SlowingRadius: 3},
				c.ThreatScan{LookAhead: 5}, c.Avoidance{MaxForce: 6},
			},
		}},
		Obstacles: Obstacles{Pillars: &Pillars{Columns: 32, Rows: 32, Pitch: 15, Jitter: 3, Radius: 1.5}},
	}
}

func demo(try string, agents Group, featured ...string) *Scene {
	return &Scene{
		Try: try, Featured: featured, Unit: UnitPixel,
		Seed: 1, Dt: 1, Steps: 900, Box: box(0, 0, 800, 600),
		Groups:  []Group{agents},
		Pointer: &Pointer{Way: []r2.Vec{{X: 200, Y: 150}, {X: 650, Y: 200}, {X: 550, Y: 480}, {X: 150, Y: 420}}, Speed: 2},
	}
}

// runners returns the agents of the original tutorial, without steering behaviors.
func runners(count int) Group {
	return Group{
		Count: count, Speed: 3, Radius: Same(5),
		Mass: Same(20), MaxSpeed: Same(3), MaxForce: Same(5.4), TargetPointer: true,
		Behaviors: []any{c.Facing{Rate: 1}},
	}
}

func seek() *Scene {
	g := runners(40)
	g.Set(c.Seek{Gain: 1})
	return demo("Lead the agents with the mouse. Lower max-force to 0.5: they turn so slowly that they swing far past the pointer.", g, "max-force", "mass")
}

func kinematicSeek() *Scene {
	g := runners(40)
	g.Set(c.KinematicSeek{Gain: 1})
	return demo("Lead the agents with the mouse, and compare with the scene seek: they do not overshoot. The gain is their speed as a fraction of max-speed.", g, "kinematic-seek.gain", "max-speed")
}

func flee() *Scene {
	g := runners(60)
	g.TargetPointer, g.References = false, map[string]string{"flee.from": pointerName}
	g.At = Place{Box: box(390, 290, 410, 310)}
	g.Set(c.Flee{Gain: 1})
	s := demo("Chase the agents with the mouse. Set the radius of flee to 100: they flee only while you are near, and otherwise move on.", g, "flee.radius", "max-speed")
	s.Bounds = systems.BoundsBounce
	return s
}

func arrival() *Scene {
	g := runners(40)
	g.Set(c.Arrival{Gain: 1, SlowingRadius: 100})
	s := demo("Lead the agents with the mouse. Lower slowing-radius to 20: they brake too late, and overshoot. At 240, none of them overshoots.", g, "arrival.slowing-radius", "arrival.gain")
	s.Notes = []string{"the slowing radius is below 4·mass·speed/gain = 240 pixels, so agents can overshoot"}
	return s
}

// unity returns the demo of the Unity article.
func unity(try string, arrival any, featured ...string) *Scene {
	g := Group{Count: 24, Speed: 1.5, Radius: Same(0.15), MaxSpeed: Same(3), MaxForce: Same(10), TargetPointer: true, Behaviors: []any{arrival, c.Facing{Rate: 4}}}
	return &Scene{
		Try: try, Featured: featured, Seed: 1, Dt: 1. / 60, Steps: 1800, Box: box(-8, -6, 8, 6),
		Groups:  []Group{g},
		Pointer: &Pointer{Way: []r2.Vec{{X: -4, Y: -2}, {X: 4, Y: -2}, {X: 4, Y: 3}, {X: -4, Y: 3}}, Speed: 0.5},
	}
}

func opposingArrival() *Scene {
	return unity("Hold the mouse still: agents stop around it, not at it. Raise slowing-radius: they stop farther away.",
		c.OpposingArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1}, "opposing-arrival.slowing-radius", "opposing-arrival.time-constant")
}

func dampedArrival() *Scene {
	return unity("Hold the mouse still: agents come to rest at it. Raise time-constant to 3: they turn lazily, and take much longer.",
		c.DampedArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1}, "damped-arrival.time-constant", "damped-arrival.slowing-radius")
}

// avoidance returns the demo of the original tutorial.
func avoidance() *Scene {
	g := runners(12)
	g.Radius = Value{}
	g.Set(c.Seek{Gain: 1}, c.ThreatScan{LookAhead: 100}, c.Avoidance{MaxForce: 4})
	s := demo("Drag the circles with the obstacle tool. Lower the gain of seek to 0.3: avoidance outweighs it, and far fewer agents run into circles.", g, "seek.gain", "avoidance.max-force", "threat-scan.look-ahead")
	s.Notes = []string{"probes miss what lies between them; circles straight ahead push agents backward or forward"}
	s.Scan, s.AvoidOutward = systems.ScanProbes, true
	s.Obstacles.Circles = []Circle{
		{r2.Vec{X: 250, Y: 280}, 40}, {r2.Vec{X: 420, Y: 180}, 30}, {r2.Vec{X: 430, Y: 340}, 50},
		{r2.Vec{X: 600, Y: 330}, 35}, {r2.Vec{X: 330, Y: 450}, 30},
	}
	return s
}

// avoidanceCocos returns the demo of the cocos2d-x variant. With the values chosen here, the agent passes
// every circle.
func avoidanceCocos() *Scene {
	return &Scene{
		Unit:     UnitPixel,
		Notes:    []string{"radius 20, look-ahead 80, push 0.8 and top speed 4.5 are choices of this project; the source gives no values"},
		Try:      "Lower look-ahead to 10: the agent sees circles too late, and runs into them. Put more circles in its way with the obstacle tool.",
		Featured: []string{"threat-scan.look-ahead", "avoidance.max-force"},
		Seed:     1, Dt: 1, Steps: 600, Box: box(0, 0, 480, 320), Bounds: systems.BoundsFaithful,
		Scan: systems.ScanNearestFirst,
		Groups: []Group{{
			Count: 1, At: Place{Points: []r2.Vec{{}}}, Velocity: r2.Vec{X: 2, Y: 4},
			MaxSpeed: Same(4.5), MaxForce: Same(math.Inf(1)), Behaviors: []any{
				c.Facing{Rate: 1},
				c.ThreatScan{LookAhead: 80}, c.Avoidance{MaxForce: 0.8},
			},
		}},
		Obstacles: Obstacles{Circles: []Circle{
			{r2.Vec{X: 100, Y: 100}, 20}, {r2.Vec{X: 100, Y: 220}, 20}, {r2.Vec{X: 380, Y: 100}, 20}, {r2.Vec{X: 380, Y: 220}, 20},
		}},
	}
}

// tank returns a vehicle in pixels and seconds, without the behavior that turns it.
func tank() Group {
	return Group{
		Count: 1, At: Place{Points: []r2.Vec{{X: 100, Y: 100}}}, Radius: Same(12),
		MaxSpeed: Same(120), MaxForce: Same(math.Inf(1)),
		Behaviors: []any{c.Drive{Speed: 120, TopSpeed: 120}},
	}
}

func tankPath() *Scene {
	g := tank()
	g.Set(c.TurnTowards{Rate: 2}, c.SmoothArrival{Gain: 1, Min: 17, Max: 80}, c.Path{Reached: 22, Loop: true})
	return &Scene{
		Unit:     UnitPixel,
		Try:      "Lower the rate of turn-towards to 0.5: the tank turns so widely that it circles the first stop forever.",
		Featured: []string{"turn-towards.rate", "drive.speed"},
		Seed:     1, Dt: 1. / 60, Steps: 3600, Box: box(0, 0, 800, 600), Groups: []Group{g},
		Paths: [][]r2.Vec{{{X: 150, Y: 450}, {X: 400, Y: 300}, {X: 650, Y: 480}, {X: 650, Y: 120}, {X: 350, Y: 100}}},
	}
}

func tankFlee() *Scene {
	g := tank()
	g.At = Place{Points: []r2.Vec{{X: 300, Y: 300}}}
	g.References = map[string]string{"flee.from": pointerName}
	g.Set(c.Flee{Radius: 250}, c.TurnAway{Rate: 2})
	return &Scene{
		Unit:     UnitPixel,
		Try:      "Chase the tank with the mouse. Lower the rate of turn-away to 0.5: it flees in wide arcs. Lower the radius of flee: you get nearer before it turns.",
		Featured: []string{"turn-away.rate", "flee.radius"},
		Seed:     1, Dt: 1. / 60, Steps: 1800, Box: box(0, 0, 800, 600), Bounds: systems.BoundsBounce, Groups: []Group{g},
		Pointer: &Pointer{Way: []r2.Vec{{X: 200, Y: 150}, {X: 650, Y: 200}, {X: 550, Y: 480}, {X: 150, Y: 420}}, Speed: 60},
	}
}

func predators() *Scene {
	fenced := c.Containment{Gain: 24, Horizon: 0.4}
	return &Scene{
		Notes:    []string{"each predator hunts one prey, and each prey evades one predator; only prey keep apart"},
		Try:      "Set the gain of evasion to 0: the flock no longer parts when predators approach. Lower their max-speed below 5: they fall behind.",
		Featured: []string{"groups[1].evasion.gain", "groups[0].max-speed"},
		Seed:     1, Dt: 1. / 60, Steps: 1800, Box: box(0, 0, 80, 60), Bounds: systems.BoundsClamp,
		Groups: []Group{{
			Name: "predators", Count: 3, At: Place{Points: []r2.Vec{{X: 10, Y: 10}, {X: 70, Y: 12}, {X: 40, Y: 52}}}, Speed: 1,
			Radius: Same(0.7), MaxSpeed: Same(6), MaxForce: Same(16), References: map[string]string{"quarry": "prey"},
			Behaviors: []any{c.Quarry{}, c.Pursuit{Gain: 2, Horizon: 3}, fenced, c.Facing{Rate: 8}},
		}, {
			Name: "prey", Count: 60, At: Place{Box: box(15, 15, 65, 45)}, Speed: 2,
			Radius: Same(0.4), MaxSpeed: Same(5), MaxForce: Same(16), References: map[string]string{"pursuer": "predators"},
			Behaviors: []any{
				c.Wander{Gain: 1, Distance: 2, Radius: 1.5, Rate: 0.8}, c.Pursuer{}, c.Evasion{Gain: 3, Horizon: 2, Radius: 14},
				c.Separation{Gain: 2, NeighborDist: 2.5}, c.Alignment{Gain: 1, NeighborDist: 8}, c.Cohesion{Gain: 1, NeighborDist: 10},
				fenced, c.Facing{Rate: 8},
			},
			Layers: &c.Layers{On: 2, Sees: 2}, // the predators are on layer 0
		}},
	}
}

func boids() *Scene {
	return &Scene{
		ColorBy:  ColorByHeading,
		Notes:    []string{"birds that leave on one side reenter on the other, and see across the edges"},
		Try:      "Set the gain of alignment to 0: birds no longer fly in the same direction as their neighbors, and the flocks dissolve.",
		Featured: []string{"alignment.gain", "cohesion.gain", "separation.gain"},
		Seed:     1, Dt: 1. / 30, Steps: 900, Box: box(0, 0, 140, 105), Bounds: systems.BoundsWrap,
		Groups: []Group{{
			Name: "birds", Count: 3000, Speed: 8, MaxSpeed: Same(10), MaxForce: Same(30),
			Behaviors: []any{
				c.Wander{Gain: 0.5, Distance: 3, Radius: 2, Rate: 0.7},
				c.Separation{Gain: 3, NeighborDist: 1.5, MaxNeighbors: 7},
				c.Alignment{Gain: 4, NeighborDist: 4, FieldOfView: 3 * math.Pi / 2, MaxNeighbors: 7},
				c.Cohesion{Gain: 2.5, NeighborDist: 5, FieldOfView: 3 * math.Pi / 2, MaxNeighbors: 7},
				c.Facing{Rate: 8},
			},
		}},
	}
}

// rvoCircle returns RVO2's example Circle: agents prefer 1 m/s, and may reach 2 m/s.
func rvoCircle() *Scene {
	return &Scene{
		ColorBy:  ColorByHeading,
		Try:      "Lower the time-horizon of orca to 1: agents make way only at the last moment. Set its gain to 0: agents walk through one another.",
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

func rvoBlocks() *Scene {
	s := &Scene{
		Try:      "Lower time-horizon to 1 and restart: agents make way late, and block one another for longer in the middle.",
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
		ColorBy:  ColorByHeading,
		Try:      "Set the gain of orca to 0: people walk straight through one another. Or put an obstacle in the middle with the obstacle tool.",
		Featured: []string{"orca.gain", "orca.time-horizon"},
		Seed:     1, Dt: 0.1, Steps: 4200, Box: box(-108, -108, 108, 108),
		Groups: []Group{g.walking()},
	}
}
