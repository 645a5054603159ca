package scene

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Package menge tests its own reader.
func TestCrossedOutlines(t *testing.T) {
	vertex := func(x, z string) string {
		return "<vertex><x>" + x + "</x><y>0</y><z>" + z + "</z></vertex>"
	}
	dir := testkit.Files(t, map[string]string{
		"scene.toml": "groups = [{max-speed = 1}]\nobstacles.polygons = [\n  [[9, 9], [8, 9], [8, 8]],\n  [[0, 0], [2, 2], [2, 0], [0, 2]],\n]\n",
		"area.toml":  "groups = [{max-speed = 1}]\nobstacles.wkt = 'POLYGON((0 0,2 2,2 0,0 2,0 0))'\n",
		"area.wkt":   "POLYGON((0 0,2 2,2 0,0 2,0 0))",
		"bench.xml": `<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench"><header/>` + agentXML("0.5", "0") +
			"\n<polygonObstacle>" + vertex("0", "0") + vertex("2", "2") + vertex("2", "0") + vertex("0", "2") + "</polygonObstacle></SteerBenchTestCase>",
		"umans.xml": `<Simulation delta_time="1"><World><Obstacles>
<Obstacle><Point x="0" y="0"/><Point x="2" y="2"/><Point x="2" y="0"/><Point x="0" y="2"/></Obstacle></Obstacles></World></Simulation>`,
		"hall.scenario": vadereHall(`"obstacles" : [ {"shape" : {"type" : "POLYGON",
"points" : [ {"x" : 0, "y" : 0}, {"x" : 2, "y" : 2}, {"x" : 2, "y" : 0}, {"x" : 0, "y" : 2} ]}} ]`),
	})
	for name, want := range map[string]string{
		"scene.toml":    ":4:5: obstacles.polygons[1] crosses",
		"area.toml":     `:2:17: obstacles.wkt is "POLYGON((0 0,2 2,2 0,0 2,0 0))": invalid WKT: a ring crosses`,
		"area.wkt":      ":1: invalid WKT: a ring crosses",
		"bench.xml":     ":2: <polygonObstacle> crosses",
		"umans.xml":     ":2: <Obstacle> crosses",
		"hall.scenario": ":3: scenario.topography.obstacles[0].shape is a POLYGON that crosses",
	} {
		path := filepath.Join(dir, name)
		if _, err := Open(path, OpenOptions{}); err == nil || !strings.HasPrefix(err.Error(), path+want) || !strings.Contains(err.Error(), " itself at (1, 1), want an outline that does not") {
			t.Errorf("got=%v, want=%s%s itself at (1, 1), …", err, path, want)
		}
	}
	s := Scene{Name: "made", Dt: 0.1, Steps: 1, Groups: []Group{{Count: 1, At: Place{Points: []r2.Vec{{}}}}}}
	s.Obstacles.Polygons = [][]r2.Vec{{{X: 4}, {X: 6, Y: 2}, {X: 6}, {X: 4, Y: 2}}}
	const crosses = "obstacles.polygons[0]: polygon crosses itself at (5, 1), want an outline that does not"
	refused(t, failure(s.Build(Options{})), crosses, "scene in Go")
}

