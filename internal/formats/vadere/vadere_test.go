package vadere

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// file returns a scenario with a floor of 20 m by 10 m, and with topography from line 8 on.
func file(topography string) string {
	return `{
"name" : "hall", "release" : "2.4", "processWriters" : {},
"scenario" : {
 "mainModel" : "org.vadere.simulator.models.osm.OptimalStepsModel", "attributesModel" : {"any" : [ {"thing" : null} ]},
 "attributesSimulation" : {"finishTime" : 60.0, "useFixedSeed" : true, "fixedSeed" : -7},
 "topography" : {
  "attributes" : {"bounds" : {"x" : 1.0, "y" : 2.0, "width" : 20.0, "height" : 10.0}, "boundingBoxWidth" : 0.5, "bounded" : true},
` + topography + `
 }, "stimulusInfos" : [ ]
} }`
}

const (
	oneTarget = `  "targets" : [ {"id" : 1, "shape" : {"x" : 18.0, "y" : 4.0, "width" : 1.0, "height" : 2.0, "type" : "RECTANGLE"}} ]`
	someone   = `  "dynamicElements" : [ {"type" : "PEDESTRIAN", "position" : {"x" : 3.0, "y" : 4.0}, "targetIds" : [ 1 ]} ]`
)

func read(text string, o formats.Options) (*Scenario, error) {
	return Read("hall.scenario", []byte(text), o)
}

// The keys of older versions must have the same effect.
func TestVersions(t *testing.T) {
	const shape = `"shape" : {"x" : 2.0, "y" : 3.0, "width" : 2.0, "height" : 5.0, "type" : "RECTANGLE"}`
	var want *Scenario
	for i, text := range []string{
		file(`  "sources" : [ {"id" : 5, ` + shape + `, "targetIds" : [ 1 ], "spawner" : {"type" : "a.b.AttributesRegularSpawner",
   "constraintsElementsMax" : 40, "constraintsTimeStart" : 1.0, "constraintsTimeEnd" : 30.0, "eventElementCount" : 3, "eventElement" : null,
   "distribution" : {"type" : "a.b.AttributesConstantDistribution", "updateFrequency" : 2.5}}, "groupSizeDistribution" : [ 1.0 ]} ],
  "targets" : [ {"id" : 1, ` + shape + `, "absorber" : {"enabled" : false, "deletionDistance" : 0.4},
   "waiter" : {"enabled" : true, "distribution" : {"type" : "a.b.AttributesConstantDistribution", "updateFrequency" : 9.0}}, "leavingSpeed" : 0.7, "parallelEvents" : 2} ]`),
		file(`  "sources" : [ {"id" : 5, ` + shape + `, "targetIds" : [ 1 ], "maxSpawnNumberTotal" : 40, "startTime" : 1.0, "endTime" : 30.0,
   "spawnNumber" : 3, "interSpawnTimeDistribution" : "org.vadere.state.scenario.ConstantDistribution", "distributionParameters" : [ 2.5 ], "dynamicElementType" : "PEDESTRIAN"} ],
  "targets" : [ {"id" : 1, ` + shape + `, "absorbing" : false, "deletionDistance" : 0.4, "waitingTime" : 9.0, "individualWaiting" : true, "nextSpeed" : 0.7, "parallelWaiters" : 2} ]`),
		file(`  "sources" : [ {"id" : 5, ` + shape + `, "targetIds" : [ 1 ], "maxSpawnNumberTotal" : 40, "startTime" : 1.0, "endTime" : 30.0,
   "spawnNumber" : "3", "interSpawnTimeDistribution" : "constant", "distributionParameters" : {"updateFrequency" : 2.5}} ],
  "targets" : [ {"id" : 1, ` + shape + `, "absorbing" : false, "deletionDistance" : 0.4, "waitingTime" : 9.0, "nextSpeed" : 0.7, "parallelWaiters" : 2} ]`),
		strings.NewReplacer(`"scenario"`, `"vadere"`, `"fixedSeed"`, `"randomSeed"`, `"useFixedSeed"`, `"useRandomSeed"`, `"processWriters" : {}`, `"processWriters" : [ ]`).Replace(
			file(`  "sources" : [ {"id" : 5, ` + shape + `, "targetIds" : [ 1 ], "maxSpawnNumberTotal" : 40, "startTime" : 1.0, "endTime" : 30.0,
   "spawnNumber" : 3, "spawnDelay" : 2.5} ],
  "targets" : [ {"id" : 1, ` + shape + `, "absorbing" : false, "deletionDistance" : 0.4, "waitingTime" : 9.0, "nextSpeed" : 0.7, "parallelWaiters" : 2} ]`)),
	} {
		got, err := read(text, formats.Options{})
		testkit.Must(t, err)
		for k := range got.Sources {
			got.Sources[k].Line = 0
		}
		for k := range got.Targets {
			got.Targets[k].Line = 0
		}
		if want == nil {
			want = got
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("file %d: got=%+v, want=%+v, as in file 0", i, got, want)
		}
	}
	o, target := want.Sources[0], want.Targets[0]
	if o.ID != 5 || o.Count != 3 || o.Most != 40 || o.Start != 1 || o.End != 30 || o.Every.Kind != Constant || o.Every.Mean != 2.5 || o.Pedestrian != defaultPedestrian {
		t.Errorf("source: got=%+v, want=ID 5, and 3 default pedestrians every 2.5 s, at most 40, from 1 to 30 s", o)
	}
	if target.Absorbs || target.Distance != 0.4 || target.Wait.Mean != 9 || target.Speed != 0.7 || target.Most != 2 || *want.Seed != -7 || want.FinishTime != 60 || want.Border != 0.5 {
		t.Errorf("got=%+v of %+v, want=a target that does not absorb, with 0.4 m, 9 s, 0.7 m/s and 2 people, and seed -7, 60 s, border 0.5 m", target, want)
	}
}

