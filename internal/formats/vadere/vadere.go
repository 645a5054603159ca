// Package vadere reads the scenarios of Vadere, a simulator of pedestrians: JSON files
// with a floor, people, and the parameters of its models, of all its versions from 0.1 on.
// It reads the floor and the people; what belongs to models and output it passes over.
package vadere

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// Scenario is what a file says of a floor and of the people on it. All targets that
// people go to are there, and all numbers are finite.
type Scenario struct {
	Name       string
	FinishTime float64 // s, when the simulation ends
	Seed       *int64  // nil: the file leaves it to chance

	Bounds r2.Box  // m
	Border float64 // m, thickness of the walls along the inside of Bounds; 0: there are none

	Obstacles []Shape
	Targets   []Target
	Sources   []Source
	People    []Person // that are there from the start
	Areas     []Area
	Stairs    []Stairs
	Lines     [][2]r2.Vec // m, across which Vadere counts people

	Unused   []Unused // what the file has that is not read
	Warnings []string
}

// Target is a place to go to. Several with the same ID are one target of several shapes.
type Target struct {
	ID   int
	Line int // in the file
	Shape
	Absorbs  bool         // people there leave the floor
	Distance float64      // m, from the shape, at which it is reached
	Wait     Distribution // s, how long people stay there
	Lights   bool         // they wait at traffic lights: Wait is how long the light is red
	Speed    float64      // m/s, at which they go on from there; 0: as before
	Most     int          // how many wait there at the same time; 0: any number
}

// Source is a place where people come from.
type Source struct {
	ID   int
	Line int
	Shape
	Targets      []int // IDs, one after another
	Start, End   float64
	Count        int          // how many come each time
	Most         int          // how many come in all; -1: any number
	Every        Distribution // s, from one time to the next
	Pedestrian   Pedestrian
	Cars, Groups bool // it makes cars in place of people; people come in groups
}

// Once reports whether people come at Start only.
func (s *Source) Once() bool { return s.Start == s.End }

// Person is there from the start.
type Person struct {
	Line       int
	Position   r2.Vec // m
	Velocity   r2.Vec // m/s
	Targets    []int  // IDs, one after another
	Speed      float64
	Pedestrian Pedestrian
}

// Pedestrian is how people are. Speeds are normal, in m/s, and drawn again outside of the
// limits.
type Pedestrian struct {
	Radius                    float64 // m
	Mean, Deviation           float64
	LeastSpeed, GreatestSpeed float64
}

// Area is one in which something is measured.
type Area struct {
	ID, Line int
	Shape
}

// Stairs lead up in a direction.
type Stairs struct {
	Line int
	Shape
	Up r2.Vec
}

// Unused is a part that is known and not read, such as targetChangers.
type Unused struct {
	Key  string
	Line int
	N    int // how many there are
}

