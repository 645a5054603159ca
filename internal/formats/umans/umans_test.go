package umans

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	oneAgent = `<Agent rad="0.3" pref_speed="1.3" max_speed="1.6"><pos x="1" y="2"/><goal x="3" y="4"/><Policy id="0"/></Agent>`
	oneWall  = `<Obstacle><Point x="0" y="0"/><Point x="1" y="0"/><Point x="1" y="1"/></Obstacle>`
)

// sim puts inside on line 2.
func sim(inside string) string { return "<Simulation delta_time='0.1'>\n" + inside + "\n</Simulation>" }

// readText reads text as main.xml, beside the files that tests include. It removes the folder from
// errors, warnings and names of files.
func readText(t testing.TB, text string, o formats.Options) (*Simulation, error) {
	t.Helper()
	dir := testkit.Files(t, map[string]string{
		"main.xml":      text,
		"agents.xml":    `<Agents>` + oneAgent + `</Agents>`,
		"obstacles.xml": `<Obstacles>` + oneWall + `</Obstacles>`,
		"bad.xml":       "<Agents>\n<Agent>\n<pos x='0' y='0'/></Agents>",
		"none.xml":      "<Agents/>",
		"chain.xml":     `<configPath path="main.xml"/>`,
		"deep.xml":      sim("<Agents file='bad.xml'/>"),
	})
	sim, err := Read(filepath.Join(dir, "main.xml"), o)
	if err != nil {
		err = errors.New(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	if sim != nil {
		for _, texts := range [][]string{sim.Warnings, sim.Files} {
			for i, text := range texts {
				texts[i] = strings.ReplaceAll(text, dir+string(filepath.Separator), "")
			}
		}
	}
	return sim, err
}

func TestReadSimulation(t *testing.T) {
	got, err := readText(t, `<?xml version="1.0" encoding="utf-8"?>
<!-- a comment -->
<Simulation delta_time="0.1" write_interval="1" end_time=" 100 ">
	<World type="Toric" width="10" height="20" goal_radius="2.5" integration_mode="Euler" nearest_nav="true" dynamic_nav="false">
		<Obstacles file="obstacles.xml"/>
		<PNG file="picture.png"/>
	</World>
	<SPH max_density="6.0" density_blending="true"/>
	<Policies file="policies/ORCA.xml"/>
	<Agents>
		`+oneAgent+`
		<Agent id="7" max_acceleration="2" start_time="5" remove_at_goal="True"><color r="1" g="2" b="3"/><pos y="-1e1" x="0"/></Agent>
	</Agents>
	<Map goal_x="1" goal_y="2" vector="v.txt" distance="d.txt"/>
</Simulation>
`, formats.Options{})
	testkit.Must(t, err)
	want := &Simulation{
		Name: "main", Dt: 0.1, EndTime: 100, Toric: true, Width: 10, Height: 20, GoalRadius: 2.5,
		Agents: []Agent{
			{Position: r2.Vec{X: 1, Y: 2}, Goal: r2.Vec{X: 3, Y: 4}, HasGoal: true, Radius: 0.3, PreferredSpeed: 1.3, MaxSpeed: 1.6},
			{Position: r2.Vec{Y: -10}, Goal: r2.Vec{Y: -10}, Radius: DefaultRadius, PreferredSpeed: DefaultPreferredSpeed,
				MaxSpeed: DefaultMaxSpeed, MaxAcceleration: 2, StartTime: 5, RemoveAtGoal: true},
		},
		Obstacles: [][]r2.Vec{{{}, {X: 1}, {X: 1, Y: 1}}},
		Files:     []string{"main.xml", "obstacles.xml"},
		Warnings: []string{
			"main.xml:9: <Policies> not read: agents have the behaviors of this simulator",
			"main.xml:14: <Map> not read: agents walk straight to their goals",
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Read:\ngot= %+v\nwant=%+v", got, want)
	}
}

func TestReadBareAgents(t *testing.T) {
	dir := testkit.Files(t, map[string]string{"crowd.xml.gz": testkit.Gzip("\ufeff<Agents>" + oneAgent + "</Agents>"), "path.xml": `<configPath path="crowd.xml.gz"/>`, "walls": "<Obstacles>" + oneWall + "</Obstacles>"})
	for file, name := range map[string]string{"crowd.xml.gz": "crowd", "path.xml": "path"} {
		sim, err := Read(filepath.Join(dir, file), formats.Options{Obstacles: filepath.Join(dir, "walls")})
		testkit.Must(t, err)
		if sim.Name != name || sim.Dt != 0 || len(sim.Agents) != 1 || len(sim.Obstacles) != 1 {
			t.Errorf("got=%+v, want=%s with 1 agent, 1 obstacle and no step", sim, name)
		}
	}
}

func TestObstacles(t *testing.T) {
	for _, c := range []struct {
		name, block string
		want        [][]r2.Vec
	}{
		{"none", ``, nil},
		{"closed", `<Obstacle><Point x="0" y="0"/><Point x="1" y="0"/><Point x="1" y="1"/><Point x="0" y="0"/></Obstacle>`,
			[][]r2.Vec{{{}, {X: 1}, {X: 1, Y: 1}}}},
		{"there and back", `<Obstacle><Point x="0" y="0"/><Point x="1" y="0"/><Point x="0" y="0"/></Obstacle>`, [][]r2.Vec{{{}, {X: 1}}}},
		{"offset", `<Obstacle><Point x="5" y="7"/><Point x="6" y="7"/></Obstacle><Dimension width="10" height="10"/><Offset x="5" y="6"/>`,
			[][]r2.Vec{{{Y: 1}, {X: 1, Y: 1}}}},
	} {
		sim, err := readText(t, `<Simulation delta_time="1"><World><Obstacles>`+c.block+`</Obstacles></World><Agents>`+oneAgent+`</Agents></Simulation>`, formats.Options{})
		testkit.Must(t, err)
		if !reflect.DeepEqual(sim.Obstacles, c.want) {
			t.Errorf("%s: got=%v, want=%v", c.name, sim.Obstacles, c.want)
		}
	}
}

func agentWith(attrs string) string {
	return "<Agents>\n<Agent " + attrs + "><pos x='0' y='0'/></Agent></Agents>"
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"other root", "<?xml version='1.0'?>\n<Scene/>", "main.xml:2: root element <Scene>: want <Simulation>, <Agents>, <configPath>, <Project>, <Experiment>, <SteerBenchTestCase> or <SteerSuiteSubSpace>"},
		{"no agents", "<Agents/>", "main.xml:1: no agents: want at least one <Agent>"},
		{"no agents in the element", sim("<World/>\n<Agents/>"), "main.xml:3: no agents: want at least one <Agent>"},
		{"no agents in the included file", sim("<Agents file='none.xml'/>"), "none.xml:1 (from main.xml:2): no agents: want at least one <Agent>"},
		{"unknown element", sim("<Wind/>"), "main.xml:2: unknown element <Wind> in <Simulation>: want <World>, <Policies>, <Agents>, <Map> or <SPH>"},
		{"unknown attribute", agentWith("radius='1'"), `main.xml:2: unknown attribute radius="1" in <Agent>: want rad, pref_speed, max_speed, max_acceleration, start_time, remove_at_goal or id`},
		{"no step", "<Simulation/>", "main.xml:1: <Simulation> without delta_time: want delta_time"},
		{"zero step", "<Simulation delta_time='0'/>", `main.xml:1: <Simulation> delta_time="0": want a time above 0`},
		{"end before the start", "<Simulation delta_time='1' end_time='-1'/>", `main.xml:1: <Simulation> end_time="-1": want a time above 0`},
		{"unknown world", sim("<World type='Sphere'/>"), `main.xml:2: <World> type="Sphere": want Infinite or Toric`},
		{"toric without size", sim("<World type='Toric' width='1'/>"), "main.xml:2: <World> without height: want width and height"},
		{"goal radius", sim("<World goal_radius='0'/>"), `main.xml:2: <World> goal_radius="0": want a number of radii above 0`},
		{"no position", "<Agents>\n<Agent/></Agents>", "main.xml:2: <Agent> without <pos>: want <pos x y>"},
		{"half a position", "<Agents>\n<Agent><pos x='1'/></Agent></Agents>", "main.xml:2: <pos> without y: want x and y"},
		{"trailing characters", "<Agents><Agent><pos x='1m' y='0'/></Agent></Agents>", `main.xml:1: <pos> x="1m": want a finite number`},
		{"zero radius", agentWith("rad='0'"), `main.xml:2: <Agent> rad="0": want a radius above 0`},
		{"negative speed", agentWith("pref_speed='-1'"), `main.xml:2: <Agent> pref_speed="-1": want a speed of at least 0`},
		{"negative limit", agentWith("max_speed='-1'"), `main.xml:2: <Agent> max_speed="-1": want a speed of at least 0`},
		{"no acceleration", agentWith("max_acceleration='0'"), `main.xml:2: <Agent> max_acceleration="0": want an acceleration above 0`},
		{"yes", agentWith("remove_at_goal='yes'"), `main.xml:2: <Agent> remove_at_goal="yes": want true or false`},
		{"one point", sim("<World><Obstacles>\n<Obstacle><Point x='0' y='0'/><Point x='0' y='0'/></Obstacle></Obstacles></World>"),
			"main.xml:3: <Obstacle> with too few points: want at least 2 different points"},
		{"point without x", sim("<World><Obstacles><Obstacle><Point y='0'/></Obstacle></Obstacles></World>"), "main.xml:2: <Point> without x: want x and y"},
		{"missing file", sim("<Agents file='missing.xml'/>"), `main.xml:2: <Agents> file="missing.xml": stat missing.xml: no such file or directory`},
		{"error in the included file", sim("<Agents file='bad.xml'/>"), "bad.xml:3 (from main.xml:2): </Agents> closes <Agent> on line 2: want </Agent>"},
		{"includes itself", sim("<Agents file='main.xml'/>"), "main.xml:1 (from main.xml:2): root element <Simulation>: want <Agents>"},
		{"agents file that includes itself", "<Agents file='main.xml'/>", `main.xml:1: <Agents> file="main.xml": want elements, because this file can't name another one`},
		{"file and elements", sim("<Agents file='agents.xml'>\n" + oneAgent + "</Agents>"), `main.xml:3: <Agent> in <Agents file="agents.xml">: want either a file or elements`},
		{"loop of configPath", "<configPath path='chain.xml'/>", "main.xml: too many <configPath> files: want a chain of at most 8"},
		{"file in place of another that names a third", "<configPath path='deep.xml'/>", "bad.xml:3 (from deep.xml:2, from main.xml:1): </Agents> closes <Agent> on line 2: want </Agent>"},
		{"missing file in place of another", "\n<configPath path='missing.xml'/>", "main.xml:2: <configPath>: stat missing.xml: no such file or directory"},
		{"configPath without path", "<configPath/>", "main.xml:1: <configPath> without path: want path"},
	} {
		testkit.Equal(t, fmt.Sprint(failure(readText(t, c.text, formats.Options{}))), c.want, "%s", c.name)
	}
}

func failure(_ *Simulation, err error) error { return err }

func TestLenient(t *testing.T) {
	sim, err := readText(t, `<Simulation delta_time="1" seed="4">
<Wind><Gust x="1">strong</Gust></Wind>
<World><Obstacles>
<Obstacle><Point x="0" y="0"/></Obstacle>
</Obstacles></World>
<Agents>`+oneAgent+`<Agent rad="1" mass="80"><pos x="1" y="1"/>
<pos x="2" y="2"/></Agent></Agents>
</Simulation>`, formats.Options{Lenient: true})
	testkit.Must(t, err)
	want := []string{
		`main.xml:1: skipped: unknown attribute seed="4" in <Simulation>`,
		`main.xml:2: skipped: unknown element <Wind> in <Simulation>`,
		`main.xml:4: skipped: <Obstacle> with too few points`,
		`main.xml:6: skipped: unknown attribute mass="80" in <Agent>`,
		`main.xml:7: skipped: second <pos> in <Agent>`,
	}
	if !slices.Equal(sim.Warnings, want) {
		t.Errorf("warnings:\ngot= %q\nwant=%q", sim.Warnings, want)
	}
	if got := sim.Agents[1].Position; len(sim.Agents) != 2 || got != (r2.Vec{X: 1, Y: 1}) {
		t.Errorf("got=%v of %d agents, want=(1, 1) of 2 agents", got, len(sim.Agents))
	}
}

func TestLimits(t *testing.T) {
	text := "<Agents>" + strings.Repeat(oneAgent+"\n", 1000) + "</Agents>"
	for o, want := range map[[2]int]string{
		{1 << 20, 1000}: "<nil>",
		{1 << 20, 999}:  "main.xml:1000: too many agents: want at most 999",
		{1 << 10, 0}:    "main.xml:10: file too large: want at most 1024 bytes, unpacked",
	} {
		testkit.Equal(t, fmt.Sprint(failure(readText(t, text, formats.Options{MaxBytes: int64(o[0]), MaxAgents: o[1]}))), want, "%v", o)
	}
}

func TestMissingFileIsNotExist(t *testing.T) {
	dir := testkit.Files(t, map[string]string{"main.xml": `<Simulation delta_time="1"><Agents file="none.xml"/></Simulation>`})
	for _, path := range []string{filepath.Join(dir, "main.xml"), filepath.Join(dir, "none.xml")} {
		if _, err := Read(path, formats.Options{}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got=%v, want=an error that wraps fs.ErrNotExist", path, err)
		}
	}
}
