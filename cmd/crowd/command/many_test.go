package command

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

// Scenes of one agent, which arrives or cannot arrive, and a part of a scene.
const (
	walkerXML = `<Agents><Agent rad="0.3" pref_speed="1.3" max_speed="1.8" remove_at_goal="true"><pos x="0" y="0"/><goal x="5" y="0"/></Agent></Agents>`
	shutTOML  = `
steps = 50
obstacles.walls = [{from = [-1, -1], to = [1, -1]}, {from = [1, -1], to = [1, 1]}, {from = [1, 1], to = [-1, 1]}, {from = [-1, 1], to = [-1, -1]}]
[[groups]]
at = [0, 0]
radius = 0.3
max-speed = 1
target = [5, 0]
way = "route"
goal = {radius = 0.5}
seek = {}
solid = {}
`
	wallsXML = `<!-- walls --><Obstacles><Obstacle><Point x="0" y="0"/><Point x="1" y="0"/><Point x="1" y="1"/></Obstacle></Obstacles>`
)

// mixed changes to a new folder with a subfolder, all, that has files of all kinds.
func mixed(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"all/b/one.xml": walkerXML, "all/b/two.xml.gz": testkit.Gzip(walkerXML), "all/b/broken.xml": "<Agents><Agent>", "all/b/empty.xml": "",
		"all/b/walls.xml": wallsXML, "all/b/walls.xml.gz": testkit.Gzip(wallsXML), "all/shut.toml": shutTOML, "all/a.xml": walkerXML,
		"all/README.md": "no scene", "all/b/random.bin": "\x00\x01",
	} {
		testkit.Must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		testkit.Must(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

func TestScoreJSON(t *testing.T) {
	mixed(t)
	out, errs := succeed(t, "run --json all")
	contains(t, "note", errs, "skipped files that are only parts of scenes: ")
	testkit.Equal(t, strings.Count(errs, "\n"), 1, "notes")
	rows := decode[[]map[string]any](t, out)
	want := []struct {
		file string
		cant float64
		bad  bool
	}{
		{"all/a.xml", 0, false}, {"all/b/broken.xml", 0, true}, {"all/b/empty.xml", 0, true},
		{"all/b/one.xml", 0, false}, {"all/b/two.xml.gz", 0, false}, {"all/shut.toml", 1, false},
	}
	if len(rows) != len(want) {
		t.Fatalf("rows: got=%d, want=%d\n%s", len(rows), len(want), out)
	}
	for i, row := range rows {
		_, bad := row["error"]
		_, ran := row["hash"]
		_, why := row["reasons"]
		want := want[i]
		if row["file"] != want.file || row["cannot_arrive"] != want.cant || bad != want.bad || ran == bad || why != (want.cant > 0) {
			t.Errorf("row %d: got=%v, want=%v", i, row, want)
		}
		if !bad && (row["arrived_agents"] != 1-want.cant || row["workers"] != 1. || row["interrupted"] != false) {
			t.Errorf("%s: got=%v arrived, %v workers, interrupted %v, want=%v, 1, false", row["file"], row["arrived_agents"], row["workers"], row["interrupted"], 1-want.cant)
		}
		lacks(t, want.file, keysOf(row), "allocs_per_step", "bytes_per_agent") // these measure the whole process
	}
	for _, field := range []string{"file", "cannot_arrive", "reasons", "error", "warnings"} {
		contains(t, "docs/verification.md", page(t, "verification.md"), "`"+field+"`")
	}
}

type scoreRow struct {
	File, Hash, Error string
	Steps             int
	Model             string
	Parameters        string `json:"model_parameters"`
	Collisions        *int
	CannotArrive      int `json:"cannot_arrive"`
	Reasons           []string
}

func scoreRows(t *testing.T, args string) []scoreRow {
	t.Helper()
	out, _ := succeed(t, "run -q --json "+args)
	return decode[[]scoreRow](t, out)
}

func TestScoreWorkers(t *testing.T) {
	mixed(t)
	rows := func(workers string) (all string) {
		for _, r := range scoreRows(t, "all arrival --steps 50 --workers "+workers) {
			all += strings.Join([]string{r.File, r.Hash, r.Error, cli.Thousands(r.Steps)}, " ") + "\n"
		}
		return all
	}
	want := rows("1")
	testkit.Equal(t, strings.Count(want, "\n"), 7, "rows")
	for _, workers := range []string{"2", "5"} {
		testkit.Equal(t, rows(workers), want, "%s workers", workers)
	}
}

func TestScoreModel(t *testing.T) {
	mixed(t)
	for _, m := range scene.ModelNames() {
		ran := 0
		for _, r := range scoreRows(t, "--steps 5 --model "+m+" all rvo-blocks seek") {
			if r.File == "seek" {
				testkit.Equal(t, r.Error, noModel, "seek")
			}
			if r.Hash == "" {
				continue
			}
			if ran++; r.Model != m || r.Parameters == "" || r.Collisions == nil {
				t.Errorf("%s: got=%q %q, want=%q, and collisions", r.File, r.Model, r.Parameters, m)
			}
		}
		if ran < 2 {
			t.Errorf("%s: files that ran: got=%d, want=2 or more", m, ran)
		}
	}
	for _, r := range scoreRows(t, "--steps 5 all seek") {
		want := ""
		if strings.Contains(r.File, ".xml") {
			want = "orca"
		}
		if r.Hash != "" && (r.Model != want || (r.Parameters == "") != (want == "")) {
			t.Errorf("%s without a flag: got=%q %q, want=%q", r.File, r.Model, r.Parameters, want)
		}
	}
}

func TestScoreTables(t *testing.T) {
	mixed(t)
	out, errs := succeed(t, "run --csv -q --no-safety all")
	table, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	testkit.Must(t, err)
	if len(table) != 7 || errs != "" {
		t.Fatalf("lines: got=%d, want=7: %s", len(table), errs)
	}
	for names, want := range map[string]bool{
		"file cannot_arrive error scene agents steps seed dt arrived obstacle_collisions mean_arrival_time hash": true,
		"systems notes warnings allocs_per_step bytes_per_agent":                                                 false,
	} {
		for _, name := range strings.Fields(names) {
			testkit.Equal(t, slices.Contains(table[0], name), want, "%s in the header", name)
		}
	}
	cell := func(row int, name string) string { return table[row][slices.Index(table[0], name)] }
	testkit.Equal(t, cell(1, "agents")+cell(1, "arrived_agents")+cell(1, "collisions"), "11", "agents, arrived, and collisions that are not measured")
	if cell(2, "error") == "" || cell(2, "agents") != "" {
		t.Errorf("broken.xml: got=%v, want an error and nothing else", table[2])
	}
	out, _ = succeed(t, "run all/b/walls.xml --csv") // a part of a scene, named explicitly
	contains(t, "walls.xml", out, "<Obstacles>")
	out, _ = succeed(t, "run all")
	lines := strings.Split(out, "\n")
	for _, want := range []struct{ begin, has string }{
		{"file", "ns/agent-step"},
		{"all/a.xml", "100.0"},
		{"all/b/broken.xml", "line 1: "},
		{"all/shut.toml", "1 can't arrive: agent 1: a body of radius 0.3 m has no path from (0.4387, 0) to its goal at (5, 0)"},
		{"total of all ", "2 files"},
		{"total of all/b", "4 files, 2 with errors"},
		{"total ", "6 files, 2 with errors"},
	} {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, want.begin) && strings.Contains(line, want.has) }) {
			t.Errorf("no line begins with %q and has %q:\n%s", want.begin, want.has, out)
		}
	}
}