func TestNoKnownKind(t *testing.T) {
	t.Chdir(testkit.Files(t, map[string]string{
		"text.txt": "Copyright of an author\n", "empty.txt": "", "head.txt": "# framerate: 25\n# id frame x/m y/m\n", "a.scen": "version 1\n",
		"report.json": "\ufeff {\"name\": 1}", "list.json": `{"features": ["scenario", "vadere :"]}`, "a.scenario": "{}", "empty.toml": "", "bad.toml": "some words\n", "empty.xml": "", "other.xml": "<svg/>\n",
		"umans.xml": "<Simulation delta_time='1'>\n<World/>\n<Agents/></Simulation>", "bench.xml": "<?xml version='1.0'?>\n<SteerBenchTestCase><header/></SteerBenchTestCase>",
		"full.map": "type octile\nheight 1\nwidth 2\nmap\n@W\n", "empty.map": "",
	}))
	const kinds = "want a scene in TOML, a movingai.com map, a WKT geometry, a Vadere scenario, a SteerBench file, a Menge project, a UMANS file or a recording of people"
	const noVadere = ": JSON without any of Vadere's keys (scenario, vadere, processWriters), " + kinds
	const roots = "want <Simulation>, <Agents>, <configPath>, <Project>, <Experiment>, <SteerBenchTestCase> or <SteerSuiteSubSpace>"
	for name, want := range map[string]string{
		"text.txt":    "text.txt:1:11: expected '=' after key: " + kinds,
		"empty.txt":   "empty.txt: only blanks and comments, " + kinds,
		"head.txt":    "head.txt: only blanks and comments, " + kinds,
		"a.scen":      "a.scen: contains paths on a movingai.com map, want the map itself (.map); for the paths, use crowd bench maps",
		"report.json": "report.json" + noVadere,
		"list.json":   "list.json" + noVadere,
		"a.scenario":  `a.scenario:1: the file has no scenario, want a Vadere file: {"scenario" : {"topography" : …}}`,
		"empty.toml":  "empty.toml:1:1: groups is missing: agents that behave alike",
		"bad.toml":    "bad.toml:1:6: expected '=' after key",
		"full.map":    "full.map: all 2 cells are blocked, want at least one free cell (., G or S)",
		"empty.map":   "empty.map:1: the file is empty, want type octile",
		"empty.xml":   "empty.xml:1: no root element: " + roots,
		"other.xml":   "other.xml:1: root element <svg>: " + roots,
		"umans.xml":   "umans.xml:3: no agents: want at least one <Agent>",
		"bench.xml":   "bench.xml:2: no agents: want at least one <agent>, <agentRegion> or <agentEmitter>",
	} {
		testkit.Equal(t, fmt.Sprint(failure(Open(name, OpenOptions{}))), want, "error")
	}
}

func TestMenge(t *testing.T) {
	dir := testkit.Files(t, map[string]string{
		"project": `<?xml version="1.0"?><Project scene="s.xml" behavior="b.xml" model="helbing" duration="7" timeStep="0.1" subSteps="1"/>`,
		"s.xml": `<Experiment version="2.0"><SpatialQuery type="kd-tree"/><Common time_step="0.3"/>
<AgentProfile name="p"><Common r="0.3" pref_speed="1.5" max_speed="1.2" max_accel="4" neighbor_dist="6" max_neighbors="7"/><ORCA tau="2" tauObst="0.5"/></AgentProfile>
<AgentProfile name="q" inherits="p"><Common r="0.2"/></AgentProfile>
<AgentGroup><ProfileSelector type="const" name="p"/><StateSelector type="const" name="a"/><Generator type="explicit"><Agent p_x="1" p_y="2"/><Agent p_x="1" p_y="4"/></Generator></AgentGroup>
<AgentGroup><ProfileSelector type="const" name="q"/><StateSelector type="const" name="b"/><Generator type="explicit"><Agent p_x="3" p_y="3"/></Generator></AgentGroup>
<ObstacleSet type="explicit" class="1"><Obstacle closed="1"><Vertex p_x="5" p_y="5"/><Vertex p_x="6" p_y="5"/><Vertex p_x="6" p_y="6"/></Obstacle>
<Obstacle closed="1"><Vertex p_x="9" p_y="9"/><Vertex p_x="-9" p_y="9"/><Vertex p_x="-9" p_y="-9"/><Vertex p_x="9" p_y="-9"/></Obstacle>
<Obstacle closed="1"><Vertex p_x="-9" p_y="-9"/><Vertex p_x="-9" p_y="9"/><Vertex p_x="9" p_y="9"/></Obstacle></ObstacleSet></Experiment>`,
		"b.xml": `<BFSM><State name="a"><GoalSelector type="mirror" mirror_x="1"/><VelComponent type="goal"/></State><State name="b" final="1"/>
<Transition from="a" to="b"><Condition type="goal_reached" distance="0.2"/></Transition></BFSM>`,
	})
	s := sameAgain(t, opened(t, filepath.Join(dir, "project"), OpenOptions{}), 20)
	testkit.Equal(t, fmt.Sprint(s.Dt, s.Steps, len(s.Groups), s.Model, len(s.Files), len(s.Notes)), fmt.Sprint(0.05, 140, 2, ModelORCA, 3, 2), "dt, steps, groups, model, files, notes")
	testkit.Equal(t, [2]int{len(s.Obstacles.Polygons), len(s.Obstacles.Walls)}, [2]int{2, 3}, "solid polygons, walls")
	g := &s.Groups[0]
	if g.Count != 2 || g.Radius.Each[0] != 0.3 || g.MaxSpeed.Each[0] != 1.2 || g.MaxForce.Each[0] != 4 || g.Goal.Radius.Each[0] != 0.2 || g.Goal.Then != Stay ||
		g.Itineraries[1][0].At != (r2.Vec{X: -1, Y: 4}) || s.Groups[1].Goal != nil {
		t.Errorf("got=%+v and %+v, want=the agents of profile p, and a group without a goal", g, s.Groups[1])
	}
}

