package menge

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	project = `<Project scene="s.xml" behavior="b.xml" model="orca"/>`
	people  = `<AgentProfile name="p"><Common r="0.3" pref_speed="1.5" max_speed="2" max_accel="4" class="1"/><ORCA tau="3" tauObst="0.5"/></AgentProfile>`
	chosen  = `<ProfileSelector type="const" name="p"/><StateSelector type="const" name="a"/>`
	one     = `<Generator type="explicit"><Agent p_x="1" p_y="2"/></Generator>`
	group1  = "<AgentGroup>" + chosen + one + "</AgentGroup>"
	goals   = `<GoalSet id="0"><Goal id="0" type="point" x="7" y="2"/><Goal id="1" type="AABB" min_x="9" max_x="11" min_y="0" max_y="4" weight="3"/></GoalSet>`
	walks   = `<State name="a"><GoalSelector type="explicit" goal_set="0" goal="0"/><VelComponent type="goal"/></State>`
	stands  = `<State name="b" final="1"/>`
	arrives = `<Transition from="a" to="b"><Condition type="goal_reached" distance="0.25"/></Transition>`
)

func write(t testing.TB, scene, behavior string) string {
	t.Helper()
	return filepath.Join(testkit.Files(t, map[string]string{
		"main.xml": project, "s.xml": "<Experiment>\n" + scene + "\n</Experiment>", "b.xml": "<BFSM>\n" + behavior + "\n</BFSM>",
		"mesh.nav": "3\n0 0\n4 0\n4 4\n1\n0 1 0 0\n2\n0 1 0 1\n1 2 0 0\n", "bad.nav": "1\n0 0\n0\n1\n0 7 0 0",
	}), "main.xml")
}

// agentsOf removes the folder from errors and warnings.
func agentsOf(t testing.TB, scene, behavior string, o formats.Options) ([]Agent, *Project, error) {
	t.Helper()
	path := write(t, scene, behavior)
	p, err := Read(path, o)
	var agents []Agent
	if err == nil {
		agents, err = p.People(t.Context(), 1)
	}
	bare := strings.NewReplacer(filepath.Dir(path)+string(filepath.Separator), "")
	if err != nil {
		return nil, p, errors.New(bare.Replace(err.Error()))
	}
	for i := range p.Warnings {
		p.Warnings[i] = bare.Replace(p.Warnings[i])
	}
	return agents, p, nil
}