func allParts() string {
	return strings.Replace(file(`
  "obstacles" : [ {"id" : 1, "shape" : {"type" : "POLYGON", "points" : [ {"x" : 5.0, "y" : 5.0}, {"x" : 6.0, "y" : 5.0}, {"x" : 6.0, "y" : 5.0}, {"x" : 6.0, "y" : 7.0}, {"x" : 5.0, "y" : 5.0} ]}},
   {"id" : 1, "shape" : {"type" : "CIRCLE", "center" : {"x" : 9.0, "y" : 5.0}, "radius" : 0.5}} ],
  "stairs" : [ {"id" : 3, "shape" : {"x" : 7.0, "y" : 4.0, "width" : 2.0, "height" : 2.0, "type" : "RECTANGLE"}, "treadCount" : 9, "upwardDirection" : {"x" : 1.0, "y" : 0.0}} ],
  "measurementAreas" : [ {"id" : 8, "shape" : {"x" : 7.0, "y" : 4.0, "width" : 2.0, "height" : 2.0, "type" : "RECTANGLE"}} ],
`+oneTarget+`, "targetChangers" : [ {"id" : 3, "any" : 1}, {} ], "teleporter" : {"shift" : [ 1 ]}, "droplets" : [ ],
  "attributesPedestrian" : {"radius" : 0.3, "speedDistributionMean" : 1.0, "minimumSpeed" : 0.4, "maximumSpeed" : 1.1},
  "dynamicElements" : [ {"type" : "PEDESTRIAN", "position" : {"x" : 3.0, "y" : 4.0}, "velocity" : {"x" : 1.0, "y" : 0.0}, "targetIds" : [ 1, 1 ], "nextTargetListIndex" : 1, "freeFlowSpeed" : 1.25, "attributes" : {"radius" : null}},
   {"type" : "CAR", "position" : {"x" : 3.0, "y" : 4.0}},
   {"type" : "PEDESTRIAN", "attributes" : {"radius" : 0.2}, "targetIds" : [ ], "groupIds" : [ 4 ]} ]`),
		`"processWriters" : {}`, `"processWriters" : {"files" : 3, "processors" : [ {"type" : "a.PedestrianLineCrossProcessor", "attributes" : {"p1" : {"x" : 3.0, "y" : 4.0}, "p2" : {"x" : 3.0, "y" : 9.0}}},
 {"type" : "a.OtherProcessor", "attributes" : {"p1" : "what"}}, {"type" : 3}, "none" ]}`, 1)
}