const lShape = "POLYGON((0 0,10 0,10 4,4 4,4 10,0 10,0 0),(1 1,2 1,2 2,1 2,1 1))"

func TestArea(t *testing.T) {
	dir := testkit.Files(t, map[string]string{"l.wkt": lShape, "l": lShape, "small.wkt": "POLYGON((0 0,0.4 0,0.4 9,0 9,0 0))", "two.wkt": "MULTIPOLYGON(((0 0,9 0,9 9,0 9,0 0)),((20 0,24 0,24 4,20 4,20 0)))"})
	s := sameAgain(t, opened(t, filepath.Join(dir, "l.wkt"), OpenOptions{}), 20)
	if s.Name != "l" || len(s.Groups) != 4 || len(s.Obstacles.Walls) != 6 || len(s.Obstacles.Polygons) != 1 || s.Box != box(-1, -1, 11, 11) || s.Agents() < 10 {
		t.Errorf("got=%q, %d groups, %d walls, %d polygons, box %v, %d agents, want=l, 4, 6, 1, (-1, -1) to (11, 11), 10 or more", s.Name, len(s.Groups), len(s.Obstacles.Walls), len(s.Obstacles.Polygons), s.Box, s.Agents())
	}
	inside := func(p r2.Vec) bool {
		return p.X > 0 && p.Y > 0 && p.X < 10 && p.Y < 10 && (p.X < 4 || p.Y < 4) && !(p.X > 1 && p.X < 2 && p.Y > 1 && p.Y < 2)
	}
	w := built(t, s)
	var all []r2.Vec
	agents(w, func(id uint64, p, _, _ r2.Vec) {
		hit, near := w.Obstacles.Nearest(p, 1)
		if !inside(p) || near && hit.Distance < clearOfWalls-1e-9 {
			t.Errorf("agent %d: got=%v, want=inside and clear of walls", id, p)
		}
		for _, q := range all {
			if vec.Norm(vec.Sub(p, q)) < 0.5-1e-9 {
				t.Errorf("agent %d: got=%v, want=apart from %v", id, p, q)
			}
		}
		all = append(all, p)
	})
	other, err := Open(filepath.Join(dir, "l"), OpenOptions{Seed: new(uint64(2))})
	if err != nil || other.Groups[0].At.Points[0] == s.Groups[0].At.Points[0] {
		t.Errorf("another seed, and no extension: got=error %v, or the same places, want=no error, and different places", err)
	}
	two, err := Open(filepath.Join(dir, "two.wkt"), OpenOptions{})
	if err != nil || len(two.Notes) != 2 {
		t.Errorf("two parts: got=%+v, %v, want=a note about the part without agents", two, err)
	}
	path := filepath.Join(dir, "small.wkt")
	testkit.Equal(t, fmt.Sprint(failure(Open(path, OpenOptions{}))), path+": every place in the area is less than 0.25 m from a wall, want room for a person", "small area")
}