// The agent starts at (1, 2) and walks at 1.5 m/s.
func TestStops(t *testing.T) {
	to := func(x, y, reach float64) Stop { return Stop{systems.Stop{At: r2.Vec{X: x, Y: y}}, reach} }
	speed := func(s Stop, v float64) Stop { s.Speed = v; return s }
	state := func(name, selector, velocity string) string {
		return `<State name="` + name + `"><GoalSelector ` + selector + `/><VelComponent ` + velocity + `/></State>`
	}
	when := func(from, to, condition string) string {
		return `<Transition from="` + from + `" to="` + to + `"><Condition ` + condition + `</Transition>`
	}
	zone := `type="AABB" min_x="5" max_x="6" min_y="-9" max_y="9"`
	for _, test := range []struct {
		name, behavior string
		want           []Stop
		end            formats.Then
	}{
		{"goal", goals + walks + arrives + stands, []Stop{to(7, 2, 0.25)}, formats.Stay},
		{"no end", goals + walks, []Stop{to(7, 2, leastReach)}, formats.Stay},
		{"mirror", state("a", `type="mirror" mirror_x="1"`, `type="goal"`) + arrives + stands, []Stop{to(-1, 2, 0.25)}, formats.Stay},
		{"box", goals + state("a", `type="explicit" goal_set="0" goal="1"`, `type="goal"`) + state("b", `type="explicit" goal_set="0" goal="0"`, `type="goal"`) + arrives,
			[]Stop{to(9.5, 2, 0.75), to(7, 2, leastReach)}, formats.Stay},
		{"nearest", goals + state("a", `type="nearest" goal_set="0"`, `type="goal"`) + arrives + stands, []Stop{to(7, 2, 0.25)}, formats.Stay},
		{"farthest", goals + state("a", `type="farthest" goal_set="0"`, `type="goal"`) + when("a", "c", `type="goal_reached" distance="0.5"/>`) + state("c", `type="explicit" goal_set="0" goal="0"`, `type="goal"`),
			[]Stop{to(9.5, 2, 1), to(7, 2, leastReach)}, formats.Stay},
		{"direction", state("a", `type="identity"`, `type="const_dir" x="2" y="0"`) + when("a", "b", zone+` inside="1"/>`) + stands, []Stop{to(5.5, 2, 0.5)}, formats.Stay},
		{"velocity", state("a", `type="identity"`, `type="const" x="0.5" y="0"`) + when("a", "b", zone+` inside="1"/>`) + stands, []Stop{speed(to(5.5, 2, 0.5), 0.5)}, formats.Stay},
		{"forever", state("a", `type="identity"`, `type="const_dir" x="2" y="0"`), []Stop{{Stop: systems.Stop{Kind: systems.StopFlow, Direction: r2.Vec{X: 2}}}}, formats.Stay},
		{"on and on", state("a", `type="identity"`, `type="const_dir" x="2" y="0"`) + when("a", "b", zone+` inside="1"/>`) +
			`<State name="b" final="1"><VelComponent type="const_dir" x="1" y="0"/></State>`, []Stop{to(5.5, 2, 0.5)}, formats.Leave},
		{"timer", state("a", `type="identity"`, `type="zero"`) + when("a", "c", `type="timer" dist="c" value="4" per_agent="1"/>`) + goals +
			strings.Replace(walks, `"a"`, `"c"`, 1), []Stop{{Stop: systems.Stop{Kind: systems.StopIdle, Duration: 4}}, to(7, 2, leastReach)}, formats.Stay},
		{"not far", goals + walks + when("a", "b", `type="timer" dist="c" value="2" per_agent="1"/>`) + stands,
			[]Stop{{systems.Stop{At: r2.Vec{X: 7, Y: 2}, Duration: 2}, leastReach}}, formats.Stay},
		{"waits", goals + walks + when("a", "b", `type="timer" dist="c" value="9" per_agent="1"/>`) + stands,
			[]Stop{to(7, 2, leastReach), {Stop: systems.Stop{Kind: systems.StopIdle, Duration: 5}}}, formats.Stay},
		{"at once", goals + `<State name="a"/>` + when("a", "c", `type="auto"/>`) + strings.Replace(walks, `"a"`, `"c"`, 1), []Stop{to(7, 2, leastReach)}, formats.Stay},
		{"the first that fires", goals + walks + arrives + when("a", "c", zone+` inside="1"/>`) + strings.Replace(stands, `"b"`, `"c"`, 1) + stands, []Stop{to(5.5, 2, 0.5)}, formats.Stay},
		{"the order", goals + walks + arrives + `<Transition from="a" to="c" order="-1"><Condition type="goal_reached" distance="0.25"/></Transition>` +
			state("c", `type="mirror" mirror_x="1"`, `type="goal"`) + stands, []Stop{to(7, 2, 0.25), to(-6.75, 2, leastReach)}, formats.Stay},
		{"several states", goals + walks + `<Transition from="x, a" to="b"><Condition type="goal_reached" distance="0.25"/></Transition><State name="x"/>` + stands, []Stop{to(7, 2, 0.25)}, formats.Stay},
		{"out", goals + walks + when("a", "b", `type="AABB" min_x="0" max_x="3" min_y="-9" max_y="9" inside="0"/>`) + stands, []Stop{to(3, 2, leastReach)}, formats.Stay},
		{"and not", goals + walks + when("a", "b", `type="and"><Condition type="goal_reached" distance="0.25"/><Condition type="not"><Condition type="timer" dist="c" value="9" per_agent="1"/></Condition></Condition>`) + stands,
			[]Stop{to(7, 2, 0.25)}, formats.Stay},
		{"too late", goals + walks + when("a", "b", `type="and"><Condition type="goal_reached" distance="0.25"/><Condition type="not"><Condition type="timer" dist="c" value="1" per_agent="1"/></Condition></Condition>`) + stands,
			[]Stop{to(7, 2, leastReach)}, formats.Stay},
		{"a field", state("a", `type="identity"`, `type="vel_field" file_name="x"`) + when("a", "b", zone+` inside="1"/>`) + stands, []Stop{to(5.5, 2, 0.5)}, formats.Stay},
		{"a map", goals + state("a", `type="explicit" goal_set="0" goal="0"`, `type="road_map" file_name="x"`) + when("a", "c", `type="circle" center_x="1" center_y="9" radius="1" inside="1"/>`) +
			strings.Replace(stands, `"b"`, `"c"`, 1), nil, formats.Stay},
		{"round and round", goals + walks + arrives + state("b", `type="mirror" mirror_x="1"`, `type="goal"`) + when("b", "a", `type="goal_reached" distance="0.25"/>`),
			[]Stop{to(7, 2, 0.25), to(-6.75, 2, 0.25)}, formats.Repeat},
		{"return", `<State name="a"/><Transition from="a" to="c"><Condition type="auto"/></Transition>` + state("c", `type="identity"`, `type="const_dir" x="1" y="0"`) +
			`<Transition from="c"><Condition type="timer" dist="c" value="3" per_agent="1"/><Target type="return"/></Transition>`, []Stop{{Stop: systems.Stop{Kind: systems.StopFlow, Direction: r2.Vec{X: 1}, Duration: 3}}}, formats.Repeat},
		{"speeds", goals + walks + arrives + `<State name="b"><GoalSelector type="mirror" mirror_x="1"/><VelComponent type="goal"/><Action type="scale_property" property="pref_speed" dist="c" value="0.5" exit_reset="1"/></State>` +
			when("b", "c", `type="goal_reached" distance="0.25"/>`) + state("c", `type="mirror" mirror_x="1"`, `type="goal"`),
			[]Stop{to(7, 2, 0.25), speed(to(-6.75, 2, 0.25), 0.75), speed(to(6.5, 2, leastReach), 1.5)}, formats.Stay},
	} {
		agents, _, err := agentsOf(t, people+group1, test.behavior, formats.Options{})
		if err != nil || len(agents) != 1 {
			t.Errorf("%s: got=%v, %v, want=an agent", test.name, agents, err)
			continue
		}
		a := agents[0]
		near := func(a, b Stop) bool {
			p, q := a.At, b.At
			a.At, b.At = r2.Vec{}, r2.Vec{}
			same := math.Abs(a.Reach-b.Reach) < 1e-6 && math.Abs(a.Duration-b.Duration) < 1e-6
			a.Reach, b.Reach, a.Duration, b.Duration = 0, 0, 0, 0
			return same && a == b && r2.Norm(r2.Sub(p, q)) < 1e-6
		}
		if test.want != nil && !slices.EqualFunc(a.Stops, test.want, near) || len(a.Stops) == 0 || a.End != test.end {
			t.Errorf("%s: got=%+v, end %v, want=%+v, %v", test.name, a.Stops, a.End, test.want, test.end)
		}
	}
}