// In 10 s, agent 1 cannot reach its goal. Agent 2 can, but not while it speeds up.
func TestScoreTooFar(t *testing.T) {
	t.Chdir(testkit.Files(t, map[string]string{"far.xml": `<Simulation delta_time="0.1" end_time="10"><World type="Infinite"/><Agents>
<Agent rad="0.25" pref_speed="1" max_speed="2"><pos x="0" y="0"/><goal x="50000" y="0"/></Agent>
<Agent rad="0.25" pref_speed="1" max_speed="2"><pos x="0" y="5"/><goal x="9.9" y="5"/></Agent></Agents></Simulation>`}))
	rows := scoreRows(t, "far.xml --timeout 10m")
	want := "agent 1: its goal is 5e+04 m away, and at 1 m/s it covers 10 m in the 10 s of the run"
	if len(rows) != 1 || rows[0].CannotArrive != 1 || !slices.Equal(rows[0].Reasons, []string{want}) {
		t.Errorf("got=%+v, want one row, with one agent that cannot arrive, for the reason %q", rows, want)
	}
}

// The first Target of an agent with a field may be another exit than the one it walks to, and portals shorten paths.
func TestScoreFields(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, r := range scoreRows(t, "floors evacuation --steps 300") {
		if r.Error != "" || r.CannotArrive != 0 {
			t.Errorf("%s: got=error %q, %d agents that cannot arrive, want=none", r.File, r.Error, r.CannotArrive)
		}
	}
}