func TestWKTKey(t *testing.T) {
	const group = "\n[[groups]]\nat = [3, 3]\nmax-speed = 1\n"
	dir := testkit.Files(t, map[string]string{
		"l.wkt": lShape, "bad.wkt": "POLYGON((", "file.toml": "obstacles.wkt = \"l.wkt\"\nobstacles.walls = [{from = [0, 0], to = [1, 1]}]" + group,
		"text.toml": "obstacles.wkt = \"" + strings.Replace(lShape, "POLYGON((0 0", "POLYGON Z((0 0 1", 1) + "\"" + group, "bad.toml": "obstacles.wkt = \"bad.wkt\"" + group,
		"none.toml": "obstacles.wkt = \"none.wkt\"" + group, "number.toml": "obstacles.wkt = 3" + group,
	})
	s := sameAgain(t, opened(t, filepath.Join(dir, "file.toml"), OpenOptions{}), 20)
	if len(s.Obstacles.Walls) != 7 || len(s.Obstacles.Polygons) != 1 || len(s.Files) != 2 || strings.Contains(asFile(s), "wkt") {
		t.Errorf("got=%+v of %q, want=7 walls and a polygon of 2 files, written without wkt:\n%s", s.Obstacles, s.Files, asFile(s))
	}
	for name, want := range map[string]string{
		"text.toml": "invalid WKT", "bad.toml": "bad.wkt:1: invalid WKT", "none.toml": "no such file", "number.toml": "obstacles.wkt is 3, want a string",
	} {
		if _, err := Open(filepath.Join(dir, name), OpenOptions{}); err == nil || !strings.Contains(err.Error(), name+":1:17: obstacles.wkt is ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got=%v, want=an error that names obstacles.wkt and contains %q", name, err, want)
		}
	}
	refused(t, failure(Read(strings.NewReader("obstacles.wkt = \"l.wkt\""+group), "x.toml", OpenOptions{})), "want WKT, because this scene was not read from a file", "no file")
	if s, err := Read(strings.NewReader("obstacles.wkt = \"POLYGON Z((0 0 1,4 0 1,4 4 1,0 0 1))\""+group), "x.toml", OpenOptions{}); err != nil || len(s.Obstacles.Walls) != 3 || !strings.Contains(strings.Join(s.Warnings, "\n"), "heights") {
		t.Errorf("text: got=%+v, %v, want=three walls, and a warning about heights", s, err)
	}
}

func TestAgentsOfFiles(t *testing.T) {
	for _, test := range []struct {
		text          string
		radii, speeds []float64
	}{
		{`<Agents>
<Agent rad="0.25" pref_speed="1.25" max_speed="2"><pos x="0" y="0"/><goal x="5" y="0"/></Agent>
<Agent rad="0.5" pref_speed="3" max_speed="1.5"><pos x="0" y="9"/><goal x="5" y="9"/></Agent>
</Agents>`, []float64{0.25, 0.5}, []float64{1.25, 1.5}},
		{`<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench"><header/>` + agentXML("0.5", "0") + agentXML("0.2", "4") + `</SteerBenchTestCase>`,
			[]float64{1.25, 0.5}, []float64{1.3, 1.3}},
	} {
		g := opened(t, mapFile(t, "file.xml", test.text), OpenOptions{}).Groups[0]
		testkit.Equal(t, fmt.Sprint(g.Goal.Radius.Each, g.MaxSpeed.Each), fmt.Sprint(test.radii, test.speeds), "radii in m, speeds in m/s")
	}
}

// agentXML returns an agent of a SteerBench file that walks from x to 9 m.
func agentXML(radius, x string) string {
	return `<agent><initialConditions><position><x>` + x + `</x><y>0</y><z>0</z></position><direction><x>1</x><y>0</y><z>0</z></direction>` +
		`<radius>` + radius + `</radius><speed>0</speed></initialConditions>` +
		`<goalSequence><seekStaticTarget><targetLocation><x>9</x><y>0</y><z>0</z></targetLocation>` +
		`<desiredSpeed>1.3</desiredSpeed><timeDuration>1000</timeDuration></seekStaticTarget></goalSequence></agent>`
}

func TestUMANSWorld(t *testing.T) {
	const file = `<Simulation delta_time="0.5"><World type="Toric" width="300" height="20"/>
<Agents><Agent rad="0.25" pref_speed="1" max_speed="2"><pos x="0" y="0"/><goal x="%" y="0"/></Agent></Agents></Simulation>`
	for goal, seconds := range map[string]float64{"10": 100, "120": 180} {
		s := opened(t, mapFile(t, "file.xml", strings.Replace(file, "%", goal, 1)), OpenOptions{})
		testkit.Equal(t, s.Box, box(-150, -10, 150, 10), "box")
		testkit.Equal(t, s.Bounds, systems.BoundsWrap, "bounds")
		testkit.Equal(t, float64(s.Steps)*s.Dt, seconds, "%s m at 1 m/s", goal)
	}
}

