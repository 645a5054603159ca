package scene

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// base is a scene without faults. The group of lone has no count.
const (
	base = "box = [[0, 0], [40, 30]]\n[[groups]]\ncount = 3\nmax-speed = 1\n"
	lone = "box = [[0, 0], [40, 30]]\n[[groups]]\nmax-speed = 1\n"
)

func TestFaults(t *testing.T) {
	steering := `"` + strings.Join(world.Behaviors(), `", "`) + `"`
	for _, tc := range []struct{ text, want string }{
		{"dt = ", "f.toml:1:5: expected value, not end of input"},
		{"dt = 1\ndt = 2", "f.toml:2:1: dt already exists as a number"},
		{"[pointer]\n[pointer]", "f.toml:2:2: pointer already exists as a table"},
		{"text = \"é\" x", "f.toml:1:12: expected newline but got U+0078 'x'"},
		{"sed = 1\n" + base, `f.toml:1:1: sed is not a key: did you mean "seed"?`},
		{base + "max_speed = 2", `f.toml:5:1: groups[0].max_speed is not a key: did you mean "max-speed"?`},
		{base + "unaligned = {}", `f.toml:5:1: groups[0].unaligned is not a key: did you mean "unaligned-collision-avoidance"?`},
		{base + "slowing-radius = 2", "f.toml:5:1: groups[0].slowing-radius is not a key: it belongs in arrival, opposing-arrival, damped-arrival, interpose, leader-following, hiding"},
		{base + "arrival = {slowing-radus = 2}", `f.toml:5:12: groups[0].arrival.slowing-radus is not a key: did you mean "slowing-radius"?`},
		{base + "goal = {color = 2, radius = 1}\ntarget = [1, 1]", `f.toml:5:9: groups[0].goal.color is not a key: want radius, then`},
		{"[[groups]]\n", "f.toml:1:3: groups[0].max-speed is missing: m/s, maximum speed"},
		{"dt = 1", "f.toml:1:1: groups is missing: agents that behave alike"},
		{base + "arrival = {}", "f.toml:5:11: groups[0].arrival.slowing-radius is missing: m, distance from the target at which slowing begins"},
		{"dt = \"fast\"\n" + base, `f.toml:1:6: dt is "fast", want a finite number above 0`},
		{"dt = 0\n" + base, "f.toml:1:6: dt is 0, want a finite number above 0"},
		{"dt = nan\n" + base, "f.toml:1:6: dt is nan, want a finite number above 0"},
		{"dt = 1e999\n" + base, "f.toml:1:6: dt is 1e999, want a finite number above 0"},
		{"seed = -1\n" + base, "f.toml:1:8: seed is -1, want a whole number, 0 to 18446744073709551615"},
		{"steps = 1.5\n" + base, "f.toml:1:9: steps is 1.5, want a whole number, 1 to 100000000"},
		{"steps = 5\nduration = 1\n" + base, "f.toml:2:1: duration and steps are both set, want one"},
		{"faithful-facing = 1\n" + base, "f.toml:1:19: faithful-facing is 1, want true or false"},
		{"notes = \"one\"\n" + base, `f.toml:1:9: notes is "one", want a list of strings`},
		{"notes = [1]\n" + base, "f.toml:1:10: notes[0] is 1, want a string in quotes"},
		{"bounds = \"bonce\"\n" + base, `f.toml:1:10: bounds is "bonce", want one of "none", "bounce", "faithful-bounce", "wrap", "clamp"; did you mean "bounce"?`},
		{"bounds = 1\n" + base, `f.toml:1:10: bounds is 1, want one of "none", "bounce", "faithful-bounce", "wrap", "clamp"`},
		{"box = [[0, 0], [0, 30]]\n[[groups]]\nmax-speed = 1", "f.toml:1:9: box is [[0, 0], [0, 30]], want two corners, [[x0, y0], [x1, y1]], with x0 < x1 and y0 < y1"},
		{"box = [0, 0, 40, 30]\n[[groups]]\nmax-speed = 1", "f.toml:1:8: box is a list of length 4, want two corners, [[x0, y0], [x1, y1]], with x0 < x1 and y0 < y1"},
		{"lines = [{from = [0, 0], to = [0, 0]}]\n" + base, "f.toml:1:10: lines[0] is from [0, 0] to the same point, want two different points"},
		{base + "at = [1]", "f.toml:5:7: groups[0].at is a list of length 1, want two numbers, [x, y]"},
		{base + "at = [1, 1e13]", "f.toml:5:10: groups[0].at is 1e13, want -1e+12 to 1e+12"},
		{base + "at = {points = []}", "f.toml:5:7: groups[0].at.points is a list of length 0, want a list of one or more points, [[x, y], …]"},
		{base + "at = {points = [[0, 0], [1, true]]}", "f.toml:5:29: groups[0].at.points[1] is true, want -1e+12 to 1e+12"},
		{base + "at = {disc = {radius = 1}, ring = {radius = 1}}", "f.toml:5:6: groups[0].at has 2 kinds of places, want at most one of points, ring, grid, rows, disc, rectangle, exits"},
		{base + "seek = true", "f.toml:5:8: groups[0].seek is true, want a table with gain"},
		{base + "radius = \"big\"", `f.toml:5:10: groups[0].radius is "big", want a finite number, 0 or more, a list of such numbers, {uniform = [minimum, maximum]}, {normal = [mean, deviation]}, or another distribution`},
		{base + "radius = -1", "f.toml:5:10: groups[0].radius is -1, want a finite number, 0 or more"},
		{base + "radius = [1, -1]", "f.toml:5:14: groups[0].radius[1] is -1, want a finite number, 0 or more"},
		{base + "radius = {uniform = [2, 1]}", "f.toml:5:10: groups[0].radius.uniform is [2, 1], want the smaller number first"},
		{base + "radius = {normal = [1, 0]}", "f.toml:5:10: groups[0].radius.normal is [1, 0], want a standard deviation above 0"},
		{base + "radius = {normal = [1, 0.5]}", "f.toml:5:10: groups[0].radius is drawn from -2 to 4, want a finite number, 0 or more"},
		{base + "radius = {normal = [1, 0.5], min = 2, max = 1}", "f.toml:5:10: groups[0].radius has min 2 and max 1, want min ≤ max"},
		{base + "radius = {min = 1}", "f.toml:5:10: groups[0].radius has no distribution, want one of uniform, normal, log-normal, exponential, gamma, weibull"},
		{base + "radius = {uniform = [0, 1], min = 0}", "f.toml:5:10: groups[0].radius has uniform, and min or max, which only other distributions take"},
		{"groups = 1", "f.toml:1:10: groups is 1, want 1 to 10000 tables"},
		{"groups = [1]", "f.toml:1:11: groups[0] is 1, want a table with " + keyNames(new(Scene).groupKeys(&Group{}))},
		{"featured = [\"max-sped\"]\n" + base, `f.toml:1:13: featured[0] is "max-sped", which is not a parameter: did you mean "max-speed"?`},
		{"featured = [\"dt\", \"groups[0].max-sped\"]\n" + base, `f.toml:1:19: featured[1] is "groups[0].max-sped", which is not a parameter: did you mean "groups[0].max-speed"?`},
		{"featured = [\"seek.gain\"]\n" + base, `f.toml:1:13: featured[0] is "seek.gain", which is not a parameter; the parameters are dt, radius, mass, max-speed, max-force`},
		{"featured = \"max-speed\"\n" + base, `f.toml:1:12: featured is "max-speed", want a list of up to 5 strings`},
		{"[[groups]]\nmax-speed = 1", "f.toml:1:3: groups[0].at needs points, ring, grid, rows, disc, rectangle or exits, or a scene with a box"},
		{base + "seek = {}", "f.toml:5:8: groups[0].seek needs a target or a path"},
		{base + "seek = {gain = 90}\ntarget = [1, 1]", "f.toml:5:16: groups[0].seek.gain is 90 kg/s, want 0 to mass/dt = 60"},
		{base + "avoidance = {max-force = 1}", "f.toml:5:13: groups[0].avoidance needs threat-scan: find the obstacle that the agent would hit first"},
		{base + "target = [1, 1]\ngoal = {radius = 1, then = \"repeat\"}", `f.toml:6:28: groups[0].goal.then is "repeat", which needs itineraries`},
		{base + "target = \"pointer\"", `f.toml:5:10: groups[0].target is "pointer", but the scene has no pointer`},
		{base + "target = \"wolves\"", `f.toml:5:10: groups[0].target is "wolves", want "pointer" or the name of a group`},
		{base + "name = \"a\"\n[[groups]]\nname = \"a\"\nmax-speed = 1", `f.toml:7:8: groups[1].name is "a", which is taken`},
		{base + "name = \"pointer\"", `f.toml:5:8: groups[0].name is "pointer", which is taken`},
		{base + "pursuit = {horizon = 1}", "f.toml:5:11: groups[0].pursuit needs quarry: entity that pursuit and offset-pursuit pursue: \"pointer\", or the name of a group"},
		{base + "evasion = {horizon = 1}", "f.toml:5:11: groups[0].evasion needs pursuer: entity that evasion evades: \"pointer\", or the name of a group"},
		{base + "quarry = \"hares\"", `f.toml:5:10: groups[0].quarry is "hares", want "pointer" or the name of a group`},
		{base + "pursuer = \"pointer\"", `f.toml:5:11: groups[0].pursuer is "pointer", but the scene has no pointer`},
		{base + "alignment = {gain = 1}", "f.toml:5:13: groups[0].alignment.neighbor-dist is missing: m, maximum distance of neighbors, from center to center"},
		{base + "cohesion = {neighbor-dist = 1, field-of-view = -1}", "f.toml:5:48: groups[0].cohesion.field-of-view is -1, want 0 to 720"},
		{base + "layers = {on = [32]}", "f.toml:5:17: groups[0].layers.on[0] is 32, want a whole number, 0 to 31"},
		{base + "layers = {on = 1}", "f.toml:5:16: groups[0].layers.on is 1, want a list of layers, each 0 to 31"},
		{base + "unaligned-collision-avoidance = {horizon = 0, neighbor-dist = 1}", "f.toml:5:44: groups[0].unaligned-collision-avoidance.horizon is 0, want a finite number above 0"},
		{base + "solid = {push = 1.5}", "f.toml:5:17: groups[0].solid.push is 1.5, want 0 to 1"},
		{base + "path = {reached = 1}", "f.toml:5:8: groups[0].path.index is 0, want less than 0, the number of paths"},
		{"paths = [[[0, 0]]]\n" + base + "path = {reached = 1}\nsmooth-arrival = {min = 2, max = 3}",
			"f.toml:6:19: groups[0].path.reached is 1 m, want above 2 m, the distance at which smooth arrival stops"},
		{"scan = \"probes\"\n" + base + "radius = 1\nthreat-scan = {look-ahead = 1}", "f.toml:6:10: groups[0].radius is 1 m, but the configured scan supports only agents without a radius"},
		{"scan = \"probes\"\nobstacles.walls = [{from = [0, 0], to = [1, 1]}]\n" + base + "threat-scan = {look-ahead = 1}",
			"f.toml:7:15: groups[0].threat-scan uses probes or nearest-first, which support only circles, but there are other obstacles"},
		{"scan = \"probes\"\nobstacles.doors = [{from = [0, 0], to = [1, 1]}]\n" + base + "threat-scan = {look-ahead = 1}",
			"f.toml:7:15: groups[0].threat-scan uses probes or nearest-first, which support only circles, but there are other obstacles"},
		{base + "start-speed = 1\nvelocity = [1, 0]", "f.toml:6:13: groups[0].velocity and start-speed are both set, want one"},
		{"bounds = \"wrap\"\n[[groups]]\nat = [0, 0]\nmax-speed = 1", "f.toml:1:10: bounds needs a box"},
		{base + "[obstacles.pillars]\ncolumns = 1000000\nrows = 2\npitch = 1\nradius = 1", "f.toml:5:12: obstacles.pillars is 1000000 × 2, want 1 to 1000000 in all"},
		{lone + "source = {every = 1}", "f.toml:2:3: groups[0].count is missing, want the number of agents that its source makes, or source.until"},
		{lone + "source = {until = 3}", "f.toml:4:10: groups[0].source has neither every nor schedule, want one of them"},
		{lone + "source = {every = 1, schedule = [{at = 1, count = 2}]}", "f.toml:4:10: groups[0].source has a schedule and other keys, want one or the other"},
		{lone + "source = {schedule = [{at = 3, count = 2}, {at = 1, count = 2}]}", "f.toml:4:50: groups[0].source.schedule[1].at is 1 s, before the previous time of 3 s, want the earliest first"},
		{lone + "source = {every = 1, from = 3, until = 2}", "f.toml:2:3: groups has 0 agents, want 1 to 50000000\nf.toml:4:40: groups[0].source.until is 2 s, before the first agents come at 3 s"},
		{lone + "source = {every = 1, at-once = 0}", "f.toml:4:32: groups[0].source.at-once is 0, want a whole number, 1 to 50000000"},
		{lone + "name = \"a\"\ntarget = \"a\"\nsource = {every = 1, until = 2}\nseek = {}", "f.toml:6:10: groups[0].source spawns agents that follow other agents or are followed: they must be present from the start"},
		{lone + "delay = -1", "f.toml:4:9: groups[0].delay is -1, want a finite number, 0 or more"},
		{"[[groups]]\nat = [0, 0]\nmax-speed = {age = 5}", "f.toml:3:20: groups[0].max-speed.age is 5, want 20 to 70"},
		{"combination = \"ditering\"\n" + base, `f.toml:1:15: combination is "ditering", want one of "sum", "priority", "dithering"; did you mean "dithering"?`},
		{"priority = [\"seek\", \"wandr\"]\n" + base, `f.toml:1:21: priority[1] is "wandr", want one of ` + steering + `; did you mean "wander"?`},
		{"priority = [\"seek\", \"facing\"]\n" + base, `f.toml:1:21: priority[1] is "facing", want one of ` + steering + `; did you mean "hiding"?`},
		{"priority = [\"seek\", \"wander\", \"seek\"]\n" + base, `f.toml:1:13: priority contains "seek" twice`},
		{"priority = [\"seek\"]\nchances = [0.5, 0.5]\n" + base, "f.toml:2:12: chances has 2 numbers, want 1, or as many as priority has names (1)"},
		{"chances = [2]\n" + base, "f.toml:1:12: chances[0] is 2, want 0.01 to 1"},
		{base + "mass = {uniform = [1, 2], gamma = [1, 2]}", "f.toml:5:8: groups[0].mass has uniform and gamma, want one of uniform, normal, log-normal, exponential, gamma, weibull"},
		{base + "mass = {gamma = [0, 1]}", "f.toml:5:8: groups[0].mass.gamma is [0, 1], want shape and scale above 0"},
		{base + "mass = {weibull = [1, 0]}", "f.toml:5:8: groups[0].mass.weibull is [1, 0], want shape and scale above 0"},
		{base + "mass = {log-normal = [1, 0]}", "f.toml:5:8: groups[0].mass.log-normal is [1, 0], want a standard deviation above 0"},
		{base + "mass = {exponential = 0}", "f.toml:5:23: groups[0].mass.exponential is 0, want a finite number above 0"},
		{base + "cohesion = {radius = 1, neighbor-dist = 2}", "f.toml:5:13: groups[0].cohesion.radius and neighbor-dist are both set, want neighbor-dist"},
		{"sed = 1\nbonds = 2\n" + base, "f.toml:1:1: sed is not a key: did you mean \"seed\"?\nf.toml:2:1: bonds is not a key: did you mean \"bounds\"?"},
	} {
		testkit.Equal(t, fmt.Sprint(failure(Read(strings.NewReader(tc.text), "f.toml", OpenOptions{}))), tc.want, "%s", tc.text)
	}
}

