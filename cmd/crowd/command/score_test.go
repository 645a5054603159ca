package command

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

// Files for tests: a scene of one walker, who arrives, and a part of a scene.
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

// scenesFolder writes files into a folder.
func scenesFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".gz") {
			z := gzip.NewWriter(f)
			_, err = z.Write([]byte(text))
			err = errors.Join(err, z.Close())
		} else {
			_, err = f.WriteString(text)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// mixed is a folder with all kinds of files.
func mixed(t *testing.T) string {
	return scenesFolder(t, map[string]string{
		"b/one.xml": walkerXML, "b/two.xml.gz": walkerXML, "b/broken.xml": "<Agents><Agent>", "b/empty.xml": "",
		"b/walls.xml": wallsXML, "b/walls.xml.gz": wallsXML, "shut.toml": shutTOML, "a.xml": walkerXML,
		"README.md": "no scene", "b/random.bin": "\x00\x01",
	})
}

func TestScoreJSON(t *testing.T) {
	dir := mixed(t)
	code, out, errs := command(t, context.Background(), "run", "--json", dir)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	if !strings.Contains(errs, "skipped 2 files that are only parts of scenes") || strings.Count(errs, "\n") != 1 {
		t.Errorf("got=%q, want=one note of what is left out", errs)
	}
	var rows []map[string]any
	if err := json.Unmarshal([]byte(out), &rows); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	want := []struct {
		file string
		cant float64
		bad  bool
	}{
		{"a.xml", 0, false}, {"b/broken.xml", 0, true}, {"b/empty.xml", 0, true},
		{"b/one.xml", 0, false}, {"b/two.xml.gz", 0, false}, {"shut.toml", 1, false},
	}
	if len(rows) != len(want) {
		t.Fatalf("rows: got=%d, want=%d\n%s", len(rows), len(want), out)
	}
	page, err := os.ReadFile(filepath.Join(here, "../../../docs/verification.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		_, bad := row["error"]
		if file := filepath.ToSlash(filepath.Join(dir, want[i].file)); row["file"] != file || row["cannot_arrive"] != want[i].cant || bad != want[i].bad {
			t.Errorf("row %d: got=%v, %v cannot arrive, error %v, want=%v", i, row["file"], row["cannot_arrive"], row["error"], want[i])
		}
		if _, ran := row["hash"]; ran == bad {
			t.Errorf("%s: has a report: got=%v, want=%v", row["file"], ran, !bad)
		}
		if !bad && (row["arrived_agents"] != 1-want[i].cant || row["workers"] != 1. || row["interrupted"] != false) {
			t.Errorf("%s: got=%v arrived, %v workers, interrupted %v, want=%v, 1, false", row["file"], row["arrived_agents"], row["workers"], row["interrupted"], 1-want[i].cant)
		}
		if _, why := row["reasons"]; why != (want[i].cant > 0) {
			t.Errorf("%s: reasons: got=%v", row["file"], row["reasons"])
		}
		for _, field := range []string{"allocs_per_step", "bytes_per_agent"} {
			if _, has := row[field]; has {
				t.Errorf("%s: has %s, which is of the whole process", row["file"], field)
			}
		}
	}
	for _, field := range []string{"file", "cannot_arrive", "reasons", "error", "warnings"} {
		if !strings.Contains(string(page), "`"+field+"`") {
			t.Errorf("docs/verification.md does not describe %q", field)
		}
	}
}

// here is the folder of this package, from which tests change away.
var here, _ = os.Getwd()

// TestScoreWorkers verifies that rows are the same, but for times, with any number
// of files at a time.
func TestScoreWorkers(t *testing.T) {
	dir := mixed(t)
	rows := func(workers string) (hashes []any) {
		code, out, errs := command(t, context.Background(), "run", "-q", "--json", "--workers", workers, dir, "arrival", "--steps", "50")
		var rows []map[string]any
		if err := json.Unmarshal([]byte(out), &rows); code != exitOK || err != nil {
			t.Fatal(code, err, errs)
		}
		for _, row := range rows {
			hashes = append(hashes, row["file"], row["hash"], row["error"], row["steps"])
		}
		return hashes
	}
	want := rows("1")
	if len(want) != 4*7 {
		t.Errorf("got=%d rows, want=7", len(want)/4)
	}
	for _, workers := range []string{"2", "5"} {
		if got := rows(workers); !reflect.DeepEqual(got, want) {
			t.Errorf("%s workers: got=%v, want=%v", workers, got, want)
		}
	}
}

// TestScoreModel verifies that collisions among agents are counted, that the report says by which
// model scenes were run, and that one that can't have a model says why.
func TestScoreModel(t *testing.T) {
	type row struct {
		File       string
		Hash       string
		Model      string
		Parameters string `json:"model_parameters"`
		Error      string
		Collisions *int
	}
	score := func(args ...string) (rows []row) {
		code, out, errs := command(t, context.Background(), append([]string{"run", "--json", "-q", "--steps", "5"}, args...)...)
		if code != exitOK {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		if err := json.Unmarshal([]byte(out), &rows); err != nil {
			t.Fatal(err)
		}
		return rows
	}
	for _, m := range scene.ModelNames() {
		ran := 0
		for _, r := range score("--model", m, mixed(t), "rvo-blocks", "seek") {
			if r.File == "seek" && r.Error != "a model is for people with places to go to, and in seek lengths are pixels" {
				t.Errorf("got=%q", r.Error)
			}
			if r.Hash == "" {
				continue
			}
			ran++
			if r.Model != m || r.Parameters == "" || r.Collisions == nil {
				t.Errorf("%s: got=%q %q, want=%q, and collisions", r.File, r.Model, r.Parameters, m)
			}
		}
		if ran < 2 {
			t.Errorf("%s: %d files ran, want 2 or more", m, ran)
		}
	}
	for _, r := range score(mixed(t), "seek") {
		want := ""
		if strings.Contains(r.File, ".xml") {
			want = "orca"
		}
		if r.Hash != "" && (r.Model != want || (r.Parameters == "") != (want == "")) {
			t.Errorf("%s without a flag: got=%q %q, want=%q", r.File, r.Model, r.Parameters, want)
		}
	}
	code, _, errs := command(t, context.Background(), "run", "--model", "waltz", "seek")
	if code != exitBadInput || !strings.Contains(errs, `model is "waltz", want one of orca, steer, social-force-1995, `) {
		t.Errorf("got=%d, %s", code, errs)
	}
}

func TestScoreCSV(t *testing.T) {
	code, out, errs := command(t, context.Background(), "run", "--csv", "-q", "--no-safety", mixed(t))
	if code != exitOK || errs != "" {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	table, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(table) != 7 {
		t.Errorf("lines: got=%d, want=7", len(table))
	}
	for _, name := range strings.Fields("file cannot_arrive error scene agents steps seed dt arrived obstacle_collisions mean_arrival_time hash") {
		if !slices.Contains(table[0], name) {
			t.Errorf("header lacks %s: %v", name, table[0])
		}
	}
	for _, name := range strings.Fields("systems notes warnings allocs_per_step bytes_per_agent") {
		if slices.Contains(table[0], name) {
			t.Errorf("header has %s", name)
		}
	}
	cell := func(row int, name string) string { return table[row][slices.Index(table[0], name)] }
	if got := cell(1, "agents") + cell(1, "arrived_agents") + cell(1, "collisions"); got != "11" {
		t.Errorf("agents, arrived, and collisions that are not measured: got=%s, want=11", got)
	}
	if got := cell(2, "error"); got == "" || cell(2, "agents") != "" {
		t.Errorf("broken.xml: got=%v, want=an error and nothing else", table[2])
	}
}

func TestScoreTable(t *testing.T) {
	dir := mixed(t)
	code, out, errs := command(t, context.Background(), "run", dir)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	lines := strings.Split(out, "\n")
	for _, want := range []struct{ begin, has string }{
		{"file", "ns/agent-step"},
		{filepath.ToSlash(dir) + "/a.xml", "100.0"},
		{filepath.ToSlash(dir) + "/b/broken.xml", "line 1: "},
		{filepath.ToSlash(dir) + "/shut.toml", "1 can't arrive: agent 1: a body of radius 0.3 m has no way from (0.4387, 0) to its goal at (5, 0)"},
		{"total of " + filepath.ToSlash(dir) + " ", "2 files"},
		{"total of " + filepath.ToSlash(dir) + "/b", "4 files, 2 with errors"},
		{"total ", "6 files, 2 with errors"},
	} {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, want.begin) && strings.Contains(line, want.has) }) {
			t.Errorf("no line begins with %q and has %q:\n%s", want.begin, want.has, out)
		}
	}
}

// TestScoreTooFar verifies that an agent that has no time for its way is among those that can't arrive, and
// one that has just enough is not.
func TestScoreTooFar(t *testing.T) {
	file := filepath.Join(t.TempDir(), "far.xml")
	if err := os.WriteFile(file, []byte(`<Simulation delta_time="0.1" end_time="10"><World type="Infinite"/><Agents>
<Agent rad="0.25" pref_speed="1" max_speed="2"><pos x="0" y="0"/><goal x="50000" y="0"/></Agent>
<Agent rad="0.25" pref_speed="1" max_speed="2"><pos x="0" y="5"/><goal x="12" y="5"/></Agent></Agents></Simulation>`), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := command(t, context.Background(), "run", file, "--json", "--timeout", "10m")
	var rows []struct {
		CannotArrive int `json:"cannot_arrive"`
		Reasons      []string
	}
	if err := json.Unmarshal([]byte(out), &rows); err != nil || code != exitOK {
		t.Fatalf("exit code %d, %v: %s", code, err, errs)
	}
	want := "agent 1: its goal is 4.999e+04 m away, and at 1 m/s it gets 10 m in the 10 s of the run"
	if len(rows) != 1 || rows[0].CannotArrive != 1 || !slices.Equal(rows[0].Reasons, []string{want}) {
		t.Errorf("got=%+v, want=one, %q", rows, want)
	}
}

func TestScorePart(t *testing.T) {
	dir := mixed(t)
	code, out, errs := command(t, context.Background(), "run", filepath.Join(dir, "b", "walls.xml"), "--csv")
	if code != exitOK || !strings.Contains(out, "<Obstacles>") {
		t.Errorf("exit code %d, want 0 and a row that says what it is:\n%s%s", code, out, errs)
	}
}

func TestScoreBadInput(t *testing.T) {
	empty := t.TempDir()
	for _, test := range []struct{ args, want string }{
		{"nosuch.xml", "nosuch.xml: no such file or directory"},
		{empty, "no scene in this folder"},
		{"plaza --workers=-1", "--workers is -1"},
		{"plaza --timeout=-1s", "--timeout is -1s"},
		{"plaza --steps 0", "--steps is 0"},
		{"plaza --json --csv", "can't be used together"},
	} {
		code, _, errs := command(t, context.Background(), append([]string{"run"}, strings.Fields(test.args)...)...)
		if code != exitBadInput || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s", test.args, code, test.want, errs)
		}
	}
}

func TestScoreLimits(t *testing.T) {
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"plaza --timeout 100ms --steps 1000000", exitFailure, "timed out after 100ms"},
	} {
		code, out, errs := command(t, context.Background(), append([]string{"run", "--json"}, strings.Fields(test.args)...)...)
		if code != test.code || !strings.Contains(out, test.want) {
			t.Errorf("%s: exit code %d, want %d and %q:\n%s%s", test.args, code, test.code, test.want, out, errs)
		}
	}
}

func TestScoreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code, out, errs := command(t, ctx, "run", "--json", "plaza", "arrival")
	if code != exitOK || strings.Count(out, "interrupted before the start") != 2 {
		t.Errorf("exit code %d, want 0 and two rows:\n%s%s", code, out, errs)
	}
}

// TestScoreData scores all folders of other people's scenarios.
func TestScoreData(t *testing.T) {
	code, out, errs := command(t, context.Background(), "run", testkit.DataDir(t), "--json", "--timeout", "2m", "--steps", "20")
	var rows []struct{ Error string }
	if err := json.Unmarshal([]byte(out), &rows); code != exitOK || err != nil {
		t.Fatalf("exit code %d, %v, %s", code, err, errs)
	}
	ran := 0
	for _, row := range rows {
		if row.Error == "" {
			ran++
		}
	}
	if ran < 19 {
		t.Errorf("got=%d files that ran, want=19 or more", ran)
	}
}
