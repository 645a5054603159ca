// Package umans reads the XML files of UMANS, the Unified Microscopic Agent
// Navigation Simulator: a simulation file with the agents and obstacles that it
// includes, or a bare agents file. It yields plain data in the plane x–y, in
// meters and seconds; what the crowd does with them is decided elsewhere.
//
// Missing attributes take the defaults of UMANS. What a file may hold, and what
// of it is passed over, stands in one table: see vocabulary.
//
// Sources: van Toll, Grzeskowiak, Gandía et al. 2020, "Generalized microscopic
// crowd simulation using costs in velocity space"; the UMANS engine, class
// CrowdSimulator.
package umans

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// Defaults of UMANS for attributes that a file leaves out.
const (
	DefaultRadius         = 0.24 // m
	DefaultPreferredSpeed = 1.4  // m/s
	DefaultMaxSpeed       = 1.8  // m/s
	DefaultGoalRadius     = 1.0  // in radii of the agent
)

// Simulation is a UMANS scenario: a simulation file with all that it includes,
// or a bare agents file.
type Simulation struct {
	Name          string
	Dt            float64    // length of a step, s; 0 for a bare agents file
	EndTime       float64    // s; 0 when the file does not say
	Toric         bool       // positions wrap at ±Width/2 and ±Height/2, so the origin is the center
	Width, Height float64    // m; 0 unless Toric
	GoalRadius    float64    // an agent arrives within GoalRadius·Radius of its goal; 0 when the file does not say
	Agents        []Agent    // at least one
	Obstacles     [][]r2.Vec // closed outlines, m, wound either way; two points are a wall without thickness, three may lie on a line
	Files         []string   // that were read, as they were named or beside the one that names them
	Warnings      []string   // "file:line: …", what was not read though the file holds it
}

// Agent is one agent as its file describes it.
type Agent struct {
	ID              int64   // −1 when the file gives none; need not be unique
	Position        r2.Vec  // m
	Goal            r2.Vec  // m; the position when HasGoal is false
	HasGoal         bool    // without a goal the agent does not walk
	Radius          float64 // m, above 0
	PreferredSpeed  float64 // m/s, at least 0; may be above MaxSpeed, which then limits it
	MaxSpeed        float64 // m/s, at least 0
	MaxAcceleration float64 // m/s²; 0 when the file does not say, which means no limit
	StartTime       float64 // s at which the agent appears; 0 or less is the start
	RemoveAtGoal    bool    // leaves the world on arrival; otherwise it stands there
}

// Options says how to read. The zero value is strict, with default limits.
type Options struct {
	Obstacles string // a further obstacles file, for instance beside a bare agents file
	Lenient   bool   // skip unknown elements and attributes with a warning, instead of an error
	MaxBytes  int64  // limit of one file, unpacked; 0 means 4 GiB
	MaxAgents int    // limit of the crowd; 0 means 10 million

	OtherRoots []string // root elements of files of other programs, which an error names beside those of UMANS

	Context context.Context         // ends reading, with its error; nil: nothing does
	Allow   func(path string) error // is asked before a file is opened; nil: all may be
}

// allow asks whether a file may be opened.
func (o *Options) allow(path string) error {
	if o.Allow == nil {
		return nil
	}
	return o.Allow(path)
}

const (
	defaultMaxAgents = 10_000_000
	maxConfigPaths   = 8 // files that name another file in their place
)

// Read reads the simulation or agents file at path. Files that it includes are
// sought relative to its folder. Any of them may be gzipped, whatever its name.
//
// Errors name the file and, where there is one, the line. A file that
// can't be opened leaves an error that matches fs.ErrNotExist and the like.
func Read(path string, o Options) (*Simulation, error) {
	if o.MaxAgents <= 0 {
		o.MaxAgents = defaultMaxAgents
	}
	l := &loader{Options: o, sim: &Simulation{Name: name(path)}}
	if err := l.main(path); err != nil {
		return nil, err
	}
	if o.Obstacles != "" {
		if err := l.extraObstacles(o.Obstacles); err != nil {
			return nil, err
		}
	}
	if len(l.sim.Agents) == 0 {
		return nil, fmt.Errorf("%s: no agents: want at least one <Agent>", l.agentsAt)
	}
	l.sim.Warnings = l.log.Warnings(path)
	return l.sim, nil
}

// name is the file's base name without .gz and .xml.
func name(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), ".gz")
	return strings.TrimSuffix(base, ".xml")
}
