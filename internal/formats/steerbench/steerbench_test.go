package steerbench

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

const header = `<header><version>1.0</version><name>t</name><worldBounds>` + extent + `</worldBounds></header>`

const (
	extent     = `<xmin>-10</xmin><xmax>10</xmax><ymin>0</ymin><ymax>0</ymax><zmin>-20</zmin><zmax>20</zmax>`
	origin     = `<x>0</x><y>0</y><z>0</z>`
	conditions = `<initialConditions><radius>0.5</radius><position>` + origin + `</position></initialConditions>`
	seek       = `<seekStaticTarget><targetLocation><x>1</x><y>2</y><z>3</z></targetLocation><desiredSpeed>1.5</desiredSpeed><timeDuration>100</timeDuration></seekStaticTarget>`
)

// in puts the parts on line 2.
func in(parts string) string {
	return "<SteerBenchTestCase>" + header + "\n" + parts + "</SteerBenchTestCase>"
}

func withGoal(goals string) string {
	return in("<agent>" + conditions + "<goalSequence>" + goals + "</goalSequence></agent>")
}

// readText removes the folder from errors and warnings.
func readText(t testing.TB, text string, o formats.Options) (*TestCase, error) {
	t.Helper()
	dir := testkit.Files(t, map[string]string{"main.xml": text})
	test, err := Read(filepath.Join(dir, "main.xml"), o)
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	for i, w := range test.Warnings {
		test.Warnings[i] = strings.ReplaceAll(w, dir+string(filepath.Separator), "")
	}
	return test, nil
}

func TestRead(t *testing.T) {
	text := `<!-- before the declaration -- of XML -->
<?xml version="1.0" encoding="UTF-8"?>
<s:SteerSuiteSubSpace xmlns:s="http://www.magix.ucla.edu/steerbench" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b" SubSpaceSamples="10">
	<s:header><s:version> 1.2 </s:version><s:name>A &amp; B</s:name><s:description>two <!-- or three --> words</s:description>
		<s:passingCriteria>any</s:passingCriteria>
		<s:worldBounds><s:xmin>-100</s:xmin><s:xmax>-200</s:xmax><s:ymin>0</s:ymin><s:ymax>0</s:ymax><s:zmin>1</s:zmin><s:zmax>-1</s:zmax></s:worldBounds></s:header>
	<s:suggestedCameraView><s:anything><s:at/></s:anything></s:suggestedCameraView>
	<s:agent><s:name>first</s:name>
		<s:initialConditions><s:radius>0.25</s:radius><s:position><s:x>1</s:x><s:y>9</s:y><s:z>-2e0</s:z></s:position>
			<s:direction><s:x>0</s:x><s:y>0</s:y><s:z>0</s:z></s:direction><s:speed>1.2</s:speed><s:color><s:r>1</s:r></s:color></s:initialConditions>
		<s:goalSequence><s:idle/></s:goalSequence><s:bag>false</s:bag></s:agent>
	<s:agentRegion><s:numAgents>3</s:numAgents><s:regionBounds><s:xmin>0</s:xmin><s:xmax>5</s:xmax><s:ymin>0</s:ymin><s:ymax>0</s:ymax><s:zmin>0</s:zmin><s:zmax>6</s:zmax></s:regionBounds>
		<s:initialConditions><s:radius>1</s:radius><s:direction><s:random>true</s:random></s:direction><s:speed>0</s:speed></s:initialConditions></s:agentRegion>
	<s:agentEmitter><s:initialConditions><s:radius>1</s:radius><s:position><s:random>true</s:random></s:position></s:initialConditions></s:agentEmitter>
	<s:obstacleRegion><s:numObstacles>2</s:numObstacles><s:obstacleSize>3</s:obstacleSize><s:obstacleHeight>1</s:obstacleHeight><s:regionBounds><s:xmin>0</s:xmin><s:xmax>5</s:xmax><s:ymin>0</s:ymin><s:ymax>0</s:ymax><s:zmin>0</s:zmin><s:zmax>6</s:zmax></s:regionBounds></s:obstacleRegion>
</s:SteerSuiteSubSpace>
`
	bounds := r2.Box{Min: r2.Vec{X: -200, Y: -1}, Max: r2.Vec{X: -100, Y: 1}}
	region := r2.Box{Max: r2.Vec{X: 5, Y: 6}}
	want := &TestCase{
		Name: "A & B", Bounds: bounds, Line: 3,
		Agents: []Agent{{Name: "first", Radius: 0.25, Speed: 1.2, Position: r2.Vec{X: 1, Y: -2}, Bounds: bounds,
			Goals: []Goal{{Kind: Idle, Agent: -1, Duration: math.Inf(1), Speed: DefaultSpeed}}}},
		Regions:         []AgentRegion{{3, Agent{Radius: 1, Random: true, Bounds: region, RandomDirection: true}}},
		Emitters:        []Agent{{Radius: 1, Random: true, Bounds: bounds}},
		ObstacleRegions: []ObstacleRegion{{2, 3, region}},
	}
	got, err := readText(t, text, formats.Options{})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got= %+v, %v\nwant=%+v", got, err, want)
	}
}

