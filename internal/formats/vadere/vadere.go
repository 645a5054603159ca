// Package vadere reads the scenarios of Vadere, a pedestrian simulator: JSON files, including those of old
// versions. It reads the floor, the people, and the lines across which Vadere counts people, and ignores the
// rest, such as models.
package vadere

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// Scenario is a floor and the people on it. Targets contains every target that people go to. All
// numbers are finite.
type Scenario struct {
	Name       string
	FinishTime float64 // s, time at which the simulation ends
	Seed       *int64  // nil if the file has none, or does not fix it

	Bounds r2.Box  // m
	Border float64 // m, thickness of the walls along the inside of Bounds; 0 means no walls

	Obstacles []Shape
	Targets   []Target
	Sources   []Source
	People    []Person // present from the start
	Areas     []Area
	Stairs    []Stairs
	Lines     [][2]r2.Vec // m, lines across which Vadere counts people

	Unused   []Unused
	Warnings []string
}

// Target is a place to go to. Targets with the same ID are one target of several shapes.
type Target struct {
	ID   int
	Line int
	Shape
	Absorbs  bool         // people leave the floor there
	Distance float64      // m, distance from the shape at which people count as arrived
	Wait     Distribution // s, time for which people stay there
	Lights   bool         // the target is a traffic light, which is red for Wait
	Speed    float64      // m/s, after the target; 0 means unchanged
	Most     int          // maximum number of people waiting at the same time; 0 means any number
}

// Source is a place where people come from.
type Source struct {
	ID   int
	Line int
	Shape
	Targets      []int        // IDs, in the order of visits
	Start, End   float64      // s
	Count        int          // number of people arriving together
	Most         int          // maximum number of people in all; -1 means any number
	Every        Distribution // s, time between arrivals
	Pedestrian   Pedestrian
	Cars, Groups bool // with Cars, cars come instead of people; with Groups, people come in groups
}

// Once reports whether people come only at Start.
func (s *Source) Once() bool { return s.Start == s.End }

// Person is a person present from the start.
type Person struct {
	Line       int
	Position   r2.Vec  // m
	Velocity   r2.Vec  // m/s
	Targets    []int   // IDs, in the order of visits
	Speed      float64 // m/s; 0 means drawn from Pedestrian
	Pedestrian Pedestrian
}

// Pedestrian describes a kind of pedestrian. The speeds, in m/s, are normally distributed within limits.
type Pedestrian struct {
	Radius                    float64 // m
	Mean, Deviation           float64
	LeastSpeed, GreatestSpeed float64
}

// Area is a measurement area.
type Area struct {
	ID int
	Shape
}

// Stairs is a part of the floor with steps.
type Stairs struct {
	Shape
	Up r2.Vec // direction of ascent; zero means unknown
}

// Unused is a part that is not read, such as targetChangers.
type Unused struct {
	Key  string
	Line int
	N    int // number of elements
}

// Read reads the scenario in data, the unpacked file at path. Errors begin with path. With o.Lenient,
// unknown keys and targets are skipped with a warning. Read returns an error if o.Context is done.
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
	return s, r.complete(s)
}

func (r *reader) scenario(s *Scenario) error {
	root := false
	inside := func() error { root = true; return r.inside(s) }
	err := r.object("file", fields{
		"name":           r.text(&s.Name),
		"processWriters": func() error { return r.processWriters(s) },
		"scenario":       inside,
		"vadere":         inside, // before version 0.1
	})()
	if err == nil && !root {
		err = r.fail("has no scenario, want a Vadere file: {\"scenario\" : {\"topography\" : …}}")
	}
	return err
}

func (r *reader) inside(s *Scenario) error {
	topography := false
	pedestrian := defaultPedestrian
	err := r.object("scenario", fields{
		"topography":           func() error { topography = true; return r.topography(s, &pedestrian) },
		"attributesPedestrian": r.pedestrian(&pedestrian), // before version 0.1
		"attributesSimulation": func() error { return r.simulation(s) },
		"stimulusInfos":        r.unused(s, "stimulusInfos"),
		"eventInfos":           r.unused(s, "eventInfos"),
	})()
	if err == nil && !topography {
		err = r.fail("has no topography, want one: bounds, obstacles, sources, targets")
	}
	for i := range s.Sources {
		s.Sources[i].Pedestrian = cmp.Or(s.Sources[i].Pedestrian, pedestrian)
	}
	for i := range s.People {
		s.People[i].Pedestrian = cmp.Or(s.People[i].Pedestrian, pedestrian)
	}
	return err
}

func (r *reader) simulation(s *Scenario) error {
	fixed := true
	seed := r.whole(math.MinInt64, math.MaxInt64, func(n int64) { s.Seed = &n })
	err := r.object("attributesSimulation", fields{
		"finishTime":    r.time(&s.FinishTime, textio.AboveZero("a time above 0")),
		"useFixedSeed":  r.boolean(&fixed),
		"useRandomSeed": r.boolean(&fixed), // before version 0.2: use the seed of the file
		"fixedSeed":     seed,
		"randomSeed":    seed,
	})()
	if !fixed {
		s.Seed = nil
	}
	return err
}

// complete verifies that FinishTime is set and that targets of people exist. A lenient reader removes
// targets that do not exist.
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
			if err := r.oddAt(line, "the id of a target", "%s: targetIds[%d] is %d", what, i, id); err != nil {
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

// vocabulary lists the keys that are ignored, by kind of object. * stands for any key.
var vocabulary = map[string][]string{
	"file":           strings.Fields("description release commithash topographyhash attributeshash"),
	"processWriters": strings.Fields("*"),
	"scenario":       strings.Fields("mainModel attributesModel attributesPsychology attributesStrategy attributesCar"),
	"attributesSimulation": strings.Fields(`simTimeStepLength realTimeSimTimeRatio writeSimulationData visualizationEnabled printFPS
		digitsPerCoordinate simulationSeed needsBoundary useSalientBehavior`),
	"topography":            strings.Fields("attributesCar boundaries"),
	"topography.attributes": strings.Fields("referenceCoordinateSystem"),
	"obstacle":              strings.Fields("id visible"),
	"measurementArea":       strings.Fields("visible"),
	"stairs":                strings.Fields("id visible treadCount"),
	"target":                strings.Fields("visible waitingTimeYellowPhase startingWithRedLight"),
	"absorber":              nil,
	"waiter":                strings.Fields("individualWaiting"),
	"source":                strings.Fields("visible spawnAtRandomPositions spawnAtGridPositionsCA useFreeSpaceOnly"),
	"spawner":               strings.Fields("type eventPositionRandom eventPositionGridCA eventPositionFreeSpace"),
	"distribution":          nil,
	"shape":                 strings.Fields("identifier"),
	"point":                 strings.Fields("identifier"),
	"dynamicElement": strings.Fields(`source isCurrentTargetAnAgent idAsTarget isChild isLikelyInjured followers groupIds groupSizes
		agentsInGroup trajectory modelPedestrianMap psychologyStatus healthStatus infectionStatus mostImportantEvent
		salientBehavior`),
	"attributesPedestrian": strings.Fields(`id shape visible type densityDependentSpeed acceleration searchRadius footstepHistorySize
		footStepsToStore walkingDirectionCalculation walkingDirectionSameIfAngleLessOrEqual angleCalculationType
		targetOrientationAngleThreshold`),
}