func TestProfiles(t *testing.T) {
	agents, p, err := agentsOf(t, `<Common time_step="0.2"/>`+people+`<AgentProfile name="q" inherits="p"><Common r="0.4"><Property name="pref_speed" dist="u" min="1" max="1.2"/></Common></AgentProfile>`+
		group1+strings.Replace(group1, `"p"`, `"q"`, 1)+strings.Replace(group1, `"p"`, `"d"`, 1)+`<AgentProfile name="d"/>`, goals+walks, formats.Options{})
	if err != nil || len(agents) != 3 || p.Step != 0.2 {
		t.Fatalf("got=%+v, %v, %v, want=three agents and a step of 0.2 s", agents, p, err)
	}
	a, b, d := agents[0], agents[1], agents[2]
	if a.Radius != 0.3 || a.PreferredSpeed != 1.5 || a.MaxSpeed != 2 || a.MaxAcceleration != 4 || a.TimeHorizon != 3 || a.TimeHorizonObst != 0.5 {
		t.Errorf("profile: got=%+v, want=radius 0.3, speeds 1.5 and 2, acceleration 4, horizons 3 and 0.5", a)
	}
	if b.Radius != 0.4 || !(b.PreferredSpeed > 1 && b.PreferredSpeed < 1.2) || b.MaxSpeed != 2 {
		t.Errorf("inherited: got=%+v, want=the radius 0.4, a speed from 1 to 1.2, and the rest of p", b)
	}
	if d.Radius != DefaultRadius || d.PreferredSpeed != DefaultPreferredSpeed || d.MaxNeighbors != DefaultMaxNeighbors || d.TimeHorizon != DefaultTau {
		t.Errorf("defaults: got=%+v, want=radius %v, speed %v, %v neighbors, horizon %v", d, DefaultRadius, DefaultPreferredSpeed, DefaultMaxNeighbors, DefaultTau)
	}
}