func TestParts(t *testing.T) {
	s, err := read(allParts(), formats.Options{})
	testkit.Must(t, err)
	if len(s.Obstacles) != 2 || len(s.Obstacles[0].Corners) != 3 || s.Obstacles[1].Radius != 0.5 || s.Obstacles[1].Box.Min != (r2.Vec{X: 8.5, Y: 4.5}) {
		t.Errorf("obstacles: got=%+v, want=a triangle and a circle", s.Obstacles)
	}
	if len(s.Stairs) != 1 || s.Stairs[0].Up.X != 1 || len(s.Areas) != 1 || s.Areas[0].ID != 8 {
		t.Errorf("stairs and areas: got=%+v, %+v, want=stairs that ascend along x, and area 8", s.Stairs, s.Areas)
	}
	if want := [][2]r2.Vec{{{X: 3, Y: 4}, {X: 3, Y: 9}}}; !reflect.DeepEqual(s.Lines, want) {
		t.Errorf("lines: got=%v, want=%v", s.Lines, want)
	}
	if len(s.People) != 2 || len(s.People[0].Targets) != 1 || s.People[0].Speed != 1.25 || s.People[0].Pedestrian.Radius != 0.3 || s.People[1].Pedestrian.Radius != 0.2 {
		t.Errorf("people: got=%+v, want=two: a radius of 0.3 m, a speed of 1.25 m/s and one target; a radius of 0.2 m", s.People)
	}
	if want := []Unused{{"targetChangers", 14, 2}, {"teleporter", 14, 1}, {"dynamicElements of type CAR", 17, 1}}; !reflect.DeepEqual(s.Unused, want) {
		t.Errorf("unused: got=%v, want=%v", s.Unused, want)
	}
}