// Keys of groups and behaviors apply after those of the scene, in whatever order they are given.
func TestSetOrder(t *testing.T) {
	testkit.Equal(t, strings.Join(slices.SortedFunc(slices.Values([]string{"groups[0].radius", "alignment.gain", "max-speed", "gain"}), wholeSceneFirst), " "),
		"gain max-speed alignment.gain groups[0].radius", "order of keys")
}

func TestScoreMemory(t *testing.T) {
	little(t, 10<<20)
	const text = "dt = 0.1\nsteps = 2\nbox = [[0, 0], [9, 9]]\n[[groups]]\nmax-speed = 1\ncount = "
	t.Chdir(testkit.Files(t, map[string]string{"a.toml": text + "10", "b.toml": text + "50_000", "c.toml": text + "20"}))
	rows := scoreRows(t, ". --workers 2")
	if len(rows) != 3 || rows[0].Error+rows[2].Error != "" || rows[0].Steps != 2 || rows[2].Steps != 2 ||
		!strings.Contains(rows[1].Error, "b with 50,000 agents needs about") || rows[1].Steps != 0 {
		t.Errorf("got=%+v, want 2 steps of a and c, and an error for b about memory", rows)
	}
}

func TestScoreInterrupted(t *testing.T) {
	code, out, errs := command(t, interrupted(), "run", "--json", "plaza", "arrival")
	if code != exitOK || strings.Count(out, "interrupted while waiting to start") != 2 {
		t.Errorf("exit code %d, want 0 and two interrupted rows, got:\n%s%s", code, out, errs)
	}
	end(t, "run", []ending{{"arrival --json --timeout 1ns", exitFailure, "timed out after 1ns, waiting to start", "1 of 1 file failed"}})
}

const (
	// Each agent sees all others, so a step takes many seconds.
	longSteps = "dt = 0.1\nbox = [[0, 0], [1000, 1000]]\nsteps = 100\n[[groups]]\ncount = 60_000\nmax-speed = 1\nmax-force = 5\nseparation = {gain = 1, neighbor-dist = 3000}\ncohesion = {gain = 1, neighbor-dist = 3000}\n"
	// No place is clear, and each agent draws 256 places.
	longPlacing = "dt = 0.1\nbox = [[0, 0], [100, 100]]\n[[groups]]\ncount = 2_000_000\nmax-speed = 1\nat = {clear = 500}\n[[obstacles.circles]]\nat = [1, 1]\nradius = 1\n[[obstacles.circles]]\nat = [9, 9]\nradius = 1\n"
)

// longFile returns a small file that unpacks to gigabytes: one comment.
func longFile() []byte {
	blank := testkit.Gzip(strings.Repeat(" ", 1<<24))
	return append([]byte(testkit.Gzip("<Agents><!--")), strings.Repeat(blank, 250)...)
}

