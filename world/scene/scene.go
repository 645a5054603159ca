// Package scene describes crowds as data, builds them into a world, holds the
// built-in scenes and reads those of other people.
//
// A Scene is plain data: which agents are where, with which behaviors, among which
// obstacles. Build makes a world of it. Every random draw is a hash of the seed
// and the agent, so that the same scene and seed give the same crowd anywhere.
package scene

import (
	"fmt"
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

// Scene is a crowd and its surroundings, described by data.
type Scene struct {
	Name  string
	Text  string   // what there is to see, in one line
	Notes []string // what a reader should know of the figures, such as what is not simulated

	Try      string   // what to try in the live view, in a sentence or two
	Featured []string // names of the numbers to try it with, whose sliders come first: see Tune

	Files    []string // that it was read from, with those that they include; none for a built-in scene
	Warnings []string // of these files, with file and line
	Recorded bool     // its people start and go where a recording says
	Model    Model    // by which people walk, see SetModel; empty: by behaviors of its own

	Catalog []catalog.Entry // of a host's own behaviors, beside those of systems.Catalog

	Seed   uint64
	Dt     float64 // s, length of a step; 1 where the units are those of a tutorial, pixels and frames
	Steps  int     // how long it runs unless asked otherwise
	Box    r2.Box  // m, the area of the scene: what pictures show, and what Bounds acts on
	Bounds systems.BoundsMode

	Scan             systems.ScanMode
	AvoidOutward     bool
	FaithfulFacing   bool
	FaithfulArrivals bool
	FaithfulWalls    bool
	FaithfulORCA     bool
	Prediction       systems.Prediction

	Combination systems.Combination
	Priority    []string  // as in world.Config
	Chances     []float64 // as in world.Config

	Unit    Unit    // of lengths, as the live view writes it
	ColorBy ColorBy // what colors of agents stand for in pictures and the view, unless asked otherwise

	Lines []measure.MeasurementLine // m, where a report counts agents that pass
	Areas []r2.Box                  // m, where a report measures density and speed

	Groups    []Group
	Obstacles Obstacles
	Paths     [][]r2.Vec // m, waypoints
	Portals   []sense.Portal
	Zones     []systems.Zone // where agents walk slower, or faster
	Pointer   *Pointer       // the moving point of the pointer demos
}

// Unit says what the lengths of a scene are, for people to read: no figure depends on it.
type Unit int

const (
	UnitAny   Unit = iota // pixels if Dt is 1, otherwise meters
	UnitMeter             // m
	UnitPixel             // px
)

// InPixels reports whether lengths are pixels.
func (s *Scene) InPixels() bool { return s.Unit == UnitPixel || s.Unit == UnitAny && s.Dt == 1 }

// ColorBy says what the color of an agent stands for.
type ColorBy int

const (
	ColorByAny     ColorBy = iota // its group if there are several, otherwise its speed
	ColorBySpeed                  // how fast it is
	ColorByHeading                // where it goes
	ColorByGroup                  // the group that it belongs to
)

// Group is a number of agents alike in what they do.
type Group struct {
	Name     string // by which other groups refer to it; may be empty
	Count    int
	At       Place   // where they start
	Velocity r2.Vec  // m/s at the start; they face the same way, or +x
	Speed    float64 // m/s at the start, in place of Velocity, each in a direction drawn at random

	Radius   Value // m, of the body
	Mass     Value // kg
	MaxSpeed Value // m/s
	MaxForce Value // N

	Delay  Value   // s, for which they stay where they are, from when they are there
	Source *Source // when they come; nil: they are there from the start

	Target        *Place    // where their targets are; nil: none, unless they follow
	TargetPointer bool      // the pointer is their target
	TargetGroup   string    // the agents of the group with this name are their targets; see leader
	Layers        *c.Layers // which agents see them, and which they see; nil: all do, and all
	Goal          *Goal     // when they have arrived, and what then
	Way           Way       // how they find the way to their targets
	FieldCell     float64   // m, width of the cells of their field, if that is no more than 5 million; 0: as wide as the largest body, or so wide that there are 250,000

	// Itineraries are what the agents do one after another, in place of a target:
	// agent i has number i mod len. A place is reached within the radius of Goal.
	Itineraries [][]systems.Stop

	// Behaviors are what the agents do: component values such as c.Seek{Gain: 2}, at
	// most one of each type. See Behavior and Set. Containment is in the box of the
	// scene if its own is empty.
	Behaviors []any

	// References names the agents that behaviors refer to, by the key of a scene file,
	// such as quarry or flee.from: pointerName, or the agents of the group with that name.
	References map[string]string
}

// Way says how agents find the way to their targets.
type Way int

const (
	Straight Way = iota // not at all
	Route               // each the shortest way round obstacles to its target
	Field               // by a field that they share, round obstacles to the nearest one of all targets of the group
	Boundary            // with no map: straight, and along the boundary of what is in the way, each on a side that it chooses once
	Quickest            // by such a field to the one that is reached first, by how fast the people on the way get on
)

// Goal says when the agents of a group have arrived.
type Goal struct {
	Radius Value // m
	Then   Then
}

// Then is what agents do when they have arrived.
type Then int

const (
	Stay   Then = iota // nothing more
	Leave              // they are removed
	Wander             // each draws its next target from the same place
	Again              // each starts anew where it started first
	Repeat             // each begins its itinerary again, from where it is
)

// Obstacles are all obstacles of a scene.
type Obstacles struct {
	Circles  []Circle
	Walls    []Wall
	Polygons [][]r2.Vec // m, corners; solid inside
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

// Door is a wall that is there only while it is closed.
type Door struct {
	A, B   r2.Vec  // m
	Radius float64 // m, half the thickness
	c.Door         // what it is at the start, and its times
}

// Box is a solid rectangle, turned about its center.
type Box struct {
	r2.Box         // m, before it is turned
	Angle  float64 // degrees, to the left
}

// RandomCircles are circles that the seed places in a box, clear of one another
// and of all other circles.
type RandomCircles struct {
	Count  int
	Radius Value   // m
	Gap    float64 // m, at least, from surface to surface
	Box    r2.Box  // m, in which the centers are; empty: the box of the scene
}

// Pillars is a grid of circles, centered in the scene's box, each moved by up to
// Jitter along both axes as the seed says.
type Pillars struct {
	Columns, Rows int
	Pitch         float64 // m, from one pillar to the next
	Jitter        float64 // m
	Radius        float64 // m
}

// Pointer is a point that moves along a closed way at a constant speed. It
// stands for the mouse of the pointer demos.
type Pointer struct {
	Way   []r2.Vec // m, two points or more
	Speed float64  // m/s
}

// Agents returns the number of agents.
func (s *Scene) Agents() int {
	n := 0
	for i := range s.Groups {
		n += s.Groups[i].Count
	}
	return n
}

// FirstIDs returns the id of the first agent of each group, in rising order. Agents get
// their ids group by group.
func (s *Scene) FirstIDs() []uint64 {
	firsts, first := make([]uint64, len(s.Groups)), uint64(1)
	for i := range s.Groups {
		firsts[i] = first
		first += uint64(s.Groups[i].Count)
	}
	return firsts
}

// ColoredBy returns what the colors of agents stand for unless asked otherwise: ColorBy,
// and for ColorByAny the groups if there are several, or else the speed.
func (s *Scene) ColoredBy() ColorBy {
	switch {
	case s.ColorBy != ColorByAny:
		return s.ColorBy
	case len(s.Groups) > 1:
		return ColorByGroup
	}
	return ColorBySpeed
}

// Ends reports whether the scene comes to an end by itself: there are agents, and all of
// them leave when they have arrived.
func (s *Scene) Ends() bool {
	for i := range s.Groups {
		if g := &s.Groups[i]; g.Count > 0 && (g.Goal == nil || g.Goal.Then != Leave) {
			return false
		}
	}
	return s.Agents() > 0
}

// Resize changes the number of agents in all, in the same area. Groups keep
// their shares; to the number that there is, nothing changes.
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

// Loops reports whether an agent follows a path round and round.
func (s *Scene) Loops(path int) bool {
	return slices.ContainsFunc(s.Groups, func(g Group) bool {
		p, ok := Behavior[c.Path](&g)
		return ok && int(p.Index) == path && p.Loop
	})
}

// sighted returns stops as the world has them, with sightings in place of agents
// that are not there yet.
func (s *crowd) sighted(w *world.World, stops []systems.Stop) []systems.Stop {
	if !slices.ContainsFunc(stops, func(stop systems.Stop) bool { return stop.GoesBy() }) {
		return stops
	}
	stops = slices.Clone(stops)
	for i := range stops {
		if !stops[i].GoesBy() {
			continue
		}
		id := uint64(stops[i].Other)
		if _, ok := s.seen[id]; !ok {
			s.seen[id] = w.AddTracked(ecs.Entity{})
		}
		stops[i].Other = s.seen[id]
	}
	return stops
}

// show names the agents that stops go by, once they are there.
func (s *crowd) show(w *world.World, r *world.Rows) {
	if len(s.seen) == 0 {
		return
	}
	for i, a := range world.Column[c.Agent](r) {
		if index, ok := s.seen[a.ID]; ok {
			w.SetTracked(index, r.Entity(i))
		}
	}
}

// stops reports stops that go by an agent that the scene does not have.
func (g *Group) stops(s *Scene, add func(is bool, key, format string, args ...any)) {
	n := s.Agents()
	for i, stops := range g.Itineraries {
		for k, stop := range stops {
			add(stop.GoesBy() && (stop.Other < 1 || int(stop.Other) > n), fmt.Sprintf(".itineraries[%d][%d].agent", i, k),
				"is %d, want 1 to %d, the number of an agent", stop.Other, n)
		}
	}
}

// Memory returns about how many bytes Build and the steps of its world need: a
// little more than they take, rather than less. It is for scenes that Build takes;
// for others it is no more than a number.
func (s *Scene) Memory(o Options) uint64 {
	config := s.config(&o)
	memory := config.NewMemory()
	crowd, orca := &crowd{Scene: s}, false
	for i := range s.Groups {
		if g := &s.Groups[i]; g.Count > 0 {
			memory.Agents(g.Count, g.components(crowd))
			orca = orca || has[c.ORCA](g)
			if g.followsField() {
				fields := 1
				if g.Way == Quickest { // the next one, and how slow the cells are
					fields = 3
				}
				memory.Field(fields * s.cells(g))
			}
		}
	}
	single, polygons, corners := s.Obstacles.count()
	memory.Obstacles(single, polygons, corners)
	memory.Edges(single+corners, orca, s.FlowFields() > 0)
	return memory.Bytes()
}

// count returns how many obstacles there are: circles and walls, and polygons with
// their corners.
func (o *Obstacles) count() (single, polygons, corners int) {
	single = len(o.Circles) + len(o.Walls)
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