func TestFaults(t *testing.T) {
	shape := func(s string) string { return file(`  "obstacles" : [ {"shape" : {` + s + `}} ]`) }
	source := func(s string) string {
		return file(`  "sources" : [ {"shape" : {"x" : 2.0, "y" : 3.0, "width" : 2.0, "height" : 5.0, "type" : "RECTANGLE"}, "targetIds" : [ ], ` + s + `} ]`)
	}
	deep := strings.Repeat("[", 200_000)
	for _, test := range []struct{ text, want string }{
		{"", "1: the file ends before its closing bracket, want a whole file"},
		{"{}", "1: the file has no scenario, want a Vadere file"},
		{"[]", "1: the file is a list, want an object, {…}"},
		{"{\n\"scenario\" : 3}", "2: scenario is 3, want an object, {…}"},
		{"{\"scenario\" : {}}", "1: scenario has no topography, want one"},
		{"{\"scenario\" : {\"topography\" : {}}}", "1: scenario.topography has no attributes, want bounds"},
		{"{\n\n\"name\" ; 2}", "3: JSON syntax in "},
		{"{\"scenario\" : " + deep, "1: scenario is a list, want an object"},
		{"{\"scenario\" : {\"attributesModel\" : " + deep, "ends before its closing bracket"},
		{"{\"processWriters\" : {\"processors\" : [ " + deep, "1: JSON syntax in processWriters.processors[0]: invalid character '[' exceeded max depth"},
		{file(oneTarget) + "{}", "the file has more than one value, want the end of the file"},
		{file(oneTarget + `, "colour" : 3`), "8: unknown key scenario.topography.colour, want absorbingAreas,"},
		{file(oneTarget + `, "obstacles" : [], "obstacles" : []`), "8: scenario.topography.obstacles occurs twice, want it once"},
		{file(strings.Replace(oneTarget, "18.0", "NaN", 1)), "8: JSON syntax in scenario.topography.targets[0].shape.x: "},
		{file(strings.Replace(oneTarget, "18.0", `"NaN"`, 1)), `8: scenario.topography.targets[0].shape.x is "NaN", want a coordinate in meters, from -1e+09 to 1e+09`},
		{file(strings.Replace(oneTarget, `"width" : 1.0`, `"width" : -1.0`, 1)), "8: scenario.topography.targets[0].shape.width is -1.0, want a length in meters, from 0 to 1e+09"},
		{file(strings.Replace(oneTarget, `"width" : 1.0`, `"width" : 0.0`, 1)), "8: scenario.topography.targets[0].shape is a RECTANGLE, want width and height above 0"},
		{file(strings.Replace(oneTarget, `"id" : 1`, `"id" : 1.5`, 1)), "8: scenario.topography.targets[0].id is 1.5, want a whole number from -2147483648 to 2147483647"},
		{file(`  "targets" : [ {"id" : 1} ]`), "8: scenario.topography.targets[0] has no shape, want"},
		{shape(`"type" : "BLOB"`), `8: scenario.topography.obstacles[0].shape.type is "BLOB", want RECTANGLE, POLYGON or CIRCLE`},
		{shape(`"type" : "POLYGON", "points" : [ {"x" : 1, "y" : 1}, {"x" : 1, "y" : 1}, {"x" : 2, "y" : 1} ]`), "8: scenario.topography.obstacles[0].shape is a POLYGON, want three or more different points"},
		{shape(`"type" : "CIRCLE", "center" : {"x" : 1, "y" : 1}`), "8: scenario.topography.obstacles[0].shape is a CIRCLE, want a center and a radius above 0"},
		{file(someone), "8: a pedestrian: targetIds[0] is 1, want the id of a target"},
		{file(oneTarget + `, "attributesPedestrian" : {"minimumSpeed" : 2.0, "maximumSpeed" : 1.0}`), "scenario.topography.attributesPedestrian has minimumSpeed 2 and maximumSpeed 1, want minimumSpeed not above maximumSpeed"},
		{source(`"startTime" : -1`), "8: scenario.topography.sources[0].startTime is -1, want a time of at least 0 s"},
		{source(`"spawnNumber" : 1e9`), "8: scenario.topography.sources[0].spawnNumber is 1e9, want a whole number from 0 to 2147483647"},
		{source(`"endTime" : 9, "interSpawnTimeDistribution" : "a.LinearInterpolationDistribution"`), `8: scenario.topography.sources[0] has the distribution "a.LinearInterpolationDistribution", want constant, negativeExponential, poisson, normal or timeSeries`},
		{source(`"endTime" : 9, "interSpawnTimeDistribution" : "poisson", "distributionParameters" : [ 0 ]`), `has the distribution "poisson" without a time, want a time above 0 s`},
		{strings.Replace(file(oneTarget), `"finishTime" : 60.0, `, "", 1), "1: scenario.attributesSimulation has no finishTime, want a time above 0"},
		{strings.Replace(file(oneTarget), `"boundingBoxWidth" : 0.5`, `"boundingBoxWidth" : 5`, 1), "7: scenario.topography.attributes has walls 5 m thick around 20 m × 10 m, want less than half the shorter side"},
		{strings.Replace(file(oneTarget), `"bounds"`, `"bunds"`, 1), "7: unknown key scenario.topography.attributes.bunds, want bounded, "},
	} {
		_, err := read(test.text, formats.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "hall.scenario:") || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got= %v\nwant=one line that begins with hall.scenario: and has %s", err, test.want)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, err := read(file(oneTarget), formats.Options{Context: ended})
	testkit.Equal(t, fmt.Sprint(err), "hall.scenario: context canceled", "canceled")
}

func TestLenient(t *testing.T) {
	s, err := read(file(someone+`, "colour" : [ {"red" : 3} ]`), formats.Options{Lenient: true})
	testkit.Must(t, err)
	want := []string{
		"hall.scenario:8: skipped: unknown key scenario.topography.colour",
		"hall.scenario:8: skipped: a pedestrian: targetIds[0] is 1",
	}
	if !reflect.DeepEqual(s.Warnings, want) || len(s.People) != 1 || len(s.People[0].Targets) != 0 {
		t.Errorf("got=%q of %+v, want=%q of one person without targets", s.Warnings, s.People, want)
	}
}

func TestDistributions(t *testing.T) {
	for _, test := range []struct {
		text string
		want Distribution
	}{
		{`{"type" : "a.b.AttributesConstantDistribution", "updateFrequency" : 4.0}`, Distribution{Kind: Constant, Mean: 4}},
		{`{"type" : "a.b.AttributesNegativeExponentialDistribution", "mean" : 5.0}`, Distribution{Kind: Exponential, Mean: 5}},
		{`{"type" : "poisson", "numberPedsPerSecond" : 0.25}`, Distribution{Kind: Exponential, Mean: 4}},
		{`{"type" : "poisson", "numberPedsPerSecond" : 1e-13}`, Distribution{Kind: Exponential, Mean: maxTime}},
		{`{"type" : "constant", "mean" : 1e13}`, Distribution{Kind: Constant, Mean: maxTime}},
		{`{"type" : "normal", "mean" : 5.0, "sd" : 2.0}`, Distribution{Kind: Normal, Mean: 5, Deviation: 2}},
		{`{"type" : "timeSeries", "intervalLength" : 5.0, "spawnsPerInterval" : [ 5, 0, 2 ]}`, Distribution{Kind: TimeSeries, Mean: 1, Counts: []int{5, 0, 2}, Length: 5}},
	} {
		s, err := read(file(`  "sources" : [ {"shape" : {"x" : 2.0, "y" : 3.0, "width" : 2.0, "height" : 5.0, "type" : "RECTANGLE"}, "spawner" : {"constraintsTimeEnd" : 9.0, "distribution" : `+test.text+`}} ]`), formats.Options{})
		testkit.Must(t, err)
		if got := s.Sources[0].Every; !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got=%+v, want=%+v", test.text, got, test.want)
		}
	}
}

