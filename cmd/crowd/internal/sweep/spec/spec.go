// Package spec reads what a sweep runs: scenes, axes, a design, seeds, and limits. A point is made
// from its index alone, so that a million points take no memory.
package spec

import (
	"time"

	"gonum.org/v1/gonum/spatial/r2"

	"github.com/8f878440/crowd/systems/measure"
)

// Limits of a spec.
const (
	maxBytes  = 256 << 10     // of the file
	maxRuns   = 1_000_000_000 // that it asks for
	maxScenes = 1000
	maxSeeds  = 1_000_000
	maxAxes   = 32
	maxValues = 10_000 // of an axis
	maxTries  = 100
)

// Spec is what a sweep runs.
type Spec struct {
	Name   string // of the file, for messages
	Text   []byte // of the file
	Scenes []Scene
	Seeds  []uint64 // nil: 1 to SeedCount
	Axes   []Axis   // beside scene and seed, in the order of the file
	Design Design
	Run    Run
	Limits Limits
	Files  []File // of the scenes

	seedCount int
	root      string // folder that the names of files are relative to
}

// Scene is one of the scenes of a sweep.
type Scene struct {
	Name string // as it is written
	File string // its name among the files; empty for a built-in scene
}

// Design says which of all combinations of values are run, in each scene.
type Design struct {
	Kind   Kind
	Points int64 // of a design that is no grid
	Seed   uint64
}

// Kind is a kind of design.
type Kind string

// The kinds of designs.
const (
	Grid   Kind = "grid"            // every combination once
	Halton Kind = "halton"          // points that leave no gaps, however many of them are run
	Latin  Kind = "latin-hypercube" // each axis is cut into as many parts as there are points, and each part has one
)

// Run says how long a run is, and what is measured.
type Run struct {
	Steps  int           // 0: as Time or else the scene says
	Time   time.Duration // that is simulated; 0: as Steps or else the scene says
	Safety bool          // whether collisions of agents with one another are counted
	Lines  []measure.MeasurementLine
	Areas  []r2.Box
}

// Limits are those of one run.
type Limits struct {
	Time   time.Duration // that it may take
	Memory uint64        // bytes that it may need; 0: what the machine has
	Tries  int           // after which a run that does not end is given up
}

// Limits where the file has none.
const (
	defaultTime  = 10 * time.Minute
	defaultTries = 3
)

// Runs returns how many runs there are. Their indexes are 0 to Runs()-1.
func (s *Spec) Runs() int64 { return s.Points() * int64(s.SeedCount()) }

// Points returns how many points there are in all scenes, each of which is run with every seed.
func (s *Spec) Points() int64 { return int64(len(s.Scenes)) * s.pointsOfScene() }

// SeedCount returns how many seeds there are.
func (s *Spec) SeedCount() int {
	if s.Seeds != nil {
		return len(s.Seeds)
	}
	return s.seedCount
}

func (s *Spec) seed(i int64) uint64 {
	if s.Seeds != nil {
		return s.Seeds[i]
	}
	return uint64(i) + 1
}

func (s *Spec) pointsOfScene() int64 {
	if s.Design.Kind != Grid {
		return s.Design.Points
	}
	n := int64(1)
	for i := range s.Axes {
		n *= int64(s.Axes[i].count())
	}
	return n
}

// AxisNames returns the names of the axes as columns of a table have them, the scene first.
func (s *Spec) AxisNames() []string {
	names := []string{"scene"}
	for i := range s.Axes {
		names = append(names, s.Axes[i].Name)
	}
	return names
}