func TestGenerators(t *testing.T) {
	for _, test := range []struct {
		generator string
		n         int
		first     r2.Vec
		last      r2.Vec
	}{
		{`type="rect_grid" anchor_x="1" anchor_y="2" offset_x="2" offset_y="-1" count_x="3" count_y="2"`, 6, r2.Vec{X: 1, Y: 2}, r2.Vec{X: 5, Y: 1}},
		{`type="rect_grid" anchor_x="1" anchor_y="2" offset_x="2" offset_y="-1" count_x="3" count_y="2" rotation="90"`, 6, r2.Vec{X: 1, Y: 2}, r2.Vec{X: 2, Y: 6}},
		{`type="hex_lattice" anchor_x="0" anchor_y="0" alignment="left" row_direction="x" density="1.1547005383792515" width="3.5" population="4"`, 5, r2.Vec{}, r2.Vec{X: 1.5, Y: math.Sqrt(3) / 2}},
		{`type="hex_lattice" anchor_x="0" anchor_y="0" alignment="center" row_direction="y" density="1.1547005383792515" width="1.8" population="3"`, 4, r2.Vec{X: -math.Sqrt(3) / 4}, r2.Vec{X: math.Sqrt(3) / 4, Y: 1.5}},
	} {
		agents, _, err := agentsOf(t, people+"<AgentGroup>"+chosen+"<Generator "+test.generator+"/></AgentGroup>", goals+walks, formats.Options{})
		if err != nil || len(agents) != test.n {
			t.Errorf("%s: got=%d agents, %v, want=%d", test.generator, len(agents), err, test.n)
			continue
		}
		if a, b := agents[0].Position, agents[test.n-1].Position; r2.Norm(r2.Sub(a, test.first)) > 1e-9 || r2.Norm(r2.Sub(b, test.last)) > 1e-9 {
			t.Errorf("%s: got=%v to %v, want=%v to %v", test.generator, a, b, test.first, test.last)
		}
	}
	agents, _, err := agentsOf(t, people+"<AgentGroup>"+chosen+`<Generator type="explicit" displace_dist="u" displace_min="0.5" displace_max="1"><Agent p_x="3" p_y="4"/></Generator></AgentGroup>`, goals+walks, formats.Options{})
	testkit.Must(t, err)
	if far := r2.Norm(r2.Sub(agents[0].Position, r2.Vec{X: 3, Y: 4})); !(far >= 0.5 && far <= 1) {
		t.Errorf("displaced: got=%v m, want=0.5 to 1", far)
	}
}