// Three times the time of the longest path, plus half a minute, plus a second for each agent beyond the
// first, at most ten minutes.
func TestSteerBenchEnds(t *testing.T) {
	for agents, seconds := range map[int]float64{1: 90, 2: 91, 41: 130, 1000: 600} {
		s := opened(t, mapFile(t, "file.xml", `<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench"><header/>`+strings.Repeat(agentXML("0.5", "-17"), agents)+`</SteerBenchTestCase>`), OpenOptions{})
		testkit.Near(t, float64(s.Steps)*s.Dt, seconds, s.Dt, "%d agents", agents)
	}
}

const dynamicCase = `<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench">
<header><version>1.0</version><name>x</name><worldBounds><xmin>-50</xmin><xmax>50</xmax><ymin>0</ymin><ymax>0</ymax><zmin>-50</zmin><zmax>50</zmax></worldBounds></header>
<agent><name>quick</name><initialConditions><radius>0.5</radius><position><x>-9</x><y>0</y><z>0</z></position><direction><x>1</x><y>0</y><z>0</z></direction><speed>1</speed></initialConditions>
<goalSequence><seekStaticTarget><targetLocation><x>9</x><y>0</y><z>0</z></targetLocation><desiredSpeed>1.3</desiredSpeed></seekStaticTarget></goalSequence></agent>
<agent><name>bag</name><initialConditions><radius>0.2</radius><position><x>-10</x><y>0</y><z>1</z></position><direction><x>0</x><y>0</y><z>0</z></direction><speed>0</speed></initialConditions>
<goalSequence><seekDynamicTarget><targetName>NAME</targetName><desiredSpeed>1</desiredSpeed></seekDynamicTarget></goalSequence></agent>
<agent><name>shy</name><initialConditions><radius>0.2</radius><position><x>-12</x><y>0</y><z>1</z></position><direction><x>0</x><y>0</y><z>0</z></direction><speed>0</speed></initialConditions>
<goalSequence><fleeDynamicTarget><targetName>2</targetName><timeDuration>3</timeDuration></fleeDynamicTarget><flowDynamicDirection><targetName>quick</targetName></flowDynamicDirection></goalSequence></agent>
<agent><name>lone</name><initialConditions><radius>0.2</radius><position><x>0</x><y>0</y><z>9</z></position><direction><x>1</x><y>0</y><z>1</z></direction><speed>1</speed></initialConditions>
<goalSequence><flowDynamicDirection><timeDuration>2</timeDuration></flowDynamicDirection><groupTarget><targetName>1</targetName></groupTarget></goalSequence></agent>
</SteerBenchTestCase>`

func dynamicFile(t *testing.T, name string) string {
	return mapFile(t, "case.xml", strings.Replace(dynamicCase, "NAME", name, 1))
}

func TestGoalsThatMove(t *testing.T) {
	s := opened(t, dynamicFile(t, "quick"), OpenOptions{})
	w := built(t, s)
	steps(t, w, 600)
	testkit.Equal(t, w.Stats().ArrivedOnce, 4, "arrived")
	sameAgain(t, s, 200)
}

func TestGoalOfMissingAgent(t *testing.T) {
	path := dynamicFile(t, "none")
	refused(t, failure(Open(path, OpenOptions{})), `case.xml:6: <targetName> "none": want the name of an agent`, "error")
	s, err := Open(path, OpenOptions{Lenient: true})
	noError(t, err)
	if _, err := s.Build(Options{}); err != nil || len(s.Warnings) == 0 {
		t.Errorf("lenient: got=error %v, warnings %q, want=no error, and a warning", err, s.Warnings)
	}
	s.Groups[0].Itineraries = [][]systems.Stop{{{Kind: systems.StopFollow, Other: 9}}}
	refused(t, failure(s.Build(Options{})), "groups[0].itineraries[0][0].agent is 9, want 1 to 4", "missing agent 9")
	s.Groups[0].Itineraries = [][]systems.Stop{{{Kind: systems.StopFlow}}}
	refused(t, failure(s.Build(Options{})), "groups[0].itineraries[0][0].direction is (0, 0), want a vector of any length above 0", "no direction")
}

