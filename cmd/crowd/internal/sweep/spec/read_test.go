package spec

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

const walker = `
steps = 20
[[groups]]
at = [0, 0]
radius = 0.3
max-speed = 1
target = [5, 0]
goal = {radius = 0.5}
seek = {}
`

// folderOf writes pairs of a name and a content to a folder, and returns the first path.
func folderOf(t testing.TB, files ...string) string {
	t.Helper()
	folder := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(folder, filepath.FromSlash(files[i]))
		testkit.Must(t, os.MkdirAll(filepath.Dir(path), 0o777))
		testkit.Must(t, os.WriteFile(path, []byte(files[i+1]), 0o666))
	}
	return filepath.Join(folder, filepath.FromSlash(files[0]))
}

func TestFaults(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", "1:1: scenes is missing"},
		{"scenes = [", "1:10: "},
		{"scenes = ['seek', 'seek']", `1:19: scenes[1] is "seek", which is already in the list`},
		{"scenes = ['seeek']", `1:11: scenes[0] is "seeek": no scene or file is named "seeek", did you mean "seek"?`},
		{"scenes = ['seek']\n" + strings.Repeat("a.", 60_000) + "a = 1", "2:33: nested too deeply, want at most 16 levels"},
		{"scenes = ['seek']\n[" + strings.Repeat("a.", 60_000) + "a]", "2:34: nested too deeply"},
		{"scenes = ['seek']\na = " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "2:1: nested too deeply"},
		{"scenes = ['seek']\na = " + strings.Repeat("{a=", 5000) + "1" + strings.Repeat("}", 5000), "2:51: nested too deeply"},
		{"scenes = 'seek'", `1:1: scenes is "seek", want a list of names`},
		{"scene = ['seek']", `1:1: scene is not a key: did you mean "scenes"?`},
		{"scenes = ['seek']\nseeds = 0", "2:1: seeds is 0, want a whole number, 1 to"},
		{"scenes = ['seek']\nseeds = [1, 1]", "2:13: seeds[1] is 1, which is already in the list"},
		{"scenes = ['bottleneck']\n[axes]\nmodel = ['orka']", `3:10: axes.model[0] is "orka", want one of orca`},
		{"scenes = ['flee']\n[axes]\nmodel = ['orca']", `3:10: axes.model[0] is "orca": a model needs pedestrians with targets`},
		{"scenes = ['seek']\n[axes]\nagents = [10, 0.5]", "3:15: axes.agents[1] is 0.5, want a whole number"},
		{"scenes = ['seek']\n[axes]\nagents = [10, 10]", "3:15: axes.agents[1] is 10, which is already in the list"},
		{"scenes = ['seek']\n[axes]\nagents = {from = 1, to = 3, count = 4}", "3:1: axes.agents has count = 4, want at most 3, the number of whole numbers from 1 to 3"},
		{"scenes = ['seek']\n[axes]\nmax-sped = [1]", `3:1: axes.max-sped does not fit the scene seek: no parameter is named "max-sped", did you mean "max-speed"?`},
		{"scenes = ['bottleneck']\n[axes]\nmodel = ['orca', 'steer']\ntime-gap = [1]", "4:1: axes.time-gap does not fit the scene bottleneck (model steer): time-gap: no agent of scene bottleneck has this parameter"},
		{"scenes = ['seek']\n[axes]\nmax-speed = [1,\n  -2]", "4:3: axes.max-speed[1] does not fit the scene seek: max-speed is -2"},
		{"scenes = ['seek']\n[axes]\nmax-speed = {from = 2, to = 1, count = 3}", "3:1: axes.max-speed goes from 2 to 1, want from < to"},
		{"scenes = ['seek']\n[axes]\nmax-speed = {from = 0, to = 1, count = 3, log = true}", "want from > 0"},
		{"scenes = ['seek']\n[axes]\nmax-speed = {from = 0, too = 1}", `3:24: axes.max-speed.too is not a key: did you mean "to"?`},
		{"scenes = ['seek']\n[axes]\nmax-speed = {from = 0, to = 1}", "3:1: axes.max-speed has no count"},
		{"scenes = ['seek']\n[axes]\nmax-speed = [nan]", "3:14: axes.max-speed[0] is NaN, want a finite number"},
		{"scenes = ['seek']\n[axes]\nseed = [1]", "3:1: axes.seed is not an axis: it belongs in seeds"},
		{"scenes = ['seek']\n[axes]\nstatus = [1]", "3:1: axes.status is already a column of the results"},
		{"scenes = ['seek']\n[design]\nkind = 'holton'", `3:1: design.kind is "holton", want one of grid, halton, latin-hypercube; did you mean "halton"?`},
		{"scenes = ['seek']\n[design]\nkind = 'halton'", "2:2: design.points is missing"},
		{"scenes = ['seek']\n[design]\npoints = 5", "3:1: design.points is only for the designs halton and latin-hypercube"},
		{"scenes = ['seek']\nseeds = 1_000_000\naxes.max-speed = {from = 1, to = 2, count = 2000}", "give 2e+09 runs, want at most 1000000000"},
		{"scenes = ['seek']\n[run]\nsteps = 1\ntime = '1s'", "4:1: run.time and run.steps are both set, want only one"},
		{"scenes = ['seek']\n[run]\ntime = '1'", `3:1: run.time is "1", want a time above 0, such as "60s"`},
		{"scenes = ['seek']\n[run]\nlines = [[0, 0, 0, 0]]", "3:1: run.lines[0] ends where it begins"},
		{"scenes = ['seek']\n[run]\nareas = [[0, 0, 1]]", "run.areas[0] is a list of 3, want [x0, y0, x1, y1]"},
		{"scenes = ['seek']\n[limits]\nmemory = 'much'", `3:1: limits.memory is "much", want a number of bytes`},
		{"scenes = ['seek']\n[limits]\ntries = 0", "3:1: limits.tries is 0, want a whole number, 1 to 100"},
	} {
		name := folderOf(t, "s.toml", tc.text)
		_, err := Read(t.Context(), name)
		text := ""
		if err != nil {
			text = strings.ReplaceAll(err.Error(), name+":", "")
		}
		if !strings.Contains(text, tc.want) {
			t.Errorf("%q:\n got=%s\nwant=%s", tc.text, text, tc.want)
		}
	}
}

