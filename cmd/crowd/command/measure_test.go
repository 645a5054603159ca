package command

import (
	"bytes"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
)

// tiny starts a bench command line for tests. The speeds that it measures mean nothing.
const tiny = "bench plaza W2 --agents 100 --repeats 2 --steps 3 "

func TestBench(t *testing.T) {
	t.Chdir(t.TempDir())
	out, errs := succeed(t, tiny+"--workers 2,1,2 --baselines --out a.json --go a.txt")
	contains(t, "table", out, "ns/agent", "plaza", "W2", "crowd", "plain", "query", "objects", "±", "medians of 2 samples", "steps per sample: 3\n")
	f, err := bench.ReadFile("a.json")
	testkit.Must(t, err)
	var got []string
	for i := range f.Results {
		r := &f.Results[i]
		got = append(got, r.Label())
		if r.Steps != 3 || len(r.Samples) != 2 || r.NsPerAgentStep <= 0 || len(r.Input) != 16 || r.BytesPerAgent <= 0 || (r.SpeedUp != nil) != (r.By == "crowd") {
			t.Errorf("%s: got=%+v, want 2 samples of 3 steps, and a speed-up only for crowd", r.Label(), r)
		}
		if i > 0 && r.Name == f.Results[i-1].Name && r.Input != f.Results[i-1].Input {
			t.Errorf("%s: got a hash of the start other than that of %s, want the same", r.Label(), f.Results[i-1].Label())
		}
	}
	want := []string{
		"plaza by crowd, 100 agents, 1 worker", "plaza by crowd, 100 agents, 2 workers",
		"W2 by crowd, 100 agents, 1 worker", "W2 by crowd, 100 agents, 2 workers",
		"W2 by plain, 100 agents, 1 worker", "W2 by blocks, 100 agents, 1 worker", "W2 by query, 100 agents, 1 worker", "W2 by objects, 100 agents, 1 worker",
	}
	if !slices.Equal(got, want) || errs != "" {
		t.Errorf("results: got=%q, want=%q, and no errors, got:\n%s", got, want, errs)
	}
	testkit.Equal(t, strings.Count(string(readFile(t, "a.txt")), "\nBenchmark"), 2*len(want), "Go benchmark lines")
}

func TestBenchOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	out, errs := succeed(t, tiny+"--json")
	f := decode[bench.File](t, out)
	var again bytes.Buffer
	testkit.Must(t, output.WriteJSON(&again, &f))
	if again.String() != out || errs != "" {
		t.Errorf("round trip: got=%s, want=%s, and no errors, got:\n%s", &again, out, errs)
	}
	testkit.Must(t, os.WriteFile("old.json", []byte(out), 0o666))
	out, _ = succeed(t, tiny+"--go=-")
	contains(t, "--go", out, "\nBenchmarkPlaza/by=crowd/agents=100/workers=1")
	lacks(t, "--go", out, "±") // a table
	out, _ = succeed(t, "bench W2 --agents 100 --repeats 2 --json=false --compare "+filepath.Join(".", "old.json"))
	contains(t, "--compare", out, "ns/agent", "too few samples", "steps per sample: 3\n", "only in old.json: plaza by crowd")
	lacks(t, "--compare", out, "warning")
}

const (
	courtyard = "type octile\nheight 5\nwidth 6\nmap\n......\n.@@@@.\n.@..@.\n.@@.@.\n....@.\n"
	errands   = "version 1\n" +
		"0\tcourt.map\t6\t5\t0\t0\t5\t0\t5\n" +
		"0\tcourt.map\t6\t5\t0\t0\t5\t2\t7\n" +
		"1\tcourt.map\t6\t5\t2\t2\t0\t0\t10\n" +
		"2\tcourt.map\t6\t5\t3\t4\t3\t4\t0\n"
)

// scenario writes a scenario and a map, and returns the name of the scenario.
func scenario(t *testing.T, rows, ground string) string {
	t.Helper()
	return filepath.Join(testkit.Files(t, map[string]string{"court.scen": rows, "court.map": ground}), "court.scen")
}

// The paths can be measured by hand.
func TestRoute(t *testing.T) {
	t.Chdir(t.TempDir())
	file := scenario(t, errands, courtyard)
	out, errs := succeed(t, "bench maps "+file+" --compare --out a.svg")
	narrow(t, out)
	contains(t, "table", out, "bucket  rows  found  mean ratio  max ratio  mean time\n0       2     2      0.9", "\nall     4     4 ", "court.map, 6 × 5 cells, ",
		"without a path         none\n", "longer than grid path  none\n", "gonum's A*", "median of 4 rows", "\npicture in a.svg: 3 paths\n")
	contains(t, "picture", string(readFile(t, "a.svg")), "3 of 3 paths, 6 × 5 cells", "0.5 cells<")
	succeed(t, "bench maps "+file+" "+strings.TrimSuffix(file, ".scen")+".map --out a.png --dark --size 300 --quiet") // with a map given explicitly
	if len(readFile(t, "a.png")) < 1000 || errs != "" {
		t.Errorf("got=a picture of %d bytes, warnings %q, want=1,000 or more, no warning", len(readFile(t, "a.png")), errs)
	}
}

