// Package steerbench reads the test cases of SteerBench, the benchmark of
// SteerSuite: XML files with agents, goals and obstacles, some of them placed at
// random. It yields plain data in the plane x–y, in meters and seconds: x and z
// of the file, whose y points up and is left out. What the crowd does with them
// is decided elsewhere.
//
// What a file may hold, and what of it is passed over, stands in one table: see
// vocabulary.
//
// Sources: Singh, Kapadia, Faloutsos, Reinman 2009, "SteerBench: a benchmark
// suite for evaluating steering behaviors"; its TestCaseSchema; the SteerSuite
// library, class TestCaseReader.
package steerbench

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// What a file leaves out. SteerSuite leaves these values undefined; its example
// test case names the radius and the speed as the usual ones.
const (
	DefaultRadius     = 0.5 // m, of an agent
	DefaultSpeed      = 1.3 // m/s, desired on the way to a goal
	DefaultDoorRadius = 1.0 // m, half the width of a doorway
)

// TestCase is one test case as its file describes it, before Place has settled
// what is random.
type TestCase struct {
	Name            string // the file's base name when it has none
	Description     string
	Version         string           // "1.0", "1.1" or "1.2"; "" when the file does not say
	Bounds          r2.Box           // of the world, m; may be empty, and agents may stand outside
	Agents          []Agent          // in the order of the file
	Regions         []AgentRegion    // groups of agents that stand at random
	Emitters        []Agent          // each emits such an agent at the start, and the next one when the last has gone
	Obstacles       []Obstacle       // may overlap
	ObstacleRegions []ObstacleRegion // groups of obstacles that stand at random
	Line            int              // of the root element
	Warnings        []string         // "file:line: …", what was not read though the file holds it
}

// Agent is one agent.
type Agent struct {
	Name            string
	Radius          float64 // m, above 0
	Speed           float64 // m/s at the start, at least 0; the desired speed stands in the goals
	Position        r2.Vec  // m; not yet known when Random
	Random          bool    // stands anywhere in Bounds
	Bounds          r2.Box  // m; of no meaning unless Random
	Direction       r2.Vec  // any length, also 0; not yet known when RandomDirection
	RandomDirection bool
	Goals           []Goal // in turn; there may be none
}

// AgentRegion is a number of agents that differ in nothing but their place.
type AgentRegion struct {
	Count int
	Agent Agent // always Random; Bounds is the region
}

// Obstacle is a polygon or a circle.
type Obstacle struct {
	Outline []r2.Vec // closed, m, wound either way; two points are a wall without thickness; none in a circle
	Center  r2.Vec   // of a circle, m
	Radius  float64  // of a circle, m, above 0
}

// ObstacleRegion is a number of square obstacles, their sides along the axes.
type ObstacleRegion struct {
	Count  int
	Size   float64 // side, m, above 0
	Bounds r2.Box  // m
}

// Options says how to read. The zero value is strict, with default limits.
type Options struct {
	Lenient   bool  // skip unknown elements and attributes with a warning, instead of an error
	MaxBytes  int64 // limit of the file, unpacked; 0 means 4 GiB
	MaxAgents int   // limit of the crowd, regions counted out; 0 means 1 million

	Context context.Context // ends reading, with its error; nil: nothing does
}

const (
	defaultMaxAgents = 1_000_000
	maxRandom        = 100_000   // obstacles that stand at random
	maxGoals         = 4_000_000 // of all agents, regions counted out
)

// Read reads the test case at path, which may be gzipped, whatever its name.
//
// Errors name the file and, where there is one, the line. A file that can't be
// opened leaves an error that matches fs.ErrNotExist and the like.
func Read(path string, o Options) (*TestCase, error) {
	if o.MaxAgents <= 0 {
		o.MaxAgents = defaultMaxAgents
	}
	var log textio.Log
	f := textio.Format{Vocabulary: vocabulary, Namespaced: true, Lenient: o.Lenient, MaxBytes: o.MaxBytes, Context: o.Context}
	in, err := textio.Open(path, "", f, &log)
	if err != nil {
		return nil, err
	}
	r := &reader{Reader: in, Options: o, test: &TestCase{}}
	if err := r.Read(r.testCase, "SteerBenchTestCase", "SteerSuiteSubSpace"); err != nil {
		return nil, err
	}
	if err := r.checkNames(); err != nil {
		return nil, err
	}
	if r.test.Name == "" {
		r.test.Name = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".xml")
	}
	r.test.Warnings = log.Warnings(path)
	return r.test, nil
}
