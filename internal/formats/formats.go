// Package formats describes crowds independently of the programs whose files describe them. The
// packages below it read these files, and world/scene makes scenes from their results.
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

// Format is a kind of file.
type Format struct {
	What      string                 // such a file, for errors: a map, a Menge project
	Ending    string                 // ending of the name, before .gz; empty means any
	Begins    func(head []byte) bool // reports whether a file with this beginning has the format
	Obstacles bool                   // Options.Obstacles may be set
	Read      func(path string, o *Options) (*Crowd, error)
}

// Options supply what a file leaves out.
type Options struct {
	Obstacles string                  // file of obstacles, for a file of agents
	Lenient   bool                    // skip unknown elements with a warning
	Seed      uint64                  // for random parts of a file; 0 means the seed of the file, or 1
	FrameRate float64                 // of trajectories, frames per second; 0 means the rate in the file
	Unit      string                  // of trajectories, m or cm; empty means the unit in the file
	Columns   []string                // of trajectories; nil means the columns in the file
	Allow     func(path string) error // returns an error if a file named by another may not be read; nil allows all
	Context   context.Context         // cancels reading; nil means never
	MaxBytes  int64                   // limit of a file, unpacked; 0 means the default of the format
	MaxAgents int                     // limit of the crowd; 0 means the default of the format
}

// Allowed returns an error if a file may not be read.
func (o *Options) Allowed(path string) error {
	if o.Allow == nil {
		return nil
	}
	return o.Allow(path)
}

// HeadBytes is the number of bytes of a file that Begins gets.
const HeadBytes = 64 << 10

// Find returns the format of a file by its beginning. It considers the formats with the file's ending, if there
// are any, and returns the last of these if none matches. It returns nil for other files, and for .toml.
func Find(all []Format, path string, head []byte) (found *Format) {
	ending := filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz"))
	if ending == ".toml" {
		return nil
	}
	named := slices.ContainsFunc(all, func(f Format) bool { return f.Ending != "" && f.Ending == ending })
	for i := range all {
		f := &all[i]
		switch {
		case named && f.Ending != ending:
			continue
		case f.Begins(head):
			return f
		case named:
			found = f
		}
	}
	return found
}

// XMLWith returns a function that reports whether a file begins like XML. If words are given, one
// of them must be in its head.
func XMLWith(words ...string) func(head []byte) bool {
	return func(head []byte) bool {
		has := func(word string) bool { return bytes.Contains(head, []byte(word)) }
		return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<")) &&
			(len(words) == 0 || slices.ContainsFunc(words, has))
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

// Crowd is the crowd of a file.
type Crowd struct {
	Name, Text string
	Try        string   // a suggestion for the live view
	Featured   []string // parameters to feature in the live view
	Notes      []string // for readers of the metrics
	Files      []string // files that were read
	Warnings   []string // with file and line

	Recorded bool // the agents follow recorded people
	Own      bool // the agents have the default bodies, speeds and behaviors of people
	Jams     bool // agents look as far as people do in jams and at doors

	Seed  uint64
	Dt    float64 // s
	Steps float64
	Box   r2.Box // m; zero means around everything
	Wraps bool   // agents that leave the box at one side enter it at the other

	Circles  []Disc
	Walls    [][2]r2.Vec // m
	Polygons [][]r2.Vec  // m
	Boxes    []r2.Box    // m
	Zones    []systems.Zone
	Lines    []measure.MeasurementLine
	Areas    []r2.Box // m, for measurements

	Groups []Group
}

// AddOutline adds an obstacle: a wall if there are two corners, otherwise a polygon.
func (c *Crowd) AddOutline(corners []r2.Vec) {
	if len(corners) == 2 {
		c.Walls = append(c.Walls, [2]r2.Vec(corners))
		return
	}
	c.Polygons = append(c.Polygons, corners)
}

// Group is a group of similar agents. Agent i has element i modulo the length of each list.
type Group struct {
	Name     string
	Count    int    // below 0 means as many as Every yields, up to Most
	At       Place  // where they start
	Velocity r2.Vec // m/s at the start

	Radius   []float64 // m
	MaxSpeed []float64 // m/s
	Normal   *Normal   // m/s, in place of MaxSpeed
	MaxForce []float64 // N, with a mass of 1 kg; empty means the default
	Delay    []float64 // s, time that they stand at the start

	Come  []world.Batch // when they come; without it and without Every, they come at the start
	Every *Every

	Target      *Place    // nil means none, or in the itineraries
	Reach       []float64 // m, distance from the target within which agents have arrived
	Then        Then
	FieldCell   float64 // m, cell width of the flow field to the target; 0 means no field
	Itineraries [][]systems.Stop

	ORCA func(*c.ORCA) // changes the parameters of agents with ORCA; nil means no change
}

// Add adds an agent to a group, with one number per property.
func (g *Group) Add(at r2.Vec, radius, speed float64) {
	g.Count++
	g.At.Points, g.Radius, g.MaxSpeed = append(g.At.Points, at), append(g.Radius, radius), append(g.MaxSpeed, speed)
}

// Goes sets the target, the reach and the stops of the agent that was added last.
func (g *Group) Goes(to r2.Vec, reach float64, stops []systems.Stop) {
	if g.Target == nil {
		g.Target = &Place{}
	}
	g.Target.Points, g.Reach = append(g.Target.Points, to), append(g.Reach, reach)
	if stops != nil {
		g.Itineraries = append(g.Itineraries, stops)
	}
}

// Place is where agents start or go: points, a disc, one of several boxes, or a box.
type Place struct {
	Points []r2.Vec // m
	Disc   *Disc
	Boxes  []r2.Box // m; agents that start draw a box, with a chance in proportion to its area
	Box    r2.Box   // m
	Clear  float64  // m, distance from obstacles
}

// Disc is a round area or obstacle.
type Disc struct {
	Center r2.Vec
	Radius float64 // m
}

// Normal is a normal distribution within limits.
type Normal struct{ Mean, SD, Min, Max float64 }

// Every is a schedule: AtOnce agents every Interval seconds, Most in all.
type Every struct {
	From, Until, Interval float64 // s
	AtOnce, Most          int
}

// MaxForce is the default maximum force in N, with a mass of 1 kg.
const MaxForce = 5

// Then is what agents do at their target.
type Then int

const (
	Nothing Then = iota // they have no target
	Stay
	Leave
	Again  // from their start
	Repeat // repeat their itinerary
)