func TestAxesAreInOrder(t *testing.T) {
	s := of(t, `
scenes = ["seek"]
[axes]
max-speed = [1, 2]
arrival.gain = [1]
agents = [1]
threat-scan.look-ahead = {from = 1, to = 2, count = 2}
arrival.slowing-radius = [3]
`)
	want := "[scene max-speed arrival.gain agents threat-scan.look-ahead arrival.slowing-radius]"
	testkit.Equal(t, fmt.Sprint(s.AxisNames()), want, "axes")
}

// projects returns the path of a spec with scenes of several formats, which name other files in parent
// folders, in subfolders, and in their own folder.
func projects(t testing.TB) string {
	return folderOf(t,
		"sweeps/s.toml", `scenes = ["../floors/a.toml", "../menge/p.xml", "../umans/u.xml", "seek"]
run.steps = 5`,
		"floors/a.toml", walker+"[obstacles]\nwkt = '../wkt/area.wkt'",
		"wkt/area.wkt", "POLYGON ((-9 -9, 9 -9, 9 9, -9 9, -9 -9))",
		"menge/p.xml", `<Project scene="s/scene.xml" behavior="b.xml" model="orca" />`,
		"menge/s/scene.xml", `<Experiment version="2.0"><Common time_step="0.1"/>
<AgentProfile name="p"><Common class="1" r="0.2" pref_speed="1.3" max_speed="2" obstacleSet="1" neighbor_dist="5" max_neighbors="10" priority="0"/></AgentProfile>
<AgentGroup><ProfileSelector type="const" name="p"/><StateSelector type="const" name="w"/><Generator type="explicit"><Agent p_x="0" p_y="0"/></Generator></AgentGroup></Experiment>`,
		"menge/b.xml", `<BFSM><GoalSet id="0"><Goal type="point" id="0" x="5" y="0"/></GoalSet>
<State name="w" final="0"><GoalSelector type="explicit" goal_set="0" goal="0"/><VelComponent type="goal"/></State></BFSM>`,
		"umans/u.xml", `<Simulation delta_time="0.1" end_time="5"><World type="Infinite"><Obstacles file="o.xml"/></World><Policies file="p.xml"/><Agents file="a.xml"/></Simulation>`,
		"umans/o.xml", `<Obstacles><Obstacle><Point x="8" y="0"/><Point x="9" y="0"/><Point x="9" y="1"/></Obstacle></Obstacles>`,
		"umans/a.xml", `<Agents><Agent rad="0.3" pref_speed="1.3" max_speed="1.8"><pos x="0" y="0"/><goal x="5" y="0"/><Policy id="0"/></Agent></Agents>`,
		"umans/p.xml", `<Policies><Policy id="0" OptimizationMethod="global"><costfunction name="ORCA"/></Policy></Policies>`,
	)
}