func TestManyFaults(t *testing.T) {
	_, err := Read(strings.NewReader(strings.Repeat("[[groups]]\ncount = -1\n", 1000)), "f.toml", OpenOptions{})
	lines := strings.Split(err.Error(), "\n")
	testkit.Equal(t, len(lines), maxFaults+1, "lines")
	testkit.Equal(t, lines[maxFaults], "f.toml: and 1980 more", "last line")
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		file *strings.Reader
		want string
	}{
		{strings.NewReader(strings.Repeat(" ", maxBytes+1)), "f.toml: file too large: want at most 67108864 bytes, unpacked"},
		{strings.NewReader("x = [" + strings.Repeat("1,", maxValues+1) + "]"), "f.toml: \",\" occurs 4194305 times, want at most 4194304"},
		{strings.NewReader("x = " + strings.Repeat("[", 1<<20)), "f.toml:1:10005: arrays and inline tables are nested more than the maximum of 10000 levels deep"},
	} {
		testkit.Equal(t, fmt.Sprint(failure(Read(tc.file, "f.toml", OpenOptions{}))), tc.want, "error")
	}
}

func TestOpenKinds(t *testing.T) {
	xml := "<Agents><Agent id=\"0\" rad=\"0.3\" pref_speed=\"1\" max_speed=\"1\"><pos x=\"1\" y=\"1\"/><goal x=\"5\" y=\"5\"/></Agent></Agents>"
	vadere := vadereHall(vadereSource("1", once) + `, "targets" : [ ` + exit1 + ` ]`)
	for _, tc := range []struct {
		name, text string
		want       string // name of the scene, or an error
	}{
		{"a.toml", base, "a"},
		{"b.toml.gz", testkit.Gzip(base), "b"},
		{"c", base, "c"},
		{"c.gz", testkit.Gzip(base), "c"},
		{"d.toml", "\xef\xbb\xbfname = \"other\"\n" + base, "other"},
		{"e.xml", xml, "e"},
		{"f", "\n  " + xml, "f"},
		{"g.gz", testkit.Gzip(xml), "g"},
		{"h.toml.gz", testkit.Gzip(base)[:20], "h.toml.gz: gzip data cut short"},
		{"i.toml", "<x/>", "i.toml:1:1: invalid character at start of key: U+003C '<'"},
		{"j.scenario", vadere, "hall"}, {"k.scenario.gz", testkit.Gzip(vadere), "hall"}, {"l.json", vadere, "hall"}, {"m", "\xef\xbb\xbf\n" + vadere, "hall"},
		{"n.toml", vadere, "n.toml:1:1: invalid character at start of key: U+007B '{'"},
	} {
		path := mapFile(t, tc.name, tc.text)
		s, err := Open(path, OpenOptions{})
		got := strings.ReplaceAll(fmt.Sprint(err), filepath.Dir(path)+string(filepath.Separator), "")
		if err == nil {
			got = s.Name
		}
		testkit.Equal(t, got, tc.want, "%s", tc.name)
	}
	for text, want := range map[string]string{
		base: "a scene", yard: "a movingai.com map", lShape: "a WKT geometry", vadere: "a Vadere scenario", recordingText: "a recording of people",
		"<Project/>": "a Menge project", "<SteerBenchTestCase/>": "a SteerBench file",
	} {
		path := mapFile(t, "a", text)
		want = path + ": obstacles from a file need a file of agents, not " + want
		testkit.Equal(t, fmt.Sprint(failure(Open(path, OpenOptions{Obstacles: "x.xml"}))), want, "obstacles")
	}
}