func TestRouteJSON(t *testing.T) {
	t.Parallel()
	out, _ := succeed(t, "bench maps --json --compare "+scenario(t, errands, courtyard))
	got := decode[struct {
		Rows    []map[string]any
		Buckets []struct {
			Bucket, Rows, Found int
			MeanRatio           *float64 `json:"mean_ratio"`
		}
		Comparison struct{ Rows, Differ int }
	}](t, out)
	lengths := []float64{
		5,
		math.Hypot(4.5, 0.5) + math.Hypot(0.5, 1.5),         // from (0.5, 0.5) along the wall, around the corner at (5, 1), and down
		math.Hypot(0.5, 0.5) + 1 + 2 + math.Hypot(0.5, 3.5), // from the court through the gap below, around (3, 3), (3, 4) and (1, 4), and up
		0,
	}
	const keys = "bucket goal length line map octile_length seconds start"
	for i, row := range got.Rows {
		testkit.Equal(t, keysOf(row), keys, "row %d: keys", i)
		testkit.Near(t, row["length"].(float64), lengths[i], 1e-4, "row %d", i)
	}
	if start := got.Rows[2]["start"].([]any); start[0] != 2. || start[1] != 2. || got.Rows[2]["line"] != 4. || got.Rows[2]["octile_length"] != 10. {
		t.Errorf("got=%v, want the start (2, 2), line 4, and length 10", got.Rows[2])
	}
	if len(got.Rows) != 4 || len(got.Buckets) != 3 || got.Buckets[0].Rows != 2 || got.Buckets[2].MeanRatio != nil || got.Comparison.Rows != 4 || got.Comparison.Differ != 0 {
		t.Errorf("got=%+v, want 4 rows in 3 buckets, and no difference in the comparison", got)
	}
}

func TestRouteMisses(t *testing.T) {
	rows := "version 1\n0\tcourt.map\t6\t5\t0\t0\t2\t2\t9\n0\tcourt.map\t6\t5\t0\t0\t5\t0\t4.9\n"
	file := scenario(t, rows, "type octile\nheight 5\nwidth 6\nmap\n......\n.@@@@.\n.@.@@.\n.@.@@.\n.@@.@.\n") // (2, 4) and (3, 3) touch at a corner
	end(t, "bench maps "+file, []ending{
		{"", exitFailure, "without a path         1 row: line 2\nlonger than grid path  1 row: line 3\n", "crowd: 1 row without a path, 1 path longer than the grid path\n"},
		{"--json", exitFailure, `"length": null`, "crowd: 1 row without a path, 1 path longer than the grid path\n"},
	})
	code, out, errs := command(t, endsAfter(0), "bench", "maps", file, "--out", "a.png")
	if left := leftovers(t, ".", nil); code != exitFailure || out != "" || errs != "crowd: interrupted while finding paths\n" || len(left) > 0 {
		t.Errorf("interrupted: exit code %d, left %v, want 1, no files and one line, got:\n%s%s", code, left, out, errs)
	}
}

func keysOf(object map[string]any) string { return strings.Join(slices.Sorted(maps.Keys(object)), " ") }

