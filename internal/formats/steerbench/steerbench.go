// Package steerbench reads the test cases of SteerBench, the benchmark of SteerSuite: XML files with
// agents, goals and obstacles, some of them at random places. Coordinates are in meters; x and z in the
// file are x and y here, and y in the file, which points up, is ignored.
//
// Sources: Singh, Kapadia, Faloutsos, Reinman 2009, "SteerBench: a benchmark suite for evaluating
// steering behaviors"; its TestCaseSchema; the SteerSuite library, class TestCaseReader.
package steerbench

import (
	"cmp"
	"strings"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// SteerSuite has no defaults, but its example test case calls the first two usual.
const (
	DefaultRadius     = 0.5 // m, of an agent
	DefaultSpeed      = 1.3 // m/s, desired on the way to a goal
	DefaultDoorRadius = 1.0 // m, half the width of a doorway
)

// TestCase is a test case before Place.
type TestCase struct {
	Name            string // base name of the file if the file contains none
	Bounds          r2.Box // m, of the world; may be empty, and agents may be outside
	Agents          []Agent
	Regions         []AgentRegion    // agents at random places
	Emitters        []Agent          // each emits an agent, and the next one when that agent has left
	Obstacles       []Obstacle       // may overlap
	ObstacleRegions []ObstacleRegion // obstacles at random places
	Line            int              // of the root element
	Warnings        []string         // "file:line: …"
}

// Agent is an agent of a test case.
type Agent struct {
	Name            string
	Radius          float64 // m, above 0
	Speed           float64 // m/s, at the start; for the desired speed, see Goals
	Position        r2.Vec  // m; unknown while Random
	Random          bool    // the agent starts anywhere in Bounds
	Bounds          r2.Box  // m; used while Random
	Direction       r2.Vec  // of any length, including 0; unknown while RandomDirection
	RandomDirection bool
	Goals           []Goal // in order
}

// AgentRegion is a number of agents that differ only in what is random.
type AgentRegion struct {
	Count int
	Agent Agent // always Random; Bounds is the region
}

// Obstacle is a polygon or a circle.
type Obstacle struct {
	Outline []r2.Vec // m, closed, in either winding order; two points are a wall; empty for a circle
	Center  r2.Vec   // m, of a circle
	Radius  float64  // m, of a circle
}

// ObstacleRegion is a number of square obstacles with sides along the axes.
type ObstacleRegion struct {
	Count  int
	Size   float64 // m, of a side
	Bounds r2.Box  // m
}

const (
	defaultMaxAgents = 1_000_000
	maxRandom        = 100_000   // obstacles of regions
	maxGoals         = 4_000_000 // of all agents
)

// Read reads the test case at path, which may be gzipped. Errors begin with the file and, if there is one,
// the line. They wrap errors from the operating system.
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
	r.test.Name = cmp.Or(r.test.Name, formats.Name(path))
	r.test.Warnings = log.Warnings(path)
	return r.test, nil
}

var parts = textio.Words{
	IgnoredAttrs: strings.Fields("SubSpaceSamples"),
	Children: strings.Fields(`header agent agentRegion agentEmitter obstacle obstacleRegion
		circleObstacle orientedBoxObstacle orientedWallObstacle polygonObstacle`),
	IgnoredChildren: strings.Fields("suggestedCameraView"),
}

// aim lists what any goal may contain. The ignored words are for the steering of SteerSuite's own
// agents, and for curves.
var aim = textio.Words{
	Children: strings.Fields(`targetLocation targetDirection targetName goalRegionBounds random
		desiredSpeed timeDuration`),
	IgnoredChildren: strings.Fields("targetTangent targetTime type flowType state Behaviour"),
}

var (
	point = textio.Words{Children: strings.Fields("x y z random")}
	box   = textio.Words{Children: strings.Fields("xmin xmax ymin ymax zmin zmax")}
)