func TestObstacles(t *testing.T) {
	corners := []string{`<Vertex p_x="0" p_y="0"/>`, `<Vertex p_x="4" p_y="0"/>`, `<Vertex p_x="4" p_y="4"/>`}
	line := strings.Join(corners, "")
	slices.Reverse(corners)
	_, p, err := agentsOf(t, people+group1+`<ObstacleSet type="explicit" class="1"><Obstacle closed="1">`+line+`</Obstacle><Obstacle closed="1">`+strings.Join(corners, "")+
		`</Obstacle></ObstacleSet><ObstacleSet type="nav_mesh" class="1" file_name="mesh.nav"/>`, goals+walks, formats.Options{})
	if err != nil || len(p.Obstacles) != 4 || !p.Obstacles[0].Solid || p.Obstacles[1].Solid || len(p.Obstacles[3].Corners) != 2 || len(p.Files) != 4 {
		t.Errorf("got=%+v, %v, want=a solid triangle, a room and two walls, from four files", p, err)
	}
	bowTie := `<Obstacle closed="1"><Vertex p_x="0" p_y="0"/><Vertex p_x="2" p_y="2"/><Vertex p_x="2" p_y="0"/><Vertex p_x="0" p_y="2"/></Obstacle>`
	_, _, err = agentsOf(t, people+group1+`<ObstacleSet type="explicit" class="1">`+bowTie+`</ObstacleSet>`, goals+walks, formats.Options{})
	if err == nil || !strings.Contains(err.Error(), "s.xml:2 (from ") || !strings.HasSuffix(err.Error(), "<Obstacle> crosses itself at (1, 1), want an outline that does not") {
		t.Errorf("a bow tie: got=%v, want=an error of s.xml:2: <Obstacle> crosses itself at (1, 1), want an outline that does not", err)
	}
}

func TestCapacity(t *testing.T) {
	agents, _, err := agentsOf(t, people+"<AgentGroup>"+chosen+strings.Repeat(one, 3)+"</AgentGroup>",
		`<GoalSet id="0"><Goal id="0" type="point" x="7" y="2" capacity="1"/><Goal id="1" type="point" x="9" y="2" capacity="1"/></GoalSet>`+
			strings.NewReplacer("explicit", "nearest", ` goal="0"`, "").Replace(walks), formats.Options{})
	if err != nil || agents[0].Stops[0].At.X != 7 || agents[1].Stops[0].At.X != 9 || agents[2].Stops[0].At.X != 7 {
		t.Errorf("got=%+v, %v, want=stops at x = 7, 9, and 7 when both goals are full", agents, err)
	}
}