func TestEndless(t *testing.T) {
	s, err := read(strings.Replace(file(oneTarget), "60.0", "1.7976931348623157E308", 1), formats.Options{})
	if err != nil || s.FinishTime != maxTime || math.IsInf(s.FinishTime, 0) {
		t.Errorf("got=%+v, %v, want=%v s", s, err, maxTime)
	}
}

// FuzzRead verifies that reads are as testkit.ReadBothWays wants them, and that scenarios and crowds
// are valid.
func FuzzRead(f *testing.F) {
	source := `  "sources" : [ {"id" : 5, "shape" : {"type" : "POLYGON", "points" : [ {"x" : 2, "y" : 3}, {"x" : 4, "y" : 3}, {"x" : 3, "y" : 5} ]},
   "targetIds" : [ 1 ], "startTime" : 1.0, "endTime" : 30.0, "interSpawnTimeDistribution" : "D", "distributionParameters" : [ 2.5, 1 ]} ]`
	for _, d := range []string{"constant", "negativeExponential", "normal", "poisson"} {
		f.Add([]byte(file(oneTarget + ",\n" + strings.Replace(source, "D", d, 1))))
	}
	waiting := strings.Replace(oneTarget, `{"id" : 1,`, `{"id" : 1, "absorbing" : false, "waitingTime" : 9, `, 1)
	for _, text := range []string{file(waiting + ",\n" + someone), file(oneTarget), file(oneTarget + ",\n" + someone), allParts(), "{}", "[", `{"scenario" : null}`, file(oneTarget)[:200]} {
		f.Add([]byte(text))
	}
	path := filepath.Join(f.TempDir(), "a.scenario")
	f.Fuzz(func(t *testing.T, data []byte) {
		testkit.Must(t, os.WriteFile(path, data, 0o600))
		c, err := readCrowd(path, &formats.Options{Lenient: true, Context: t.Context()})
		if err == nil && !(testkit.Finite(reflect.ValueOf(*c)) && c.Steps > 0 && len(c.Groups) > 0) {
			t.Errorf("got=%+v, want=finite numbers, steps above 0, and a group", c)
		}
		testkit.ReadBothWays(t, func(lenient bool) (*Scenario, error) {
			return Read("a", data, formats.Options{Lenient: lenient})
		}, func(t *testing.T, s *Scenario) {
			if !testkit.Finite(reflect.ValueOf(*s)) {
				t.Errorf("got=%+v, want=finite numbers", s)
			}
		}, "a:")
	})
}

// No box may be empty or extend beyond 0 to 5 m in x.
func TestStrips(t *testing.T) {
	for _, test := range []struct {
		corners string
		boxes   int     // minimum
		area    float64 // m², minimum
	}{
		{"0,0 4,0 4,2 0,2", 1, 8},
		{"0,0 4,0 4,1 1,1 1,3 4,3 4,4 0,4", 3, 10},
		{"0,0 4,0 2,4", 16, 6.9},
		{"0,0 1,1 2,2", 1, 0},
		{"0,0 2,0 5,0", 1, 0},
		{"0,0 4,4 4,4.001 0,0.001", 16, 0},
	} {
		var corners []r2.Vec
		for _, text := range strings.Fields(test.corners) {
			var p r2.Vec
			fmt.Sscanf(text, "%f,%f", &p.X, &p.Y)
			corners = append(corners, p)
		}
		area := 0.
		boxes := strips(corners, 16)
		for _, b := range boxes {
			if !(b.Min.X < b.Max.X && b.Min.Y < b.Max.Y) || b.Min.X < -smallest || b.Max.X > 5+smallest {
				t.Errorf("%s: got=%v, want=a box that is not empty, with x from 0 to 5", test.corners, b)
			}
			area += (b.Max.X - b.Min.X) * (b.Max.Y - b.Min.Y)
		}
		if len(boxes) < test.boxes || area < test.area {
			t.Errorf("%s: got=%d boxes, %v m², want=at least %d boxes, %v m²", test.corners, len(boxes), area, test.boxes, test.area)
		}
	}
}