func TestGoalWithoutDirection(t *testing.T) {
	const ahead, none = "<direction><x>1</x><y>0</y><z>1</z></direction>", "<direction><x>0</x><y>1</y><z>0</z></direction>"
	path := mapFile(t, "case.xml", strings.NewReplacer("NAME", "quick", ahead, none).Replace(dynamicCase))
	s := opened(t, path, OpenOptions{})
	testkit.Equal(t, s.Groups[1].Itineraries[2][0], systems.Stop{Kind: systems.StopIdle, Duration: 2, Speed: 1.3}, "flow without direction")
	steps(t, built(t, s), 100)
}

// recordingText has two frames per second: 7 walks to the right, 8 comes a second later and stands, and
// 9 comes with 8.
const recordingText = "# framerate: 2\n# id frame x/m y/m\n7 10 0 0\n7 11 1 0\n7 12 2 0\n7 13 4 0\n8 12 5 5\n8 14 5 5\n9 12 -3 1\n9 13 -3 2\n"

func TestRecording(t *testing.T) {
	s := opened(t, mapFile(t, "walk.txt", recordingText), OpenOptions{})
	g := &s.Groups[0]
	testkit.Equal(t, fmt.Sprint(s.Recorded, g.Count, g.At.Points), fmt.Sprint(true, 3, []r2.Vec{{}, {X: 5, Y: 5}, {X: -3, Y: 1}}), "recorded, agents, starts")
	testkit.Equal(t, fmt.Sprint(g.Target.Points, g.Goal.Then), fmt.Sprint([]r2.Vec{{X: 4}, {X: 5, Y: 5}, {X: -3, Y: 2}}, Leave), "goals, then")
	testkit.Equal(t, fmt.Sprint(g.MaxSpeed.Each), "[2 0.1 2]", "speeds")
	testkit.Equal(t, fmt.Sprint(g.Source.Schedule), fmt.Sprint([]world.Batch{{Time: 0, N: 1}, {Time: 1, N: 2}}), "times")
	testkit.Equal(t, s.Box, box(-4, -1, 6, 6), "box")
	sameAgain(t, s, 40)
}

func TestRecordingErrors(t *testing.T) {
	const head, point = "# framerate: 25\n# id frame x/m y/m\n", ", want a number with a decimal point"
	plain, given := strings.Join(strings.Split(recordingText, "\n")[2:], "\n"), OpenOptions{FrameRate: 25, Unit: "m"}
	for _, test := range []struct {
		text    string
		options OpenOptions
		want    string // after the path
	}{
		{plain, OpenOptions{FrameRate: 2}, " does not state the unit of its lengths, want --recording unit=m or cm"},
		{plain, OpenOptions{FrameRate: 2, Unit: "m"}, "<nil>"},
		{"1 2\n", given, ":1:3: expected '=' after key: " + wanted()}, // an invalid scene
		{"name = \"x\"\n", OpenOptions{}, ":1:1: groups is missing: agents that behave alike"},
		{"# only words\n", OpenOptions{}, ": only blanks and comments, " + wanted()},
		{head + "1 0 1.5 2.3\n1 1 1,6 2.3\n", given, `:4: x is "1,6"` + point},
		{head + "1\t0\t1.5\t-2,3\r\n", given, `:3: y is "-2,3"` + point},
		{"1 0 1,5 2,3\n1 1 1,6 2,3\n", given, `:1: column 3 is "1,5"` + point},
		{"# framerate: 25\n1 0 1 2,3\n", given, `:2: column 4 is "2,3"` + point},
		{"id;frame;x/m;y/m\n1;0;1.5;2,3\n", given, `:2: y is "2,3"` + point},
		{"id;time;x/m;y/m\n1;0,04;1.5;2\n", given, `:2: time is "0,04"` + point},
		{head + "1 0,5 1 2\n", given, `:3: frame is "0,5"` + point},
		{head + "1, 0, 1.5, 2.3\n1,1,1.5 ,2.3\n", given, "<nil>"},
		{head + "1; 0; 1.5; 2.3\n1 ;1;1.6\t;2.3\n", given, "<nil>"},
		{"\xff\xfe1\x00 \x000\x00", given, ": UTF-16 or not text, want text in UTF-8"},
		{"1\x00 \x000\x00 \x001\x00", given, ": UTF-16 or not text, want text in UTF-8"},
	} {
		path := mapFile(t, "x.txt", test.text)
		testkit.Equal(t, strings.TrimPrefix(fmt.Sprint(failure(Open(path, test.options))), path), test.want, "%.12q", test.text)
	}
}