func TestScoreTimeout(t *testing.T) {
	const endless = "dt = 0.1\nbox = [[0, 0], [9, 9]]\nsteps = 100_000_000\n[[groups]]\ncount = 9\nmax-speed = 1\n"
	t.Chdir(testkit.Files(t, map[string]string{"a.xml.gz": string(longFile()), "b.toml": strings.Replace(longPlacing, "2_000_000", "200_000", 1), "c.toml": endless}))
	score := func(what, timeout string) []scoreRow {
		t.Helper()
		code, out, _ := sameFolder(t, t.Context(), "run", what, "--json", "--timeout", timeout, "--workers", "3", "--no-safety")
		testkit.Equal(t, code, exitFailure, "exit code")
		return decode[[]scoreRow](t, out)
	}
	before := runtime.NumGoroutine()
	rows := score(".", "100ms")
	if len(rows) != 3 {
		t.Fatalf("got=%d rows, want=3", len(rows))
	}
	timeout := 100 * time.Millisecond
	for ; !strings.Contains(rows[2].Error, ", interrupted after "); rows[2] = score("c.toml", timeout.String())[0] {
		if timeout *= 4; timeout > time.Minute { // by then, even a slow machine has built the scene
			t.Fatalf("c.toml: got=%q, want an error in the phase stepping", rows[2].Error)
		}
	}
	for i, want := range []string{"timed out after 100ms, reading ", "timed out after 100ms, building b", "timed out after " + timeout.String() + ", interrupted after "} {
		if !strings.HasPrefix(rows[i].Error, want) {
			t.Errorf("%s: got=%q, want an error that begins with %q", rows[i].File, rows[i].Error, want)
		}
	}
	testkit.Equal(t, rows[2].Hash == "", false, "no report of some steps")
	end(t, "run", []ending{{"a.xml.gz --json --timeout 100ms", exitFailure, "timed out after 100ms", "1 of 1 file failed"}})
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("got=%d goroutines, want=%d, as before", runtime.NumGoroutine(), before)
		}
	}
}

const smallSweep = `
scenes = ["bottleneck", "floors/shut.toml"]
seeds = 2
[axes]
max-speed = [1, 1.5]
"groups[0].radius" = [0.2]
agents = [3]
[run]
steps = 4
`

func sweepFolder(t *testing.T) {
	t.Helper()
	t.Chdir(testkit.Files(t, map[string]string{"s.toml": smallSweep}))
	testkit.Must(t, os.Mkdir("floors", 0o777))
	testkit.Must(t, os.WriteFile("floors/shut.toml", []byte(shutTOML), 0o666))
}

// table returns the rows of a CSV file, without the columns that depend on the machine.
func table(t *testing.T, name string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(readFile(t, name))).ReadAll()
	testkit.Must(t, err)
	end := slices.Index(rows[0], "hash") + 1
	for i := range rows {
		rows[i] = rows[i][:end]
	}
	return rows
}

func sameTable(t *testing.T, name string, want [][]string) {
	t.Helper()
	testkit.Equal(t, fmt.Sprint(table(t, name)), fmt.Sprint(want), "%s", name)
}