func TestManifest(t *testing.T) {
	s, err := Read(t.Context(), projects(t))
	testkit.Must(t, err)
	testkit.Equal(t, len(s.Files), 8, "files")
	there := t.TempDir()
	testkit.Must(t, s.CopyFiles(t.Context(), there))
	other, err := FromManifest(t.Context(), s.Manifest(), there)
	testkit.Must(t, err)
	if other.Digest() != s.Digest() || other.Runs() != s.Runs() {
		t.Errorf("elsewhere: got=%d runs of %s, want=%d of %s", other.Runs(), other.Manifest(), s.Runs(), s.Manifest())
	}
	for i := range s.Runs() {
		a, errA := s.Open(t.Context(), point(t, s, i))
		b, errB := other.Open(t.Context(), point(t, other, i))
		if errA != nil || errB != nil {
			t.Fatalf("run %d: got=%v, elsewhere %v, want no errors", i, errA, errB)
		}
		var ta, tb bytes.Buffer
		_, _ = a.WriteTOML(&ta), b.WriteTOML(&tb)
		testkit.Equal(t, ta.String(), tb.String(), "run %d", i)
	}
	for i, f := range other.Files { // each file is needed, and no other file may replace it
		left := *other
		left.Files = slices.Delete(slices.Clone(other.Files), i, i+1)
		refused := 0
		for k := range left.Runs() {
			_, err := left.Open(t.Context(), point(t, &left, k))
			if err != nil && strings.Contains(err.Error(), "not one of the files of the sweep") && !strings.Contains(err.Error(), there) {
				refused++
			}
		}
		testkit.Equal(t, refused, 1, "without %s", f.Name)
	}
	testkit.Must(t, os.WriteFile(filepath.Join(there, "wkt", "area.wkt"), []byte("POLYGON ((-9 -9, 9 -9, 9 9, -9 -9))"), 0o666))
	_, err = FromManifest(t.Context(), s.Manifest(), there)
	testkit.Fails(t, err, "area.wkt: has changed since the sweep started", "other content")
}

func TestHostileManifest(t *testing.T) {
	for _, tc := range []struct{ data, want string }{
		{`{`, "manifest: "},
		{`{"more": 1}`, "unknown field"},
		{`{"spec":"scenes=['seek']","scenes":[""],"files":[]} {}`, "unexpected data"},
		{`{"spec":"scenes=['seek']","scenes":[]}`, "manifest has 0 scenes"},
		{`{"spec":"scenes=['/etc/passwd']","scenes":[""]}`, `no scene or file is named "/etc/passwd"`},
		{`{"spec":"scenes=['a.toml']","scenes":["../a.toml"]}`, "not one of its files"},
		{`{"spec":"scenes=['a.toml']","scenes":["a.toml"],"files":[{"name":"../a.toml","sha256":"","size":1}]}`, "want a name within"},
	} {
		_, err := FromManifest(t.Context(), []byte(tc.data), t.TempDir())
		testkit.Fails(t, err, tc.want, "%s", tc.data)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"scenes = ['seek']\nseeds = [1, 2]\n[axes]\nmodel = ['orca']\nmax-speed = {from = 1, to = 2, count = 3, log = true}\na.b = [1]",
		"scenes = ['seek']\naxes.agents = {from = 1, to = 9}\n[design]\nkind = 'halton'\npoints = 9\n[run]\ntime = '1s'\nlines = [[0, 0, 1, 1]]\n[limits]\nmemory = '1GB'",
		"scenes = ['seek']\naxes = {agents = [1], x = {from = -1, to = 1e300}}\ndesign = {kind = 'latin-hypercube', points = 3}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, _, err := parse([]byte(text), "fuzz.toml")
		if err != nil {
			return
		}
		for _, i := range []int64{0, 1, s.Runs() / 2, s.Runs() - 1} {
			if i >= s.Runs() {
				continue
			}
			p, err := s.Point(i)
			testkit.Must(t, err)
			for k, v := range p.Values {
				if a := &s.Axes[k]; a.Values == nil && !(v.Number >= a.From && v.Number <= a.To) {
					t.Errorf("%s: got=%v, want %v to %v", a.Name, v.Number, a.From, a.To)
				}
			}
		}
	})
}