func TestLenient(t *testing.T) {
	s, err := read(strings.NewReader("sed = 1\n"+base+"sek = {}\nstart-speed = 1"), "f.toml", OpenOptions{Context: t.Context(), Lenient: true})
	noError(t, err)
	want := "f.toml:1:1: sed is unknown and skipped\nf.toml:6:1: groups[0].sek is unknown and skipped"
	testkit.Equal(t, strings.Join(s.Warnings, "\n"), want, "warnings")
}

func TestMisspelled(t *testing.T) {
	open := func(name string) error { _, err := Open(name, OpenOptions{}); return err }
	set := func(name string) error { s := plaza(); return s.Set(name, 5) }
	var m Model
	for _, tc := range []struct {
		err  error
		want string
	}{
		{open("plazza"), `no scene or file is named "plazza", did you mean "plaza"?`},
		{open("zzyzx"), `no scene or file is named "zzyzx"`},
		{set("lok-ahead"), `no parameter is named "lok-ahead", did you mean "look-ahead"?`},
		{m.UnmarshalText([]byte("orka")), `model is "orka", want one of ` + strings.Join(ModelNames(), ", ") + `; did you mean "orca"?`},
		{m.UnmarshalText([]byte("helbing")), `model is "helbing", want one of ` + strings.Join(ModelNames(), ", ")},
	} {
		testkit.Equal(t, fmt.Sprint(tc.err), tc.want, "error")
	}
	if err := m.UnmarshalText([]byte("steer")); err != nil || m != ModelSteer {
		t.Errorf("model steer: got=%q, error %v, want=%q, no error", m, err, ModelSteer)
	}
	if _, err := Named("plazza"); !errors.As(err, new(UnknownError)) {
		t.Errorf("Named: got=%v, want=an UnknownError", err)
	}
	refused(t, set("zzyzx"), "want one of anticipation-time, avoidance, ", "no similar name")
}