func TestSweep(t *testing.T) {
	sweepFolder(t)
	starts(t, "sweep s.toml --shard 1/1 --workers 2", "shard 1/1: 8 runs done")
	lacks(t, "the shard", string(readFile(t, "s/shard-1-of-1.jsonl")), "kernels") // any processor may add shards
	starts(t, "sweep merge s", "8 runs on 1 machine: 8 ok\nresults in ")
	want := table(t, "s/results.csv")
	if len(want) != 9 || strings.Join(want[0][:7], " ") != "index scene max-speed groups[0].radius agents seed status" {
		t.Fatalf("got=%v, want 8 rows, and the axes between scene and seed", want)
	}
	succeed(t, "sweep s.toml --out parts --shard 1/3")
	succeed(t, "sweep s.toml --out parts --shard 3/3")
	refuses(t, "sweep merge", []refusal{{"parts", "missing 3 of 8 runs; the first is run 1, of shard 2/3"}})
	succeed(t, "sweep s.toml --out parts --shard 2/3")
	out, _ := succeed(t, "sweep merge parts s")
	contains(t, "merge", out, "8 run twice, with the same results")
	sameTable(t, "parts/results.csv", want)
	out, _ = succeed(t, "run bottleneck --json --safety --agents 3 --seed 2 --steps 4 --set max-speed=1.5 --set groups[0].radius=0.2 --workers 1")
	testkit.Equal(t, want[4][slices.Index(want[0], "trace_hash")], decode[report.Report](t, out).TraceHash, "trace hash")
	for change, want := range map[string]string{
		smallSweep + "# more":                                                     "the spec differs only in comments, layout or the order of keys;",
		strings.Replace(smallSweep, "[3]", "[4]", 1):                              "axes.agents[0] is 4, but was 3;",
		strings.Replace(smallSweep, "steps = 4", "", 1):                           "run.steps is missing, but was 4;",
		strings.Replace(smallSweep, "[run]", "[limits]\ntime = \"9s\"\n[run]", 1): `limits.time is "9s", but was missing;`,
	} {
		testkit.Must(t, os.WriteFile("s.toml", []byte(change), 0o666))
		refuses(t, "sweep", []refusal{{"s.toml", "holds another sweep: " + want + " want another --out"}})
	}
}

func TestSweepShardDead(t *testing.T) {
	sweepFolder(t)
	testkit.Must(t, os.WriteFile("dead.toml", []byte(smallSweep+"[limits]\ntime = \"1ns\"\ntries = 1\n"), 0o666))
	for range 2 {
		end(t, "sweep", []ending{{"dead.toml --shard 1/2", exitFailure, "shard 1/2: 4 runs done", "gave up on 4 of 4 runs"}})
	}
	testkit.Must(t, os.WriteFile("one.toml", []byte("scenes = [\"bottleneck\"]\n[limits]\ntime = \"1ns\"\ntries = 1\n"), 0o666))
	end(t, "sweep", []ending{
		{"one.toml --shard 1/1", exitFailure, "shard 1/1: 1 run done", "gave up on 1 of 1 run: --retry-dead"},
		{"merge one", exitFailure, "1 run on 1 machine: ", "gave up on 1 of 1 run: the error column says why"},
	})
}

// The number of agents is random and depends on the seed.
func TestSeedOfSource(t *testing.T) {
	t.Chdir(testkit.Files(t, map[string]string{
		"x.toml": "box = [[0, 0], [20, 10]]\n[[groups]]\nmax-speed = 1\nsource = {every = {exponential = 0.5}, until = 30}\n",
		"s.toml": "scenes = [\"x.toml\"]\nseeds = 6\n[run]\nsteps = 1\n",
	}))
	for seed := range 6 {
		run := fmt.Sprint("run x.toml --json --steps 1 --seed ", seed)
		succeed(t, run)
		out, _ := succeed(t, run+" --agents 30")
		testkit.Equal(t, decode[report.Report](t, out).Agents, 30, "%s --agents 30: agents", run)
	}
	starts(t, "sweep s.toml --shard 1/1", "shard 1/1: 6 runs done")
	starts(t, "sweep merge s", "6 runs on 1 machine: 6 ok")
}

func TestSweepDryRun(t *testing.T) {
	sweepFolder(t)
	out, _ := succeed(t, "sweep s.toml --dry-run")
	contains(t, "--dry-run", out, "8 runs: 4 points, each with 2 seeds\n", "  scene: bottleneck, floors/shut.toml\n", "  max-speed: 1, 1.5\n", "of memory")
	testkit.Equal(t, strings.Join(leftovers(t, ".", nil), " "), "floors s.toml", "files")
}

func TestSweepPage(t *testing.T) {
	example, _ := succeed(t, "sweep init")
	testkit.Equal(t, sweepPage(t, "init"), example, "docs/sweep.md")
}

func sweepPage(t *testing.T, name string) string {
	t.Helper()
	_, after, _ := strings.Cut(page(t, "sweep.md"), "<!-- "+name+" -->\n```")
	_, after, _ = strings.Cut(after, "\n")
	text, _, _ := strings.Cut(after, "```")
	return text
}