func TestBadProjects(t *testing.T) {
	for _, test := range []struct {
		scene, behavior string
		want, warning   string // warning: of a lenient reader; empty means that it refuses the project as well
	}{
		{people, goals + walks, "s.xml:1 (from main.xml:1): no agents", ""},
		{people + group1 + "<Zebra/>", goals + walks, "s.xml:2 (from main.xml:1): unknown element <Zebra> in <Experiment>", "skipped: unknown element <Zebra>"},
		{people + group1, goals + walks + "<EventSystem/>", "b.xml:2 (from main.xml:1): unknown element <EventSystem> in <BFSM>", "skipped: unknown element <EventSystem>"},
		{people + group1, goals + strings.Replace(walks, "</State>", `<Action type="teleport" dist="c"/></State>`, 1), `b.xml:2 (from main.xml:1): <Action> type="teleport": want offset_property`, `skipped: <Action> type="teleport"`},
		{people + group1, goals + strings.Replace(walks, `type="goal"`, `type="goal" x="1"`, 1), `attribute x in <VelComponent type="goal">: want none`, "skipped: attribute x"},
		{people + group1, goals + walks + `<Transition from="a" to="b"><Condition type="space"/></Transition>`, `<Condition> type="space"`, `skipped: <Condition>`},
		{people + group1, goals + walks + arrives, `a transition to "b": want the name of a state`, ""},
		{people + group1, goals + walks + strings.Replace(arrives, `"a"`, `"c"`, 1) + stands, `<Transition> from="c"`, ""},
		{people + group1, walks, `<GoalSelector> goal_set="0": want a <GoalSet>`, ""},
		{people + group1, strings.Replace(goals, `id="0" type`, `id="5" type`, 1) + walks, `<GoalSelector> goal="0": want a goal of set 0`, ""},
		{people + group1, goals + stands, `state "a": want the name of a <State>`, ""},
		{group1, goals + walks, `profile "p": want the name of an <AgentProfile>`, ""},
		{people + people + group1, goals + walks, `<AgentProfile> name="p": want a name that no other profile has`, ""},
		{strings.Replace(people, `r="0.3"`, `r="0"`, 1) + group1, goals + walks, `<Common> r="0": want a number above 0`, ""},
		{people + "<AgentGroup>" + chosen + `<Generator type="rect_grid" anchor_x="0" anchor_y="0" offset_x="1" offset_y="1" count_x="100000" count_y="100000"/></AgentGroup>`, goals + walks, "too many agents: want at most 200000", ""},
		{people + "<AgentGroup>" + chosen + `<Generator type="hex_lattice" anchor_x="0" anchor_y="0" alignment="left" row_direction="x" density="1e30" width="1e30" population="9"/></AgentGroup>`, goals + walks, "want a width for at most", ""},
		{`<Common time_step="1e-9"/>` + people + group1, goals + walks, "s.xml:1 (from main.xml:1): <Experiment> with a step of 1e-09 s: want 0.0001 to 10 s", ""},
		{people + group1 + `<ObstacleSet type="nav_mesh" class="1" file_name="bad.nav"/>`, goals + walks, "bad.nav:5: corner is 7, want a whole number below 1", ""},
		{people + group1 + `<ObstacleSet type="explicit" class="1"><Obstacle closed="0"/></ObstacleSet>`, goals + walks, "open <Obstacle>", "skipped: open <Obstacle>"},
		{people + group1, `<State name="a"/><Transition from="a" to="a"><Condition type="auto"/></Transition>`, `<State name="a"> follows itself endlessly`, ""},
	} {
		for _, lenient := range []bool{false, true} {
			_, p, err := agentsOf(t, test.scene, test.behavior, formats.Options{Lenient: lenient})
			switch {
			case lenient && test.warning != "":
				if err != nil || !strings.Contains(strings.Join(p.Warnings, "\n"), test.warning) {
					t.Errorf("lenient: got=%v, %v, want=a warning with %q", p, err, test.warning)
				}
			case err == nil || !strings.Contains(err.Error(), test.want):
				t.Errorf("lenient %v: got=%v, want=an error with %q", lenient, err, test.want)
			}
		}
	}
}

func TestSteps(t *testing.T) {
	for _, test := range []struct {
		attributes string
		want       float64 // s; 0 means refused
	}{
		{``, DefaultStep}, {`timeStep="0.2"`, 0.2}, {`timeStep="0.2" subSteps="3"`, 0.05}, {`timeStep="-1" subSteps="3"`, DefaultStep},
		{`timeStep="1e-300"`, 0}, {`timeStep="0.2" subSteps="1000000000"`, 0}, {`timeStep="1e30"`, 0},
	} {
		path := write(t, people+group1, goals+walks)
		testkit.Must(t, os.WriteFile(path, []byte(`<Project scene="s.xml" behavior="b.xml" `+test.attributes+`/>`), 0o600))
		p, err := Read(path, formats.Options{})
		if refused := err != nil && strings.Contains(err.Error(), "main.xml:1: <Project> with a step of "); test.want == 0 && !refused || test.want > 0 && (err != nil || p.Step != test.want) {
			t.Errorf("%s: got=%+v, %v, want=a step of %v s (0 means an error)", test.attributes, p, err, test.want)
		}
	}
}