// vocabulary lists what test cases may contain, by element. Other elements contain only text. The
// ignored words are for behaviors that the benchmark lacks.
var vocabulary = map[string]textio.Words{
	"SteerBenchTestCase": parts,
	"SteerSuiteSubSpace": parts,

	"header": {Children: strings.Fields("version name worldBounds"), IgnoredChildren: strings.Fields("description passingCriteria")},

	"agent":        {Children: strings.Fields("name initialConditions goalSequence radius"), IgnoredChildren: strings.Fields("bag")},
	"agentEmitter": {Children: strings.Fields("name initialConditions goalSequence radius"), IgnoredChildren: strings.Fields("bag")},
	"agentRegion":  {Children: strings.Fields("numAgents regionBounds initialConditions goalSequence name"), IgnoredChildren: strings.Fields("bag")},
	"initialConditions": {
		Children:        strings.Fields("radius position direction speed"),
		IgnoredChildren: strings.Fields("color groupId spawn_time despawn_time"),
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
	"obstacleRegion":       {Children: strings.Fields("numObstacles obstacleSize regionBounds"), IgnoredChildren: strings.Fields("obstacleHeight")},
	"circleObstacle":       {Children: strings.Fields("radius position"), IgnoredChildren: strings.Fields("height")},
	"orientedBoxObstacle":  {Children: strings.Fields("thetaY size position")},
	"orientedWallObstacle": {Children: strings.Fields("thetaY size position doorway")},
	"doorway":              {Children: strings.Fields("value doorRadius random")},
	"polygonObstacle":      {IgnoredAttrs: strings.Fields("isClosed"), Children: strings.Fields("vertex")},

	"worldBounds": box, "regionBounds": box, "goalRegionBounds": box,
	"position": point, "direction": point, "targetLocation": point, "targetDirection": point, "size": point, "vertex": point,
}

func (r *reader) crowd(t textio.Tag) error {
	ag := Agent{Bounds: r.test.Bounds}
	count, needed := 1, []string{"initialConditions"}
	if t.Name == "agentRegion" {
		ag.Random = true
		needed = append(needed, "numAgents", "regionBounds")
	}
	_, err := r.fields(t, func(c textio.Tag) (err error) {
		switch c.Name {
		case "name":
			ag.Name, err = r.Text(c)
		case "initialConditions":
			err = r.conditions(&ag, c)
		case "goalSequence":
			err = r.Element(c, func(t textio.Tag) error {
				g, err := r.goal(t)
				ag.Goals = append(ag.Goals, g)
				return err
			})
		case "radius":
			err = r.radius(&ag, c)
		case "numAgents":
			err = r.count(&count, c)
		case "regionBounds":
			ag.Bounds, err = r.box(c)
		}
		return err
	}, needed...)
	if err != nil {
		return err
	}
	if ag.Radius == 0 {
		ag.Radius = DefaultRadius
		r.Warn(t.Line, "<%s> without <radius>: taken as %g m", t.Name, DefaultRadius)
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

func (r *reader) conditions(ag *Agent, t textio.Tag) error {
	region := ag.Random
	var needed []string
	if !region {
		needed = []string{"position"}
	}
	_, err := r.fields(t, func(c textio.Tag) (err error) {
		switch c.Name {
		case "radius":
			err = r.radius(ag, c)
		case "position":
			if region {
				err := r.Odd(c.Line, "none, since the region places its agents", "<position> in <agentRegion>")
				return cmp.Or(err, r.Skip(c))
			}
			ag.Position, ag.Random, err = r.point(c)
		case "direction":
			ag.Direction, ag.RandomDirection, err = r.point(c)
		case "speed":
			err = r.number(&ag.Speed, c, textio.NotNegative("a speed of at least 0"))
		}
		return err
	}, needed...)
	return err
}

// radius reads a radius, which some test cases have outside <initialConditions>.
func (r *reader) radius(ag *Agent, t textio.Tag) error {
	if ag.Radius != 0 {
		return textio.ErrSecond
	}
	return r.number(&ag.Radius, t, textio.AboveZero("a radius above 0"))
}
