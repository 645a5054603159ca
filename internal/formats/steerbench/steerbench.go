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
	"cmp"
	"github.com/8f878440/crowd/internal/formats"
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

const (
	defaultMaxAgents = 1_000_000
	maxRandom        = 100_000   // obstacles that stand at random
	maxGoals         = 4_000_000 // of all agents, regions counted out
)

// Read reads the test case at path, which may be gzipped, whatever its name.
//
// Errors name the file and, where there is one, the line. A file that can't be
// opened leaves an error that matches fs.ErrNotExist and the like.
func Read(path string, o formats.Options) (*TestCase, error) {
	o.MaxAgents = cmp.Or(o.MaxAgents, defaultMaxAgents)
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
		r.test.Name = formats.Name(path)
	}
	r.test.Warnings = log.Warnings(path)
	return r.test, nil
}

// parts are what stands side by side in a test case. Camera views don't change
// what the agents do.
var parts = textio.Words{
	IgnoredAttrs: textio.List("SubSpaceSamples"),
	Children: textio.List(`header agent agentRegion agentEmitter obstacle obstacleRegion
		circleObstacle orientedBoxObstacle orientedWallObstacle polygonObstacle`),
	IgnoredChildren: textio.List("suggestedCameraView"),
}

// aim is what any goal may hold: SteerSuite reads the same for all of them. The
// words that are passed over belong to the steering of its own agents, and to
// curves, which its agents don't walk as crowds.
var aim = textio.Words{
	Children: textio.List(`targetLocation targetDirection targetName goalRegionBounds random
		desiredSpeed timeDuration`),
	IgnoredChildren: textio.List("targetTangent targetTime type flowType state Behaviour"),
}

// point and box are places and extents; y points up and is read but not used.
var (
	point = textio.Words{Children: textio.List("x y z random")}
	box   = textio.Words{Children: textio.List("xmin xmax ymin ymax zmin zmax")}
)

// vocabulary is all that test cases hold, by element. Elements that are not here
// hold a text, no attributes and no elements. Baggage (bag) and membership of
// a group (groupId) mark agents for behaviors that the benchmark itself does
// not have; so do the times of appearance.
var vocabulary = map[string]textio.Words{
	"SteerBenchTestCase": parts,
	"SteerSuiteSubSpace": parts,

	"header": {Children: textio.List("version name worldBounds description"), IgnoredChildren: textio.List("passingCriteria")},

	"agent":        {Children: textio.List("name initialConditions goalSequence radius"), IgnoredChildren: textio.List("bag")},
	"agentEmitter": {Children: textio.List("name initialConditions goalSequence radius"), IgnoredChildren: textio.List("bag")},
	"agentRegion":  {Children: textio.List("numAgents regionBounds initialConditions goalSequence name"), IgnoredChildren: textio.List("bag")},
	"initialConditions": {
		Children:        textio.List("radius position direction speed"),
		IgnoredChildren: textio.List("color groupId spawn_time despawn_time"),
	},

	"goalSequence":             {Children: kindNames[:]},
	"seekStaticTarget":         aim,
	"fleeStaticTarget":         aim,
	"seekDynamicTarget":        aim,
	"fleeDynamicTarget":        aim,
	"flowStaticDirection":      aim,
	"flowDynamicDirection":     aim,
	"idle":                     aim,
	"groupTarget":              aim,
	"seekAxisAlignedBoxRegion": aim,

	"obstacle":             box,
	"obstacleRegion":       {Children: textio.List("numObstacles obstacleSize regionBounds"), IgnoredChildren: textio.List("obstacleHeight")},
	"circleObstacle":       {Children: textio.List("radius position"), IgnoredChildren: textio.List("height")},
	"orientedBoxObstacle":  {Children: textio.List("thetaY size position")},
	"orientedWallObstacle": {Children: textio.List("thetaY size position doorway")},
	"doorway":              {Children: textio.List("value doorRadius random")},
	"polygonObstacle":      {IgnoredAttrs: textio.List("isClosed"), Children: textio.List("vertex")},

	"worldBounds": box, "regionBounds": box, "goalRegionBounds": box,
	"position": point, "direction": point, "targetLocation": point, "targetDirection": point, "size": point, "vertex": point,
}

// crowd reads an agent, an emitter or a region of agents.
func (r *reader) crowd(t textio.Tag) error {
	ag := Agent{Bounds: r.test.Bounds}
	count := 1
	seen, err := r.fields(t, func(c textio.Tag) (err error) {
		switch c.Name {
		case "name":
			ag.Name, err = r.Text(c)
		case "initialConditions":
			err = r.conditions(&ag, c, t.Name == "agentRegion")
		case "goalSequence":
			ag.Goals, err = r.goals(c)
		case "radius":
			err = r.radius(&ag, c)
		case "numAgents":
			err = r.count(&count, c)
		case "regionBounds":
			ag.Bounds, err = r.box(c)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := r.lacks(t, seen, "initialConditions"); err != nil {
		return err
	}
	if ag.Radius == 0 {
		ag.Radius = DefaultRadius
		r.Warn(t.Line, "<%s> without <radius>: taken as %g", t.Name, DefaultRadius)
	}
	if t.Name == "agentRegion" {
		if err := r.lacks(t, seen, "numAgents", "regionBounds"); err != nil {
			return err
		}
		ag.Random = true
	}
	if count > r.MaxAgents-r.agents {
		return r.Fail(t.Line, "too many agents: want at most %d", r.MaxAgents)
	}
	r.agents += count
	if r.aims += count * len(ag.Goals); r.aims > maxGoals {
		return r.Fail(t.Line, "too many goals: want at most %d for all agents", maxGoals)
	}
	switch t.Name {
	case "agent":
		r.test.Agents = append(r.test.Agents, ag)
	case "agentEmitter":
		r.test.Emitters = append(r.test.Emitters, ag)
	default:
		r.test.Regions = append(r.test.Regions, AgentRegion{Count: count, Agent: ag})
	}
	return nil
}

// conditions reads how an agent starts. A direction that is left out is zero.
func (r *reader) conditions(ag *Agent, t textio.Tag, region bool) error {
	seen, err := r.fields(t, func(c textio.Tag) (err error) {
		switch c.Name {
		case "radius":
			err = r.radius(ag, c)
		case "position":
			if region {
				if err := r.Odd(c.Line, "none, since the region places its agents", "<position> in <agentRegion>"); err != nil {
					return err
				}
				return r.Skip(c)
			}
			ag.Position, ag.Random, err = r.point(c)
		case "direction":
			ag.Direction, ag.RandomDirection, err = r.point(c)
		case "speed":
			err = r.number(&ag.Speed, c, textio.NotNegative, "a speed of at least 0")
		}
		return err
	})
	if err != nil || region {
		return err
	}
	return r.lacks(t, seen, "position")
}

// radius reads a radius, which some test cases hold beside the initial
// conditions.
func (r *reader) radius(ag *Agent, t textio.Tag) error {
	if ag.Radius != 0 {
		return textio.ErrSecond
	}
	return r.number(&ag.Radius, t, textio.AboveZero, "a radius above 0")
}