func TestGoals(t *testing.T) {
	inf := math.Inf(1)
	at := r2.Vec{X: 1, Y: 3}
	place := `<targetLocation><x>1</x><y>2</y><z>3</z></targetLocation>`
	chance := `<random>true</random>`
	box := r2.Box{Min: r2.Vec{X: -10, Y: -20}, Max: r2.Vec{X: 10, Y: 20}}
	endless := func(g Goal) Goal { g.Duration, g.Speed = inf, DefaultSpeed; return g }
	for _, c := range []struct {
		text string
		want Goal
	}{
		{seek, Goal{Kind: SeekTarget, Target: at, Duration: 100, Speed: 1.5}},
		{`<fleeStaticTarget>` + place + `</fleeStaticTarget>`, endless(Goal{Kind: FleeTarget, Target: at})},
		{`<seekStaticTarget><targetLocation>` + chance + `</targetLocation><timeDuration>0</timeDuration></seekStaticTarget>`,
			endless(Goal{Kind: SeekTarget, Random: true})},
		{`<seekStaticTarget>` + place + `<timeDuration>3141249019340896200000000000000000.000000</timeDuration><desiredSpeed>0</desiredSpeed>
			<targetDirection>` + origin + `</targetDirection><flowType></flowType><random>false</random><state>5</state><targetTime>1</targetTime>
			<targetTangent>` + origin + `</targetTangent><Behaviour><SteeringAlgorithm>sfAI</SteeringAlgorithm><Parameters/></Behaviour></seekStaticTarget>`,
			Goal{Kind: SeekTarget, Target: at, Duration: inf}},
		{`<seekDynamicTarget><targetName> 0 </targetName></seekDynamicTarget>`, endless(Goal{Kind: SeekMoving, Name: "0"})},
		{`<fleeDynamicTarget>` + chance + `</fleeDynamicTarget>`, endless(Goal{Kind: FleeMoving, Random: true})},
		{`<flowStaticDirection><targetDirection><x>1</x><y>2</y><z>3</z></targetDirection></flowStaticDirection>`,
			endless(Goal{Kind: Flow, Direction: at})},
		{`<flowStaticDirection><targetDirection>` + chance + `</targetDirection></flowStaticDirection>`, endless(Goal{Kind: Flow, Random: true})},
		{`<flowDynamicDirection><type>BOIDS</type></flowDynamicDirection>`, endless(Goal{Kind: FlowMoving})},
		{`<flowDynamicDirection><targetName>0</targetName></flowDynamicDirection>`, endless(Goal{Kind: FlowMoving, Name: "0"})},
		{`<groupTarget><targetName>0</targetName></groupTarget>`, endless(Goal{Kind: SeekMoving, Name: "0"})},
		{`<groupTarget>` + place + `</groupTarget>`, endless(Goal{Kind: SeekTarget, Target: at})},
		{`<groupTarget><goalRegionBounds>` + extent + `</goalRegionBounds></groupTarget>`, endless(Goal{Kind: SeekRegion, Region: box})},
		{`<seekAxisAlignedBoxRegion>` + place + `<goalRegionBounds>` + extent + `</goalRegionBounds></seekAxisAlignedBoxRegion>`,
			endless(Goal{Kind: SeekRegion, Target: at, Region: box})},
		{`<seekAxisAlignedBoxRegion><goalRegionBounds>` + extent + `</goalRegionBounds></seekAxisAlignedBoxRegion>`,
			endless(Goal{Kind: SeekRegion, Region: box})},
		{`<seekAxisAlignedBoxRegion>` + place + `</seekAxisAlignedBoxRegion>`,
			endless(Goal{Kind: SeekRegion, Target: at, Region: r2.Box{Min: at, Max: at}})},
	} {
		c.want.Agent = -1
		test, err := readText(t, withGoal(c.text), formats.Options{})
		testkit.Must(t, err)
		element := kindNames[test.Agents[0].Goals[0].Kind]
		if strings.HasPrefix(c.text, "<groupTarget>") {
			element = "groupTarget" // becomes another kind
		}
		if got := test.Agents[0].Goals[0]; got != c.want || element != c.text[1:1+len(element)] {
			t.Errorf("%s:\ngot= %+v\nwant=%+v", c.text, got, c.want)
		}
	}
}