func TestMeasuring(t *testing.T) {
	t.Parallel()
	const line = "run plaza --agents 2000 --steps 40"
	measured := func(workers string) string {
		out, _ := succeed(t, line+" --json --safety --line 200,0,200,400 --line=-1,100,400,100 --area 100,100,150,150 --workers "+workers)
		return out
	}
	text, without := measured("1"), reportOf(t, line)
	with := decode[report.Report](t, text)
	if r := without; r.Collisions != nil || r.SuccessShare != nil || r.NearestP50 != nil || r.AgentCloseShare != nil || r.Lines != nil || r.Areas != nil || r.Neighbors != nil {
		t.Errorf("without flags: got=%+v, want no measurements of --safety, --line and --area", r)
	}
	if r := with; r.Collisions == nil || *r.CollisionsSteerbench != 2**r.Collisions || r.SuccessShare == nil || *r.NearestP1 > *r.NearestP50 {
		t.Errorf("--safety: got=%+v, want collisions, a success share and distances", r.Metrics)
	}
	if len(with.Lines) != 2 || len(with.Areas) != 1 {
		t.Fatalf("got=%+v %+v, want 2 lines and an area", with.Lines, with.Areas)
	}
	if l := with.Lines[0]; l.Width != 400 || l.Passed < 2 || l.Flow == nil || *l.SpecificFlow != *l.Flow/400 || *l.Speed <= 0 {
		t.Errorf("line: got=%+v, want 2 or more passed in 400 m, and the flow", l)
	}
	if a := with.Areas[0]; a.Area != ([4]float64{100, 100, 150, 150}) || *a.Density <= 0 || *a.Density > a.MaxDensity {
		t.Errorf("area: got=%+v, want a density above 0, at most MaxDensity", a)
	}
	if with.Hash != without.Hash || *with.Wiggle != *without.Wiggle {
		t.Errorf("got=%s, %v with measurements, want=%s, %v as without", with.Hash, *with.Wiggle, without.Hash, *without.Wiggle)
	}
	for _, workers := range []string{"2", "7"} {
		testkit.Equal(t, timeless(t, []byte(measured(workers))), timeless(t, []byte(text)), "%s workers", workers)
	}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	r := reportOf(t, "plaza --agents 10 --steps 30 --set dt=0.05 --safety")
	if *r.RadiusMin != 0.25 || *r.RadiusMax != 0.25 || *r.ArrivalRadiusMin != 0.5 || *r.ArrivalRadiusMax != 0.5 ||
		r.ArrivalThen != "wander" || math.Abs(r.TimeCap-1.5) > 1e-12 || r.Cores < 1 || r.OS == "" || r.Arch == "" {
		t.Errorf("got=%+v, want bodies of 0.25 m, goals of 0.5 m, wander, and at most 1.5 s", r.Conditions)
	}
	if r.Effort == nil || r.SteerbenchScore == nil {
		t.Error("got no effort or SteerBench score, want both at 20 steps per second")
	}
	if r := reportOf(t, "seek --steps 5"); r.ArrivalRadiusMin != nil || r.ArrivalThen != "" || r.ArrivedShare != nil || r.Effort != nil {
		t.Errorf("without goals: got=%+v, %+v, want nothing about goals, and no effort", r.Conditions, r.Metrics)
	}
}

// A round trip ends where it began, so it must not be compared with a straight line.
func TestRepeatedTrips(t *testing.T) {
	t.Parallel()
	const text = "dt = 0.1\nsteps = 300\n[[groups]]\nat = [0, 0]\nmax-speed = 1\nseek = {}\ngoal = {radius = 0.5, then = \"%\"}\nitineraries = [[{at = [3, 0]}, {at = [0, 3]}, {at = [1, 0]}]]\n"
	for then, want := range map[string]bool{"repeat": false, "stay": true} {
		dir := testkit.Files(t, map[string]string{"round.toml": strings.Replace(text, "%", then, 1)})
		r := reportOf(t, "run "+dir+"/round.toml")
		testkit.Equal(t, r.ArrivalThen, then, "arrival_then")
		if got := r.PathRatio != nil; got != want || (r.TimeRatio != nil) != want || (r.EnergyOptimum != nil) != want || r.Energy == nil {
			t.Errorf("%s: got=path ratio %v, time ratio %v, optimum %v, energy %v, want numbers for the first three: %v, and an energy", then, cli.OrDash("%v", r.PathRatio), cli.OrDash("%v", r.TimeRatio), cli.OrDash("%v", r.EnergyOptimum), cli.OrDash("%v", r.Energy), want)
		}
	}
}

// The runs end with the same state: all agents have left.
func TestTraceHash(t *testing.T) {
	t.Parallel()
	leave := func(speed, workers string) *report.Report {
		dir := testkit.Files(t, map[string]string{"leave.toml": "steps = 60\ndt = 0.1\nbox = [[0, 0], [10, 10]]\n[[groups]]\ncount = 2\nat = {rectangle = [[1, 1], [2, 2]]}\n" +
			"target = {points = [[4, 4]]}\nmax-force = 50\nseek = {gain = 2}\ngoal = {radius = 0.5, then = \"leave\"}\nmax-speed = " + speed})
		return reportOf(t, "run "+dir+"/leave.toml --workers "+workers)
	}
	slow, fast, again := leave("2", "1"), leave("3", "1"), leave("3", "2")
	if slow.Hash != "0000000000000000" || slow.Hash != fast.Hash {
		t.Errorf("hash: got=%s, %s, want 0 for both", slow.Hash, fast.Hash)
	}
	if slow.TraceHash == fast.TraceHash || fast.TraceHash != again.TraceHash || len(slow.TraceHash) != 16 {
		t.Errorf("trace hash: got=%s, %s, %s, want=another hash at another speed, and the same hash with 2 workers", slow.TraceHash, fast.TraceHash, again.TraceHash)
	}
}

// The source is in a wall.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	dir := testkit.Files(t, map[string]string{"wall.toml": "dt = 0.1\nsteps = 20\nbox = [[0, 0], [9, 9]]\n[obstacles]\nboxes = [{box = [[0, 0], [3, 3]]}]\n" +
		"[[groups]]\ncount = 4\nat = [1, 1]\nradius = 0.2\nmax-speed = 1\nstart-speed = 1\nsource = {every = 1, at-once = 2}\n"})
	notes := reportOf(t, "run "+dir+"/wall.toml").Notes
	testkit.Equal(t, strings.Join(notes, "|"), "at the end, 4 agents could not start for lack of room", "notes")
}
