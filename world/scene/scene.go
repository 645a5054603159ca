package scene

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// Scene is a crowd and its surroundings, described by data.
type Scene struct {
	Name  string
	Text  string   // what there is to see, in one line
	Notes []string // what a reader should know of the figures, such as what is not simulated

	Warnings []string // of the file that it was read from, with file and line

	Seed   uint64
	Dt     float64 // s, length of a step; 1 where the units are those of a tutorial, pixels and frames
	Steps  int     // how long it runs unless asked otherwise
	Box    r2.Box  // m, the area of the scene: what pictures show, and what Bounds acts on
	Bounds systems.BoundsMode

	Scan             systems.ScanMode
	AvoidOutward     bool
	FaithfulFacing   bool
	FaithfulArrivals bool

	Groups    []Group
	Obstacles Obstacles
	Paths     [][]r2.Vec // m, waypoints
	Pointer   *Pointer   // the moving point of the pointer demos
}

// Group is a number of agents alike in what they do. A behaviour that is nil is
// one that they do not have.
type Group struct {
	Count    int
	At       Place   // where they start
	Velocity r2.Vec  // m/s at the start; they face the same way, or +x
	Speed    float64 // m/s at the start, in place of Velocity, each in a direction drawn at random

	Radius   Value // m, of the body
	Mass     Value // kg
	MaxSpeed Value // m/s
	MaxForce Value // N

	Target        *Place // where their targets are; nil: none, unless they follow
	TargetPointer bool   // the pointer is their target
	FleePointer   bool   // the pointer is what they flee from
	Goal          *Goal  // when they have arrived, and what then

	Seek            *c.Seek
	KinematicSeek   *c.KinematicSeek
	Flee            *c.Flee
	Arrival         *c.Arrival
	OpposingArrival *c.OpposingArrival
	DampedArrival   *c.DampedArrival
	SmoothArrival   *c.SmoothArrival
	Facing          *c.Facing
	TurnTowards     *c.TurnTowards
	TurnAway        *c.TurnAway
	Drive           *c.Drive
	Path            *c.Path
	ThreatScan      *c.ThreatScan
	Avoidance       *c.Avoidance
}

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
)

// Value is one number for all agents of a group, or one for each.
type Value struct {
	All  float64
	Each []float64 // where it is not empty, agent i has Each[i mod len]
}

// Of returns the number of agent i.
func (v Value) Of(i int) float64 {
	if len(v.Each) > 0 {
		return v.Each[i%len(v.Each)]
	}
	return v.All
}

// Zero tells whether the value is zero for all.
func (v Value) Zero() bool { return v.All == 0 && len(v.Each) == 0 }

// Same is the value v for all agents.
func Same(v float64) Value { return Value{All: v} }

// Obstacles are all obstacles of a scene.
type Obstacles struct {
	Circles  []Circle
	Walls    []Wall
	Polygons [][]r2.Vec // m, corners; solid inside
	Pillars  *Pillars
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

// Pillars is a grid of circles, centred in the scene's box, each moved by up to
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

// Resize changes the number of agents in all, in the same area. Groups keep
// their shares.
func (s *Scene) Resize(agents int) {
	total, done, before := s.Agents(), 0, 0
	for i := range s.Groups {
		before += s.Groups[i].Count
		next := int(float64(agents) * (float64(before) / float64(total)))
		if i == len(s.Groups)-1 {
			next = agents
		}
		s.Groups[i].Count = next - done
		done = next
	}
}