func TestProblems(t *testing.T) {
	with := func(behaviors ...any) func(*Scene) { return func(s *Scene) { s.Groups[0].Behaviors = behaviors } }
	refers := func(key string) func(*Scene) {
		return func(s *Scene) { s.Groups[0].References = map[string]string{key: pointerName} }
	}
	for _, tc := range []struct {
		change func(*Scene)
		want   string // "" if the scene is valid
	}{
		{func(*Scene) {}, ""},
		{func(s *Scene) { s.Groups[0].Count = -1 }, "groups[0].count is -1, want 0 or more"},
		{func(s *Scene) { s.Pointer = &Pointer{Way: make([]r2.Vec, 1), Speed: 1} }, "pointer.way is a list of length 1, want 2 or more points"},
		{func(s *Scene) { s.Groups[0].Count = 0 }, ""},
		{func(s *Scene) { s.Obstacles.Random = []RandomCircles{{Count: -1}} }, "obstacles.random[0] has -1 circles, want 0 or more, and at most 50000 in all"},
		{func(s *Scene) { s.Obstacles.Random = []RandomCircles{{Count: 0}} }, ""},
		{func(s *Scene) { s.Obstacles.Random = []RandomCircles{{Count: 50_001}} }, "obstacles.random[0] has 50001 circles"},
		{func(s *Scene) { s.Obstacles.Random = []RandomCircles{{Count: 50_000}, {Count: 1}} }, "obstacles.random[1] has 1 circles"},
		{func(s *Scene) { s.Obstacles.Pillars = &Pillars{Columns: -1, Rows: 1} }, "obstacles.pillars is -1 × 1, want 1 to 1000000 in all"},
		{func(s *Scene) { s.Obstacles.Pillars = &Pillars{Columns: 1, Rows: -1} }, "obstacles.pillars is 1 × -1, want 1 to 1000000 in all"},
		{func(s *Scene) { s.Obstacles.Pillars = &Pillars{Columns: 1, Rows: 0} }, "obstacles.pillars is 1 × 0, want 1 to 1000000 in all"},
		{with(c.Quarry{}), `groups[0].quarry is "", want "pointer" or the name of a group`},
		{func(s *Scene) { with(c.Quarry{})(s); refers("quarry")(s) }, `groups[0].quarry is "pointer", but the scene has no pointer`},
		{refers("flee.from"), `groups[0].flee.from is "pointer", but the group has no behavior with that key`},
		{with(c.Wander{}, c.Wander{}), "groups[0].wander is listed twice"},
		{with(c.Goal{}), "groups[0].behaviors contains a components.Goal, want a component of systems.Catalog or Scene.Catalog that a group can have"},
		{with(nil), "groups[0].behaviors contains a <nil>, want a component of"},
		{with(&c.Wander{}), "groups[0].behaviors contains a *components.Wander, want a component of"},
	} {
		s := &Scene{Name: "made", Dt: 0.1, Steps: 1, Box: box(0, 0, 40, 30), Groups: []Group{{Count: 1}, {Count: 5}}}
		tc.change(s)
		if tc.want != "" {
			tc.want = "scene made: " + tc.want
		}
		refused(t, s.check(), tc.want, "check")
		s.Lint() // must not panic
	}
}

