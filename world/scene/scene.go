// Package scene describes crowds as data, reads and writes them as files, and builds worlds from them.
// It also provides the built-in scenes, and reads files from other simulators.
//
// A Scene is plain data: which agents are where, with which behaviors, among which obstacles. Build creates a
// world from it. Random numbers are hashes of the seed, so the same scene and seed give the same crowd on
// every machine.
package scene

import (
	"fmt"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Scene describes a crowd and its surroundings.
type Scene struct {
	Name  string
	Text  string   // one-line description
	Notes []string // caveats, such as parts that are not simulated

	Try      string   // suggestions for the live view, a few short sentences
	Featured []string // names of parameters to try; their sliders come first

	Files    []string // files that Open read, including those they name; empty for a built-in scene
	Warnings []string // from reading, each with the file and, where known, the line
	Recorded bool     // starting places and targets are from a recording
	Model    Model    // see SetModel; empty means the scene's own behaviors

	Catalog []catalog.Entry // a host's behaviors, beyond systems.Catalog

	Seed   uint64  // see Reseed
	Dt     float64 // s, length of a step; 1 if the units are pixels and frames
	Steps  int     // default number of steps
	Box    r2.Box  // m, for pictures, Bounds and random places
	Bounds systems.BoundsMode

	Scan             systems.ScanMode // this field and those up to Chances are as in world.Config
	AvoidOutward     bool
	FaithfulFacing   bool
	FaithfulArrivals bool
	FaithfulWalls    bool
	FaithfulORCA     bool
	Prediction       systems.Prediction

	Combination systems.Combination
	Priority    []string
	Chances     []float64

	Unit    Unit    // for display of lengths
	ColorBy ColorBy // default meaning of agents' colors

	Lines []measure.MeasurementLine // m, where a report counts passing agents
	Areas []r2.Box                  // m, where a report measures density and speed

	Groups    []Group
	Obstacles Obstacles
	Paths     [][]r2.Vec // m, waypoints
	Portals   []sense.Portal
	Zones     []systems.Zone // where agents walk slower or faster
	Pointer   *Pointer       // may be nil
}

// Unit is the unit in which lengths are displayed. It does not affect a run.
type Unit int

const (
	UnitAny Unit = iota // pixels if Dt is 1, otherwise meters
	UnitMeter
	UnitPixel
)

// InPixels reports whether lengths are in pixels.
func (s *Scene) InPixels() bool { return s.Unit == UnitPixel || s.Unit == UnitAny && s.Dt == 1 }

// ColorBy is the meaning of agents' colors.
type ColorBy int

const (
	ColorByAny ColorBy = iota // group if there are several groups, otherwise speed
	ColorBySpeed
	ColorByHeading // direction of movement
	ColorByGroup
)

// Group is a set of agents with the same behaviors.
type Group struct {
	Name     string // for references from other groups; may be empty
	Count    int
	At       Place   // starting places
	Velocity r2.Vec  // m/s, initial; agents face the direction of their initial velocity, or +x if it is zero
	Speed    float64 // m/s, initial, in random directions, instead of Velocity

	Radius   Value // m, of the body; the zero Value means points
	Mass     Value // kg; the zero Value means 1, unless a behavior adds Mass
	MaxSpeed Value // m/s
	MaxForce Value // N; infinite means no limit

	Delay  Value   // s, how long agents wait before they start
	Source *Source // when agents are spawned; nil means all at the start

	Target        *Place    // nil means no targets, unless TargetPointer, TargetGroup, Itineraries or a behavior sets them
	TargetPointer bool      // the target is the pointer
	TargetGroup   string    // agent i follows agent i of the named group, modulo its size; in its own group, the next agent
	Layers        *c.Layers // nil means that agents are on layer 0 and see all layers
	Goal          *Goal     // nil means that agents never arrive
	Way           Way       // how agents find paths to their targets
	FieldCell     float64   // m, cell width of the field, increased as needed for at most 5,000,000 cells; 0 means half the largest radius, or the radius with Quickest, increased as needed for at most 250,000

	// Itineraries are sequences of stops to visit instead of a target. Agent i has Itineraries[i mod
	// len]. Goal.Radius is the distance at which a place counts as reached.
	Itineraries [][]systems.Stop

	// Behaviors are component values such as components.Seek{Gain: 2}, at most one of each type. See
	// Behavior and Set. Containment uses the box of the scene if its own is empty.
	Behaviors []any

	// References maps keys of a scene file, such as quarry or flee.from, to the entities that behaviors
	// refer to: "pointer", or the name of a group.
	References map[string]string
}

// Way is a method by which agents find paths to their targets.
type Way int

const (
	Straight Way = iota // no pathfinding
	Route               // each agent's own shortest path around obstacles
	Field               // a field around obstacles, to the nearest target of the group or to an exit chosen by weight
	Boundary            // without a map: straight ahead, or along boundaries of obstacles, on a side chosen once
	Quickest            // like Field, but to the target reached soonest, given the speeds on the way
)

// Goal defines when agents have arrived, and what they do then.
type Goal struct {
	Radius Value // m
	Then   Then
}

// Then is what agents do on arrival.
type Then int

const (
	Stay   Then = iota // nothing
	Leave              // leave the world
	Wander             // draw the next target from Target
	Again              // restart at the starting place
	Repeat             // repeat the itinerary from the current place
)

// Obstacles lists the obstacles of a scene.
type Obstacles struct {
	Circles  []Circle
	Walls    []Wall
	Polygons [][]r2.Vec // m, corners of solid polygons
	Boxes    []Box
	Doors    []Door
	Pillars  *Pillars
	Random   []RandomCircles
}

// Circle is a round obstacle.
type Circle struct {
	At     r2.Vec  // m
	Radius float64 // m
}

// Wall is an obstacle from A to B, with round ends.
type Wall struct {
	A, B   r2.Vec  // m
	Radius float64 // m, half the thickness
}

// Door is a wall that exists only while it is closed.
type Door struct {
	A, B   r2.Vec  // m
	Radius float64 // m, half the thickness
	c.Door         // initial state and times
}

// Box is a solid rectangle, rotated about its center.
type Box struct {
	r2.Box         // m, before rotation
	Angle  float64 // degrees, counterclockwise
}

// RandomCircles are circles at random places, clear of one another and of all other circles.
type RandomCircles struct {
	Count  int
	Radius Value   // m
	Gap    float64 // m, minimum, from surface to surface
	Box    r2.Box  // m, bounds of the centers; empty means the box of the scene
}

// Pillars is a grid of circles at the center of the scene's box, each moved at random by up to Jitter
// along each axis.
type Pillars struct {
	Columns, Rows int
	Pitch         float64 // m, spacing
	Jitter        float64 // m
	Radius        float64 // m
}

// Pointer is a point that moves along a closed path at constant speed, in place of the mouse.
type Pointer struct {
	Way   []r2.Vec // m, two or more points
	Speed float64  // m/s
}

// Agents returns the total number of agents.
func (s *Scene) Agents() int {
	n := 0
	for i := range s.Groups {
		n += s.Groups[i].Count
	}
	return n
}

// FirstIDs returns the ID of the first agent of each group. IDs count up from 1, group by group.
func (s *Scene) FirstIDs() []uint64 {
	firsts, first := make([]uint64, len(s.Groups)), uint64(1)
	for i := range s.Groups {
		firsts[i] = first
		first += uint64(s.Groups[i].Count)
	}
	return firsts
}

// ColoredBy returns ColorBy, or the meaning that ColorByAny selects.
func (s *Scene) ColoredBy() ColorBy {
	switch {
	case s.ColorBy != ColorByAny:
		return s.ColorBy
	case len(s.Groups) > 1:
		return ColorByGroup
	}
	return ColorBySpeed
}

// Ends reports whether the scene has agents, and all of them leave on arrival.
func (s *Scene) Ends() bool {
	for i := range s.Groups {
		if g := &s.Groups[i]; g.Count > 0 && (g.Goal == nil || g.Goal.Then != Leave) {
			return false
		}
	}
	return s.Agents() > 0
}

// Reseed sets Seed. If the random source of a group makes exactly Count agents, as when a file has no
// count, Reseed sets Count to the number that the source makes with the new seed.
func (s *Scene) Reseed(seed uint64) {
	first := uint64(1)
	for i, before := range s.FirstIDs() {
		g := &s.Groups[i]
		if g.Source.random() && g.Source.agents(s.Seed, before, world.MaxAgents) == g.Count {
			g.Count = g.Source.agents(seed, first, world.MaxAgents)
		}
		first += uint64(g.Count)
	}
	s.Seed = seed
}

// Resize sets the total number of agents. The scene must have agents. The area stays the same, groups
// keep their shares of the total, and sources scale their batches. Random sources lose their Until,
// because they could make too few agents by then.
func (s *Scene) Resize(agents int) {
	total, done, before := s.Agents(), 0, 0
	if agents == total {
		return
	}
	for i := range s.Groups {
		if o := s.Groups[i].Source; o != nil {
			o.resize(float64(agents) / float64(total))
		}
		before += s.Groups[i].Count
		next := int(float64(agents) * (float64(before) / float64(total)))
		if i == len(s.Groups)-1 {
			next = agents
		}
		s.Groups[i].Count = next - done
		done = next
	}
}

// Loops reports whether a group follows the path with this index in a loop.
func (s *Scene) Loops(path int) bool {
	return slices.ContainsFunc(s.Groups, func(g Group) bool {
		p, ok := Behavior[c.Path](&g)
		return ok && int(p.Index) == path && p.Loop
	})
}

// trackedStops returns stops with indexes of tracked entities in place of IDs. It adds new tracked
// entities to w and s.tracked.
func (s *crowd) trackedStops(w *world.World, stops []systems.Stop) []systems.Stop {
	if !slices.ContainsFunc(stops, func(stop systems.Stop) bool { return stop.GoesBy() }) {
		return stops
	}
	stops = slices.Clone(stops)
	for i := range stops {
		if !stops[i].GoesBy() {
			continue
		}
		id := uint64(stops[i].Other)
		if _, ok := s.tracked[id]; !ok {
			s.tracked[id] = w.AddTracked(ecs.Entity{})
		}
		stops[i].Other = s.tracked[id]
	}
	return stops
}

func (s *crowd) track(w *world.World, r *world.Rows) {
	if len(s.tracked) == 0 {
		return
	}
	for i, a := range world.Column[c.Agent](r) {
		if index, ok := s.tracked[a.ID]; ok {
			w.SetTracked(index, r.Entity(i))
		}
	}
}

func (g *Group) stops(s *Scene, add func(is bool, key, format string, args ...any)) {
	n := s.Agents()
	for i, stops := range g.Itineraries {
		for k, stop := range stops {
			add(stop.GoesBy() && (stop.Other < 1 || int(stop.Other) > n), fmt.Sprintf(".itineraries[%d][%d].agent", i, k),
				"is %d, want 1 to %d, the number of an agent", stop.Other, n)
			add(stop.Kind == systems.StopFlow && stop.Direction == (r2.Vec{}), fmt.Sprintf(".itineraries[%d][%d].direction", i, k),
				"is (0, 0), want a vector of any length above 0")
		}
	}
}

// maxSizes is the assumed maximum number of body sizes in a group with routes.
const maxSizes = 32

// Memory estimates, on the high side, how many bytes Build with options o needs for a world and its
// steps. The scene must be valid.
func (s *Scene) Memory(o Options) uint64 {
	config := s.config(&o)
	memory := config.NewMemory()
	crowd, orca, routed, sizes := &crowd{Scene: s}, false, 0, map[float64]bool{}
	for i := range s.Groups {
		if g := &s.Groups[i]; g.Count > 0 {
			memory.Agents(g.Count, g.components(crowd))
			orca = orca || has[c.ORCA](g)
			if g.Way == Route && g.hasTarget() {
				routed += g.Count
				x, most := sense.Room(g.Radius.least()), sense.Room(g.Radius.Most())
				for range maxSizes {
					if sizes[x] = true; x >= most {
						break
					}
					x = sense.Room(math.Nextafter(x, math.Inf(1)))
				}
			}
			for range g.fields() {
				cells := s.cells(g)
				if g.Way == Quickest { // for the next field and the slowness of cells
					cells *= 3
				}
				memory.Field(cells)
			}
		}
	}
	single, polygons, corners := s.Obstacles.count()
	memory.Obstacles(single, polygons, corners)
	memory.Edges(single+corners, orca, s.FlowFields() > 0, routed, len(sizes))
	return memory.Bytes()
}

func (o *Obstacles) count() (single, polygons, corners int) {
	single = len(o.Circles) + len(o.Walls) + len(o.Doors)
	if p := o.Pillars; p != nil && p.Columns > 0 && p.Rows > 0 && p.Columns <= maxObstacles/p.Rows {
		single += p.Columns * p.Rows
	}
	for i := range o.Random {
		single += min(max(o.Random[i].Count, 0), maxRandom)
	}
	for _, ring := range o.Polygons {
		corners += len(ring)
	}
	return single, len(o.Polygons) + len(o.Boxes), corners + 4*len(o.Boxes)
}