func TestMissingFiles(t *testing.T) {
	path := write(t, people+group1, goals+walks)
	dir := filepath.Dir(path)
	if _, err := Read(filepath.Join(dir, "b.xml"), formats.Options{}); err == nil || !strings.Contains(err.Error(), "b.xml:1: <BFSM> contains a behavior, but no agents") {
		t.Errorf("a behavior alone: got=%v, want=an error with %q", err, "b.xml:1: <BFSM> contains a behavior, but no agents")
	}
	s, err := Read(filepath.Join(dir, "s.xml"), formats.Options{})
	testkit.Must(t, err)
	if agents, err := s.People(t.Context(), 1); err != nil || len(agents) != 1 || len(agents[0].Stops) != 0 {
		t.Errorf("a scene alone: got=%+v, %v, want=one agent that stands", agents, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := s.People(ended, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got=%v, want=%v", err, context.Canceled)
	}
	testkit.Must(t, os.Remove(filepath.Join(dir, "s.xml")))
	if _, err := Read(path, formats.Options{}); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `main.xml:1: <Project> scene="s.xml": stat`) {
		t.Errorf("a missing file: got=%v, want=an error that wraps %v, with main.xml:1: <Project> scene=\"s.xml\": stat", err, fs.ErrNotExist)
	}
}

// FuzzRead verifies that errors name their file, that projects give valid crowds, and that a lenient
// read accepts everything that a strict read accepts.
func FuzzRead(f *testing.F) {
	dir := f.TempDir()
	f.Add(people+group1, goals+walks+arrives+stands)
	f.Add(people+"<AgentGroup>"+chosen+`<Generator type="hex_lattice" anchor_x="0" anchor_y="0" alignment="left" row_direction="x" density="1" width="3.5" population="4"/></AgentGroup>`,
		`<State name="a"><VelComponent type="const_dir" x="1" y="0"/></State><Transition from="a" to="a"><Condition type="timer" dist="n" mean="9" stddev="1" per_agent="1"/></Transition>`)
	f.Add(people+group1+`<ObstacleSet type="explicit" class="1"><Obstacle closed="1"><Vertex p_x="0" p_y="0"/><Vertex p_x="4" p_y="0"/></Obstacle></ObstacleSet>`,
		goals+strings.Replace(walks, "explicit", "random", 1)+`<Transition from="a"><Condition type="or"><Condition type="auto"/><Condition type="OBB" pivot_x="1" pivot_y="2" width="3" height="4" angle="5" inside="0"/></Condition><Target type="prob"><State name="a" weight="2"/></Target></Transition>`)
	f.Fuzz(func(t *testing.T, scene, behavior string) {
		for name, text := range map[string]string{"main.xml": project, "s.xml": "<Experiment>" + scene + "</Experiment>", "b.xml": "<BFSM>" + behavior + "</BFSM>"} {
			testkit.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		path := filepath.Join(dir, "main.xml")
		_, strict := Read(path, formats.Options{MaxAgents: 100})
		p, err := Read(path, formats.Options{MaxAgents: 100, Lenient: true})
		if err != nil {
			if !strings.HasPrefix(err.Error(), dir) || strict == nil {
				t.Errorf("lenient: got=%v, strict: got=%v, want=an error that names its file, and an error", err, strict)
			}
			return
		}
		agents, err := p.People(t.Context(), 1)
		if err != nil && !strings.HasPrefix(err.Error(), dir) {
			t.Errorf("got=%v, want=an error that names its file", err)
		}
		if len(agents) > 100 {
			t.Errorf("got=%d agents, want=at most 100", len(agents))
		}
		if !testkit.Finite(reflect.ValueOf(agents)) {
			t.Fatalf("got=%+v, want=finite numbers", agents)
		}
		c, err := readCrowd(path, &formats.Options{MaxAgents: 100, Lenient: true, Context: t.Context()})
		if err == nil && !(c.Steps > 0 && c.Dt > 0 && len(c.Groups) > 0) {
			t.Errorf("got=%+v, want=steps and a dt above 0, and a group", c)
		}
	})
}