const olderGroup = "box = [[0, 0], [40, 30]]\n[[groups]]\nmax-speed = 2\nradius = 0.2\nstart-speed = 1\n"

func TestOlderKeys(t *testing.T) {
	const old = "orca = {horizon = 3, obstacle-horizon = 1, range = 6, neighbors = 20}\n" +
		"alignment = {radius = 4, view = 270, most = 7}\n" +
		"unaligned-collision-avoidance = {horizon = 1, radius = 6}\n"
	const now = "orca = {time-horizon = 3, time-horizon-obst = 1, neighbor-dist = 6, max-neighbors = 20}\n" +
		"alignment = {neighbor-dist = 4, field-of-view = 270, max-neighbors = 7}\n" +
		"unaligned-collision-avoidance = {horizon = 1, neighbor-dist = 6}\n"
	s := mustRead(t, olderGroup+old)
	want := mustRead(t, olderGroup+now)
	testkit.Equal(t, asFile(s), asFile(want), "file")
	b, _ := Behavior[c.Alignment](&s.Groups[0])
	testkit.Equal(t, b, c.Alignment{Gain: 2, NeighborDist: 4, FieldOfView: vec.Radians(270), MaxNeighbors: 7}, "alignment")
	for _, note := range []string{
		"test.toml:6:22: groups[0].orca.obstacle-horizon is now called time-horizon-obst",
		"test.toml:7:38: groups[0].alignment.most is now called max-neighbors",
		"test.toml:8:47: groups[0].unaligned-collision-avoidance.radius is now called neighbor-dist",
	} {
		if !slices.Contains(s.Warnings, note) {
			t.Errorf("got=%q, want=warnings that include %q", s.Warnings, note)
		}
	}
	if len(want.Warnings) > 0 {
		t.Errorf("current names: got=%q, want=no warnings", want.Warnings)
	}
}

func TestOlderNeighbors(t *testing.T) {
	for _, tc := range []struct {
		text string
		want c.ORCA
	}{
		{"orca = {horizon = 3, obstacle-horizon = 1, range = 6, neighbors = 0}", c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, Priority: 1}},
		{"orca = {time-horizon = 3, time-horizon-obst = 1, neighbor-dist = 6, max-neighbors = 0}", c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 6, Priority: 1}},
	} {
		s := mustRead(t, olderGroup+tc.text)
		b, _ := Behavior[c.ORCA](&s.Groups[0])
		testkit.Equal(t, b, tc.want, "%s", tc.text)
		const note = "groups[0].orca.neighbors = 0 is read as neighbor-dist = 0: max-neighbors = 0 now means no limit"
		testkit.Equal(t, strings.Contains(strings.Join(s.Warnings, "\n"), note), tc.want.NeighborDist == 0, "%s: warned: %q", tc.text, s.Warnings)
	}
}