func TestObstacles(t *testing.T) {
	box := func(xmin, xmax, zmin, zmax string) string {
		return "<obstacle><xmin>" + xmin + "</xmin><xmax>" + xmax + "</xmax><ymin>0</ymin><ymax>1</ymax><zmin>" + zmin + "</zmin><zmax>" + zmax + "</zmax></obstacle>"
	}
	wall := func(theta, door string) string {
		return "<orientedWallObstacle><thetaY>" + theta + "</thetaY><size><x>10</x><y>1</y><z>2</z></size><position><x>1</x><y>0</y><z>1</z></position>" + door + "</orientedWallObstacle>"
	}
	rectangle := func(x0, y0, x1, y1 float64) []r2.Vec {
		return []r2.Vec{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
	}
	for _, c := range []struct {
		name, text string
		want       [][]r2.Vec
		warning    string
	}{
		{"box", box("0", "2", "0", "1"), [][]r2.Vec{rectangle(0, 0, 2, 1)}, ""},
		{"inverted", box("2", "0", "1", "0"), [][]r2.Vec{rectangle(0, 0, 2, 1)}, ""},
		{"thin", box("0", "2", "1", "1"), [][]r2.Vec{{{Y: 1}, {X: 2, Y: 1}}}, ""},
		{"point", box("1", "1", "1", "1"), nil, "main.xml:2: <obstacle> without extent: left out"},
		{"polygon", "<polygonObstacle isClosed='true'><vertex>" + origin + "</vertex><vertex><x>3</x><y>1</y><z>0</z></vertex><vertex><x>0</x><y>1</y><z>3</z></vertex><vertex>" + origin + "</vertex></polygonObstacle>",
			[][]r2.Vec{{{}, {X: 3}, {Y: 3}}}, ""},
		{"circle without extent", "<circleObstacle><radius>0</radius><height>1</height><position>" + origin + "</position></circleObstacle>", nil,
			"main.xml:2: <circleObstacle> without extent: left out"},
		{"circle at random", "<circleObstacle><radius>1</radius><position><random>true</random></position></circleObstacle>", nil,
			"main.xml:2: random <circleObstacle>: left out, as in SteerSuite"},
		{"oriented box", "<orientedBoxObstacle><thetaY>90</thetaY><size><x>4</x><y>1</y><z>2</z></size><position><x>1</x><y>0</y><z>1</z></position></orientedBoxObstacle>",
			[][]r2.Vec{{{X: 0, Y: 3}, {X: 0, Y: -1}, {X: 2, Y: -1}, {X: 2, Y: 3}}}, ""},
		{"wall without doorway", wall("0", ""), [][]r2.Vec{rectangle(-4, 0, 6, 2)}, ""},
		{"doorway", wall("0", "<doorway><value>1</value><doorRadius>2</doorRadius></doorway>"), [][]r2.Vec{rectangle(-4, 0, 0, 2), rectangle(4, 0, 6, 2)}, ""},
		{"doorway of usual width", wall("360", "<doorway><value>0</value></doorway>"), [][]r2.Vec{rectangle(-4, 0, 0, 2), rectangle(2, 0, 6, 2)}, ""},
		{"doorway at an end", wall("0", "<doorway><value>5</value></doorway>"), [][]r2.Vec{rectangle(-4, 0, 5, 2)}, ""},
		{"doorway off the wall", wall("0", "<doorway><value>-50</value></doorway>"), [][]r2.Vec{rectangle(-4, 0, 6, 2)}, ""},
		{"doorway only", wall("0", "<doorway><value>0</value><doorRadius>9</doorRadius></doorway>"), nil, ""},
		{"doorway at random", wall("0", "<doorway><random>true</random></doorway>"), nil, "main.xml:2: random <orientedWallObstacle>: left out, as in SteerSuite"},
	} {
		test, err := readText(t, in(c.text), formats.Options{})
		testkit.Must(t, err)
		var got [][]r2.Vec
		for _, o := range test.Obstacles {
			got = append(got, o.Outline)
		}
		if !slices.EqualFunc(got, c.want, nearlyEqual) {
			t.Errorf("%s: got=%v, want=%v", c.name, got, c.want)
		}
		testkit.Equal(t, strings.Join(test.Warnings, "; "), c.warning, "%s: warnings", c.name)
	}
}

func nearlyEqual(a, b []r2.Vec) bool {
	return slices.EqualFunc(a, b, func(p, q r2.Vec) bool { return r2.Norm(r2.Sub(p, q)) < 1e-12 })
}

func TestSinCosDegrees(t *testing.T) {
	for _, c := range []struct{ degrees, sin, cos float64 }{
		{0, 0, 1}, {90, 1, 0}, {180, 0, -1}, {270, -1, 0}, {-90, -1, 0}, {450, 1, 0}, {30, 0.5, math.Sqrt(3) / 2}, {-150, -0.5, -math.Sqrt(3) / 2},
	} {
		sin, cos := sinCosDegrees(c.degrees)
		if math.Abs(sin-c.sin) > 1e-15 || math.Abs(cos-c.cos) > 1e-15 {
			t.Errorf("%v degrees: got=%v, %v, want=%v, %v", c.degrees, sin, cos, c.sin, c.cos)
		}
	}
}

func TestWarnings(t *testing.T) {
	position := "<position>" + origin + "</position>"
	test, err := readText(t, in("<agent><initialConditions>"+position+"</initialConditions></agent>\n"+
		"<agent><radius>0.2</radius><initialConditions>"+position+"</initialConditions><goalSequence>\n"+
		"<seekDynamicTarget><targetName>1</targetName></seekDynamicTarget>\n"+
		"<seekDynamicTarget><targetName>2</targetName></seekDynamicTarget></goalSequence></agent>"), formats.Options{Lenient: true})
	testkit.Must(t, err)
	want := []string{"main.xml:2: <agent> without <radius>: taken as 0.5 m", `main.xml:5: skipped: <targetName> "2"`}
	if !slices.Equal(test.Warnings, want) {
		t.Errorf("got=%q, want=%q", test.Warnings, want)
	}
	testkit.Equal(t, [2]float64{test.Agents[0].Radius, test.Agents[1].Radius}, [2]float64{0.5, 0.2}, "radii")
}

func TestLenient(t *testing.T) {
	text := strings.Replace(in("<agent wild='1'>"+conditions+"<mood/><goalSequence>\n"+
		"<seekStaticTargetSet><targetLocationsSet><targetLocation/></targetLocationsSet></seekStaticTargetSet></goalSequence></agent>\n"+
		"<agentRegion><numAgents>2</numAgents><regionBounds>"+extent+"</regionBounds>"+conditions+"</agentRegion>\n"+
		"<polygonObstacle/><wind>5</wind>"), "1.0", "2.0", 1)
	test, err := readText(t, text, formats.Options{Lenient: true})
	testkit.Must(t, err)
	want := []string{
		`main.xml:1: skipped: <version> "2.0"`,
		`main.xml:2: skipped: unknown attribute wild="1" in <agent>`,
		`main.xml:2: skipped: unknown element <mood> in <agent>`,
		`main.xml:3: skipped: unknown element <seekStaticTargetSet> in <goalSequence>`,
		`main.xml:4: skipped: <position> in <agentRegion>`,
		`main.xml:5: skipped: <polygonObstacle> with too few vertices`,
		`main.xml:5: skipped: unknown element <wind> in <SteerBenchTestCase>`,
	}
	if !slices.Equal(test.Warnings, want) {
		t.Errorf("warnings:\ngot= %q\nwant=%q", test.Warnings, want)
	}
	testkit.Equal(t, test.count(), count{agents: 3}, "numbers")
}

func TestReadErrors(t *testing.T) {
	agent := func(inside string) string {
		return in("<agent><initialConditions><radius>1</radius><position>" + origin + "</position>\n" + inside + "</initialConditions></agent>")
	}
	for _, c := range []struct{ name, text, want string }{
		{"other root", "<Simulation/>", "main.xml:1: root element <Simulation>: want <SteerBenchTestCase> or <SteerSuiteSubSpace>"},
		{"other prefix", "<s:SteerBenchTestCase><t:header/></s:SteerBenchTestCase>",
			"main.xml:1: unknown element <t:header> in <SteerBenchTestCase>: want <header>, <agent>, <agentRegion>, <agentEmitter>, <obstacle>, <obstacleRegion>, <circleObstacle>, <orientedBoxObstacle>, <orientedWallObstacle>, <polygonObstacle> or <suggestedCameraView>"},
		{"no header", "<SteerBenchTestCase/>", "main.xml:1: <SteerBenchTestCase> without <header>: want one"},
		{"late header", "<SteerBenchTestCase>\n<agent/>" + header + "</SteerBenchTestCase>", "main.xml:2: <agent> before <header>: want the header first"},
		{"two headers", in(header), "main.xml:2: second <header> in <SteerBenchTestCase>: want one"},
		{"half a box", in("<obstacle><xmin>1</xmin></obstacle>"), "main.xml:2: <obstacle> without <xmax>: want one"},
		{"version", strings.Replace(in(""), "1.0", "1.3", 1), `main.xml:1: <version> "1.3": want 1.0, 1.1 or 1.2`},
		{"second radius", agent("<radius>1</radius>"), "main.xml:3: second <radius> in <initialConditions>: want one"},
		{"negative speed", agent("<speed>-1</speed>"), `main.xml:3: <speed> "-1": want a speed of at least 0`},
		{"half a direction", agent("<direction><x>1</x><z>0</z></direction>"), "main.xml:3: <direction> without a place: want either <x>, <y> and <z>, or <random>true</random>"},
		{"not at random", agent("<direction><random>false</random></direction>"), "main.xml:3: <direction> without a place: want either <x>, <y> and <z>, or <random>true</random>"},
		{"both", agent("<direction>" + origin + "<random>true</random></direction>"), "main.xml:3: <direction> with both a place and random: want either <x>, <y> and <z>, or <random>true</random>"},
		{"perhaps", agent("<direction><random>1</random></direction>"), `main.xml:3: <random> "1": want true or false`},
		{"no radius at all", in("<agent><initialConditions><radius>0</radius></initialConditions></agent>"), `main.xml:2: <radius> "0": want a radius above 0`},
		{"no position", in("<agent>\n<initialConditions/></agent>"), "main.xml:3: <initialConditions> without <position>: want one"},
		{"no conditions", in("<agent/>"), "main.xml:2: <agent> without <initialConditions>: want one"},
		{"no bounds", in("<agentRegion><numAgents>1</numAgents><initialConditions/></agentRegion>"), "main.xml:2: <agentRegion> without <regionBounds>: want one"},
		{"part of an agent", in("<agentRegion><numAgents>1.5</numAgents></agentRegion>"), `main.xml:2: <numAgents> "1.5": want a whole number from 0 to 2147483647`},
		{"region with position", in("<agentRegion>" + conditions + "</agentRegion>"), "main.xml:2: <position> in <agentRegion>: want none, since the region places its agents"},
		{"too many agents", in("<agent>" + conditions + "</agent>\n<agentRegion><numAgents>1000000</numAgents><regionBounds>" + extent + "</regionBounds><initialConditions><radius>1</radius></initialConditions></agentRegion>"),
			"main.xml:3: too many agents: want at most 1000000"},
		{"too many goals", in("<agentRegion><numAgents>1000000</numAgents><regionBounds>" + extent + "</regionBounds><initialConditions/><goalSequence>" + strings.Repeat("<idle/>", 5) + "</goalSequence></agentRegion>"),
			"main.xml:2: too many goals: want at most 4000000 for all agents"},
		{"unknown goal", withGoal("<rest/>"), "main.xml:2: unknown element <rest> in <goalSequence>: want <seekStaticTarget>, <fleeStaticTarget>, <seekDynamicTarget>, <fleeDynamicTarget>, <flowStaticDirection>, <flowDynamicDirection>, <idle>, <groupTarget> or <seekAxisAlignedBoxRegion>"},
		{"no target", withGoal("\n<seekStaticTarget/>"), "main.xml:3: <seekStaticTarget> without <targetLocation>: want one"},
		{"no name", withGoal("<seekDynamicTarget/>"), "main.xml:2: <seekDynamicTarget> without <targetName>: want one"},
		{"no direction", withGoal("<flowStaticDirection/>"), "main.xml:2: <flowStaticDirection> without <targetDirection>: want one"},
		{"no region", withGoal("<seekAxisAlignedBoxRegion/>"), "main.xml:2: <seekAxisAlignedBoxRegion> without <goalRegionBounds>: want one"},
		{"no time", withGoal("<idle><timeDuration>-1</timeDuration></idle>"), `main.xml:2: <timeDuration> "-1": want a time of at least 0`},
		{"circle nowhere", in("<circleObstacle><radius>1</radius></circleObstacle>"), "main.xml:2: <circleObstacle> without <position>: want one"},
		{"box of no size", in("<orientedBoxObstacle><position>" + origin + "</position></orientedBoxObstacle>"), "main.xml:2: <orientedBoxObstacle> without <size>: want one"},
		{"doorway nowhere", in("<orientedWallObstacle><doorway/></orientedWallObstacle>"), "main.xml:2: <doorway> without a place, or with two: want either <value> or <random>true</random>"},
		{"one vertex", in("<polygonObstacle><vertex>" + origin + "</vertex></polygonObstacle>"), "main.xml:2: <polygonObstacle> with too few vertices: want at least 2 different vertices"},
		{"too many obstacles", in("<obstacleRegion><numObstacles>100001</numObstacles><obstacleSize>1</obstacleSize><regionBounds>" + extent + "</regionBounds></obstacleRegion>"),
			"main.xml:2: too many obstacles in regions: want at most 100000"},
	} {
		_, err := readText(t, c.text, formats.Options{})
		testkit.Equal(t, fmt.Sprint(err), c.want, "%s", c.name)
	}
}