// Read reads a file, which errors call by its path, from its content.
func Read(path string, data []byte, o formats.Options) (*Scenario, error) {
	r := &reader{Options: o, file: path, data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	r.dec.UseNumber()
	s := &Scenario{}
	if err := r.scenario(s); err != nil {
		return nil, err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return nil, r.fail("has more than one value, want the end of the file")
	}
	s.Warnings = r.log.Warnings(path)
	return s, r.complete(s)
}

// scenario reads the whole file.
func (r *reader) scenario(s *Scenario) error {
	root := false
	inside := func() error { root = true; return r.inside(s) }
	err := r.object("file", fields{
		"name":           func() error { return r.text(&s.Name) },
		"processWriters": func() error { return r.processWriters(s) },
		"scenario":       inside,
		"vadere":         inside, // before version 0.1
	})
	if err == nil && !root {
		err = r.fail("has no scenario, want a file of Vadere: {\"scenario\" : {\"topography\" : …}}")
	}
	return err
}

func (r *reader) inside(s *Scenario) error {
	topography := false
	pedestrian := defaultPedestrian
	err := r.object("scenario", fields{
		"topography":           func() error { topography = true; return r.topography(s, &pedestrian) },
		"attributesPedestrian": func() error { return r.pedestrian(&pedestrian) }, // before version 0.1
		"attributesSimulation": func() error { return r.simulation(s) },
		"stimulusInfos":        func() error { return r.unused(s, "stimulusInfos") },
		"eventInfos":           func() error { return r.unused(s, "eventInfos") },
	})
	if err == nil && !topography {
		err = r.fail("has no topography, want one: bounds, obstacles, sources, targets")
	}
	for i := range s.Sources {
		orPedestrian(&s.Sources[i].Pedestrian, pedestrian)
	}
	for i := range s.People {
		orPedestrian(&s.People[i].Pedestrian, pedestrian)
	}
	return err
}

// orPedestrian gives people without attributes of their own those of all.
func orPedestrian(p *Pedestrian, all Pedestrian) {
	if *p == (Pedestrian{}) {
		*p = all
	}
}

func (r *reader) simulation(s *Scenario) error {
	fixed := true
	seed := func() error {
		var n int64
		set, err := r.whole(&n, -1<<63, 1<<63-1)
		if set {
			s.Seed = &n
		}
		return err
	}
	err := r.object("attributesSimulation", fields{
		"finishTime":    func() error { return r.time(&s.FinishTime, textio.AboveZero, "a time above 0") },
		"useFixedSeed":  func() error { return r.boolean(&fixed) },
		"useRandomSeed": func() error { return r.boolean(&fixed) }, // before version 0.2: that of the file
		"fixedSeed":     seed,
		"randomSeed":    seed,
	})
	if !fixed {
		s.Seed = nil
	}
	return err
}

// complete verifies that nothing is missing.
func (r *reader) complete(s *Scenario) error {
	if s.FinishTime == 0 {
		return r.failAt(1, "scenario.attributesSimulation has no finishTime, want a time above 0, in seconds")
	}
	there := map[int]bool{}
	for i := range s.Targets {
		there[s.Targets[i].ID] = true
	}
	check := func(line int, what string, targets *[]int) error {
		for i, id := range *targets {
			if there[id] {
				continue
			}
			if err := r.oddAt(line, "the id of one of targets", "%s: targetIds[%d] is %d", what, i, id); err != nil {
				return err
			}
		}
		*targets = slices.DeleteFunc(*targets, func(id int) bool { return !there[id] })
		return nil
	}
	for i := range s.Sources {
		if err := check(s.Sources[i].Line, "a source", &s.Sources[i].Targets); err != nil {
			return err
		}
	}
	for i := range s.People {
		if err := check(s.People[i].Line, "a pedestrian", &s.People[i].Targets); err != nil {
			return err
		}
	}
	s.Warnings = r.log.Warnings(r.file)
	return nil
}

// vocabulary are the keys that are known and passed over, by the kind of object: they belong
// to Vadere's models of walking, of psychology and of health, to its output, and to its
// windows. * stands for any key.
var vocabulary = map[string][]string{
	"file":           textio.List("description release commithash topographyhash attributeshash"),
	"processWriters": textio.List("*"),
	"scenario":       textio.List("mainModel attributesModel attributesPsychology attributesStrategy attributesCar"),
	"attributesSimulation": textio.List(`simTimeStepLength realTimeSimTimeRatio writeSimulationData visualizationEnabled printFPS
		digitsPerCoordinate simulationSeed needsBoundary useSalientBehavior`),
	"topography":            textio.List("attributesCar boundaries"),
	"topography.attributes": textio.List("referenceCoordinateSystem"),
	"obstacle":              textio.List("id visible"),
	"measurementArea":       textio.List("visible"),
	"stairs":                textio.List("id visible treadCount"),
	"target":                textio.List("visible waitingTimeYellowPhase startingWithRedLight"),
	"absorber":              nil,
	"waiter":                textio.List("individualWaiting"),
	"source":                textio.List("visible spawnAtRandomPositions spawnAtGridPositionsCA useFreeSpaceOnly"),
	"spawner":               textio.List("type eventPositionRandom eventPositionGridCA eventPositionFreeSpace"),
	"distribution":          nil,
	"shape":                 textio.List("identifier"),
	"point":                 textio.List("identifier"),
	"dynamicElement": textio.List(`source isCurrentTargetAnAgent idAsTarget isChild isLikelyInjured followers groupIds groupSizes
		agentsInGroup trajectory modelPedestrianMap psychologyStatus healthStatus infectionStatus mostImportantEvent
		salientBehavior`),
	"attributesPedestrian": textio.List(`id shape visible type densityDependentSpeed acceleration searchRadius footstepHistorySize
		footStepsToStore walkingDirectionCalculation walkingDirectionSameIfAngleLessOrEqual angleCalculationType
		targetOrientationAngleThreshold`),
}
