// Package formats describes crowds in the terms of none of the programs whose files have them. The packages below it read
// these files, and world/scene lists them and makes a scene of what they return.
package formats

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Format is a kind of files.
type Format struct {
	What      string                 // such a file, in errors: a map, a project of Menge
	Ending    string                 // of names, before .gz; empty: none in particular
	Begins    func(head []byte) bool // reports whether a file begins as these do
	Obstacles bool                   // whether it takes a file of obstacles
	Read      func(path string, o *Options) (*Crowd, error)
}

// Options is what a file does not say.
type Options struct {
	Obstacles string                  // file of obstacles, beside a file of agents
	Lenient   bool                    // skip unknown elements with a warning
	Seed      uint64                  // of what a file leaves to chance; 0: its own, or 1
	FrameRate float64                 // of trajectories, frames a second; 0: the file says it
	Unit      string                  // of trajectories, m or cm; empty: the file says it
	Columns   []string                // of trajectories; nil: the file says it
	Allow     func(path string) error // is asked before a file that another names is opened; nil: all may be
	Context   context.Context         // ends reading, with its error; nil: nothing does
	MaxBytes  int64                   // limit of a file, unpacked; 0: that of its format
	MaxAgents int                     // limit of the crowd; 0: that of the format
}

// Allowed asks whether a file may be opened.
func (o *Options) Allowed(path string) error {
	if o.Allow == nil {
		return nil
	}
	return o.Allow(path)
}

// HeadBytes is how much of a file Begins looks at.
const HeadBytes = 64 << 10

// Find returns the format of a file by its name, or else by how it begins; nil: it is of none.
func Find(all []Format, path string, head []byte) (found *Format) {
	ending := filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz"))
	named := slices.ContainsFunc(all, func(f Format) bool { return f.Ending != "" && f.Ending == ending })
	for i := range all {
		f := &all[i]
		if ending == ".toml" || named && f.Ending != ending {
			continue
		}
		if f.Begins(head) {
			return f
		}
		if named {
			found = f
		}
	}
	return found
}

// XMLWith reports whether a file begins as XML does, and has one of some words near its begin; none: any.
func XMLWith(words ...string) func(head []byte) bool {
	return func(head []byte) bool {
		return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<")) &&
			(len(words) == 0 || slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(head, []byte(word)) }))
	}
}

// Name returns the name of a file without its folder and its ending.
func Name(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), ".gz")
	for _, ending := range []string{".xml", ".map", ".wkt", ".scenario", ".toml"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// Crowd is what a file says of a crowd, and what its format leaves open.
type Crowd struct {
	Name, Text string
	Try        string   // what to try in the live view
	Featured   []string // numbers to try it with
	Notes      []string // what a reader of figures should know
	Files      []string // that were read
	Warnings   []string // with file and line

	Recorded bool // people start and go where others were recorded
	Own      bool // their bodies, speeds and behaviors are those that the simulator gives to people
	Jams     bool // they look as far as in a jam and at doors

	Seed  uint64
	Dt    float64 // s
	Steps float64
	Box   r2.Box // m; zero: around all that there is
	Wraps bool   // agents that leave the box at a side enter it at the other

	Circles  []Disc
	Walls    [][2]r2.Vec // m
	Polygons [][]r2.Vec  // m
	Boxes    []r2.Box    // m
	Zones    []systems.Zone
	Lines    []measure.MeasurementLine // where passing agents are counted
	Areas    []r2.Box                  // m, where density and speed are measured

	Groups []Group
}

// AddOutline adds an obstacle: two corners are a wall, more a polygon.
func (c *Crowd) AddOutline(corners []r2.Vec) {
	if len(corners) == 2 {
		c.Walls = append(c.Walls, [2]r2.Vec(corners))
		return
	}
	c.Polygons = append(c.Polygons, corners)
}

// Group is a number of agents alike in what they do. Agent i has the i-th of its numbers and itineraries, counted round.
type Group struct {
	Name     string
	Count    int    // less than 0: as many as Every yields, up to Most
	At       Place  // where they start
	Velocity r2.Vec // m/s at the start

	Radius   []float64 // m
	MaxSpeed []float64 // m/s
	Normal   *Normal   // m/s, in place of MaxSpeed
	MaxForce []float64 // N, with a mass of 1 kg; none: as the simulator has it
	Delay    []float64 // s, for which they stand at their place

	Come  []world.Batch // when they come; none, and no Every: they are there from the start
	Every *Every

	Target      *Place    // nil: none, or the itineraries say it
	Reach       []float64 // m, within which it is reached
	Then        Then
	FieldCell   float64 // m, of the field that leads them; 0: each finds its own way
	Itineraries [][]systems.Stop

	ORCA func(*c.ORCA) // changes its numbers, if that is how they walk; nil: none
}

// Add adds an agent to a group that has one number for each.
func (g *Group) Add(at r2.Vec, radius, speed float64) {
	g.Count++
	g.At.Points, g.Radius, g.MaxSpeed = append(g.At.Points, at), append(g.Radius, radius), append(g.MaxSpeed, speed)
}

// Goes says where the agent that was added last goes, within which radius of it it has arrived, and by which stops.
func (g *Group) Goes(to r2.Vec, reach float64, stops []systems.Stop) {
	if g.Target == nil {
		g.Target = &Place{}
	}
	g.Target.Points, g.Reach = append(g.Target.Points, to), append(g.Reach, reach)
	if stops != nil {
		g.Itineraries = append(g.Itineraries, stops)
	}
}

// Place says where agents are: at points, in a disc, in one of several boxes, or in one.
type Place struct {
	Points []r2.Vec // m
	Disc   *Disc
	Boxes  []r2.Box // m; of those where agents start they draw one by its area
	Box    r2.Box   // m
	Clear  float64  // m, from obstacles
}

// Disc is a round area, or obstacle.
type Disc struct {
	Center r2.Vec
	Radius float64 // m
}

// Normal is a distribution that is cut off.
type Normal struct{ Mean, SD, Min, Max float64 }

// Every says that AtOnce agents come every Interval seconds, from a time until another, Most in all.
type Every struct {
	From, Until, Interval float64 // s
	AtOnce, Most          int
}

// MaxForce is the greatest force in N, with a mass of 1 kg, of an agent whose file knows none.
const MaxForce = 5

// Then is what agents do at their last place.
type Then int

const (
	Nothing Then = iota // they go nowhere
	Stay
	Leave
	Again  // from where they started
	Repeat // their itinerary
)
