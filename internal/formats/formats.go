// Package formats defines Crowd, which all readers of other programs' files return. Package world/scene
// makes scenes from crowds.
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
	What      string                 // name for such a file in errors; empty in formats without agents or obstacles
	Ending    string                 // file extension, before any .gz; empty means any
	Begins    func(head []byte) bool // reports whether a file that begins with head has the format
	Obstacles bool                   // Options.Obstacles may be set
	Read      func(path string, o *Options) (*Crowd, error)
}

// Options supply what a file leaves out, and limit what is read.
type Options struct {
	Obstacles string                  // file of obstacles, for a file of agents
	Lenient   bool                    // skip unknown elements with a warning
	Seed      *uint64                 // nil means the seed in the file, or 1 without one
	FrameRate float64                 // of trajectories, frames per second; 0 means the rate in the file
	Unit      string                  // of trajectories, m or cm; empty means the unit in the file
	Columns   []string                // of trajectories; nil means the columns in the file
	Allow     func(path string) error // returns an error if an included file may not be read; nil allows all
	Context   context.Context         // must not be nil in Format.Read
	MaxBytes  int64                   // per unpacked file of Menge, SteerBench or UMANS; 0 means the default
	MaxAgents int                     // in files of Menge, SteerBench or UMANS; 0 means the default
}

func (o *Options) SeedOr(other uint64) uint64 {
	if o.Seed == nil {
		return other
	}
	return *o.Seed
}

// Allowed returns an error if the file at path may not be read.
func (o *Options) Allowed(path string) error {
	if o.Allow == nil {
		return nil
	}
	return o.Allow(path)
}

// HeadBytes is the maximum number of bytes that Format.Begins gets.
const HeadBytes = 64 << 10

// Find returns the format of the file at path, which begins with head. Among the formats with the extension
// of the file, Find returns the first that accepts head, or else the last. If no format has the extension, it
// returns the first of all formats to accept head, or nil. It returns nil for .toml.
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

// XMLWith returns a function that reports whether head begins like XML and, if words are given,
// contains one of them.
func XMLWith(words ...string) func(head []byte) bool {
	return func(head []byte) bool {
		has := func(word string) bool { return bytes.Contains(head, []byte(word)) }
		return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<")) &&
			(len(words) == 0 || slices.ContainsFunc(words, has))
	}
}

// Name returns the name of a file without its folder or known extensions.
func Name(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), ".gz")
	for _, ending := range []string{".xml", ".map", ".wkt", ".scenario", ".toml"} {
		if short, cut := strings.CutSuffix(name, ending); cut {
			return short
		}
	}
	return name
}

// Crowd is the crowd that a file describes.
type Crowd struct {
	Name, Text string
	Try        string   // suggestion in the live view
	Featured   []string // parameters that the live view features
	Notes      []string // for readers of the metrics
	Files      []string // files that were read; nil means only the file itself
	Warnings   []string // "file:line: …"

	Recorded bool // the file is a recording of people
	Own      bool // the agents have the default bodies, speeds and behaviors of people
	Jams     bool // agents look as far ahead as people do in jams and at doors

	Seed  uint64
	Dt    float64 // s
	Steps float64
	Box   r2.Box // m; zero means a box around everything
	Wraps bool   // agents that leave the box on one side enter it on the other

	Circles  []Disc
	Walls    [][2]r2.Vec // m
	Polygons [][]r2.Vec  // m
	Boxes    []r2.Box    // m
	Zones    []systems.Zone
	Lines    []measure.MeasurementLine
	Areas    []r2.Box // m, for measurements

	Groups []Group
}

// AddOutline adds an obstacle: a wall if there are two corners, and otherwise a polygon.
func (c *Crowd) AddOutline(corners []r2.Vec) {
	if len(corners) == 2 {
		c.Walls = append(c.Walls, [2]r2.Vec(corners))
		return
	}
	c.Polygons = append(c.Polygons, corners)
}

// Group is a group of similar agents. In each list except Come, the element for agent i is at i modulo the
// length.
type Group struct {
	Name     string
	Count    int
	At       Place
	Velocity r2.Vec // m/s, at the start

	Radius   []float64 // m
	MaxSpeed []float64 // m/s
	Normal   *Normal   // m/s, instead of MaxSpeed
	MaxForce []float64 // N, for a mass of 1 kg; empty means the default
	Delay    []float64 // s, time for which agents stand at the start

	Come  []world.Batch // when agents come; nil means at the start
	Every *Every        // takes precedence over Come

	Target      *Place    // nil means none, apart from the stops of Itineraries
	Reach       []float64 // m, distance from the target at which agents have arrived
	Then        Then
	FieldCell   float64 // m, cell width of the flow field to the target; 0 means no field
	Itineraries [][]systems.Stop

	ORCA func(*c.ORCA) // changes the parameters of agents with ORCA; may be nil
}

// Add adds an agent to a group that has a radius, in m, and a speed, in m/s, for each agent.
func (g *Group) Add(at r2.Vec, radius, speed float64) {
	g.Count++
	g.At.Points, g.Radius, g.MaxSpeed = append(g.At.Points, at), append(g.Radius, radius), append(g.MaxSpeed, speed)
}

// Goes sets the target and the reach, in m, of the agent added last, and its stops unless stops is nil.
func (g *Group) Goes(to r2.Vec, reach float64, stops []systems.Stop) {
	if g.Target == nil {
		g.Target = &Place{}
	}
	g.Target.Points, g.Reach = append(g.Target.Points, to), append(g.Reach, reach)
	if stops != nil {
		g.Itineraries = append(g.Itineraries, stops)
	}
}

// Place is where agents start or go: points, a disc, one of several boxes, or a single box.
type Place struct {
	Points []r2.Vec // m
	Disc   *Disc
	Boxes  []r2.Box // m; an agent starts in one, drawn in proportion to area; a field leads to the nearest
	Box    r2.Box   // m
	Clear  float64  // m, minimum distance from obstacles
}

// Disc is a round area or obstacle.
type Disc struct {
	Center r2.Vec  // m
	Radius float64 // m
}

// Normal is a normal distribution within limits.
type Normal struct{ Mean, SD, Min, Max float64 }

// Every is a schedule: AtOnce agents come every Interval seconds between From and Until.
type Every struct {
	From, Until, Interval float64 // s
	AtOnce                int
}

// MaxForce is the default maximum force, in N, for a mass of 1 kg.
const MaxForce = 5

// Then is what agents do at their target.
type Then int

const (
	Nothing Then = iota // they have no target
	Stay
	Leave
	Again  // begin again at their start
	Repeat // repeat their itinerary
)
