package command

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// smallSweep is a spec of 12 runs that take no time.
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

// sweepFolder returns a folder with a small spec.
func sweepFolder(t *testing.T) string {
	t.Helper()
	return scenesFolder(t, map[string]string{"s.toml": smallSweep, "floors/shut.toml": shutTOML})
}

// table returns the rows of a CSV file, with only those columns that do not depend on the machine.
func table(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if rows, err = csv.NewReader(file).ReadAll(); err != nil {
		t.Fatal(err)
	}
	end := slices.Index(rows[0], "hash") + 1
	for i := range rows {
		rows[i] = rows[i][:end]
	}
	return rows
}

// TestSweep verifies that a sweep gives the same table whole and in shards, and that its figures are
// those of crowd run.
func TestSweep(t *testing.T) {
	folder := sweepFolder(t)
	spec, whole, parts := filepath.Join(folder, "s.toml"), filepath.Join(folder, "s"), filepath.Join(folder, "parts")
	if code, out, errs := command(t, t.Context(), "sweep", spec, "--shard", "1/1", "--workers", "2"); code != exitOK || !strings.HasPrefix(out, "shard 1/1: 8 runs done") {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	if code, out, errs := command(t, t.Context(), "sweep", "merge", whole); code != exitOK || !strings.HasPrefix(out, "8 runs on 1 machine: 8 ok\nresults in ") {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	want := table(t, filepath.Join(whole, "results.csv"))
	if len(want) != 9 || strings.Join(want[0][:7], " ") != "index scene max-speed groups[0].radius agents seed status" {
		t.Fatalf("got=%v", want)
	}
	for _, shard := range []string{"1/3", "3/3"} {
		if code, out, errs := command(t, t.Context(), "sweep", spec, "--out", parts, "--shard", shard); code != exitOK {
			t.Fatalf("exit code %d: %s%s", code, out, errs)
		}
	}
	if code, _, errs := command(t, t.Context(), "sweep", "merge", parts); code != exitBadInput || !strings.Contains(errs, "3 of 8 runs are missing, the first is run 1, of shard 2/3") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if code, _, errs := command(t, t.Context(), "sweep", spec, "--out", parts, "--shard", "2/3"); code != exitOK {
		t.Fatal(errs)
	}
	if code, out, errs := command(t, t.Context(), "sweep", "merge", parts, whole); code != exitOK || !strings.Contains(out, "8 done twice, with the same results") {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	for i, row := range table(t, filepath.Join(parts, "results.csv")) {
		if !slices.Equal(row, want[i]) {
			t.Errorf("row %d: got=%v, want=%v", i, row, want[i])
		}
	}
	_, out, _ := command(t, t.Context(), "run", "bottleneck", "--json", "--safety", "--agents", "3", "--seed", "2", "--steps", "4", "--set", "max-speed=1.5", "--set", "groups[0].radius=0.2", "--workers", "1")
	hash := regexp.MustCompile(`"trace_hash": "(\w+)"`).FindStringSubmatch(out)
	if at := slices.Index(want[0], "trace_hash"); hash == nil || want[4][at] != hash[1] {
		t.Errorf("got=%s, want=%v as of crowd run", want[4][at], hash)
	}
	text, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	for change, want := range map[string]string{
		string(text) + "# more":                                                     "the spec differs in what has no value, such as a comment or the order of keys;",
		strings.Replace(string(text), "[3]", "[4]", 1):                              "axes.agents[0] is 4, and was 3;",
		strings.Replace(string(text), "steps = 4", "", 1):                           "run.steps is missing, and was 4;",
		strings.Replace(string(text), "[run]", "[limits]\ntime = \"9s\"\n[run]", 1): `limits.time is "9s", and was missing;`,
	} {
		if err := os.WriteFile(spec, []byte(change), 0o666); err != nil {
			t.Fatal(err)
		}
		code, _, errs := command(t, t.Context(), "sweep", spec)
		if code != exitBadInput || !strings.Contains(errs, "holds another sweep: "+want+" want another --out") || strings.Count(errs, "\n") != 1 {
			t.Errorf("another spec: exit code %d: %s, want=%s", code, errs, want)
		}
	}
}

// TestSweepRefuses verifies that what is wrong is said before anything is run or written.
func TestSweepRefuses(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"none.toml"}, "none.toml: no such file or directory"},
		{[]string{"SPEC", "--shard", "4/3"}, `--shard is "4/3", want i/n with i from 1 to n, or auto`},
		{[]string{"SPEC", "--shard", "1/2", "--workers", "0"}, "--workers is 0, want 1 or more"},
		{[]string{"SPEC", "--shard", "1/2", "--workers", "-1"}, "--workers is -1, want 1 or more"},
		{[]string{"SPEC", "--workers", "-1"}, "--workers is -1, want 0 or more"},
		{[]string{"SPEC", "--dry-run", "--shard", "1/2"}, "--shard is for the runs, and --dry-run does none"},
		{[]string{"SPEC", "--nats", "nats://host"}, "unknown flag --nats"},
		{[]string{"merge", "."}, "manifest.json: no such file or directory: want the folder of a sweep"},
		{[]string{"marge"}, `unknown command crowd sweep marge, want one of init, join, merge, status; did you mean "merge"?`},
	} {
		folder := sweepFolder(t)
		args := append([]string{"sweep"}, tc.args...)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "SPEC", filepath.Join(folder, "s.toml"))
		}
		code, out, errs := command(t, t.Context(), args...)
		if code != exitBadInput || out != "" || !strings.Contains(errs, tc.want) {
			t.Errorf("%q: exit code %d: %s%s, want=%s", tc.args, code, out, errs, tc.want)
		}
		if _, err := os.Stat(filepath.Join(folder, "s")); err == nil {
			t.Errorf("%q: a folder was made", tc.args)
		}
	}
}

// TestWorkRefuses verifies that a worker says what is wrong with the place of its sweep.
func TestWorkRefuses(t *testing.T) {
	for place, want := range map[string]string{
		"nowhere":          "no such file or directory; want the folder of a sweep",
		".":                "no sweep runs in this folder",
		"tls://host:4222":  `"tls://host:4222" is no address of a sweep, want such as https://host:4222`,
		"http://host:4222": `"http://host:4222" is no address of a sweep, want such as https://host:4222`,
	} {
		if code, out, errs := command(t, t.Context(), "sweep", "join", place); code != exitBadInput || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d: %s%s, want=%s", place, code, out, errs, want)
		}
	}
}

// TestSweepDryRun verifies that an estimate runs nothing.
func TestSweepDryRun(t *testing.T) {
	folder := sweepFolder(t)
	code, out, errs := command(t, t.Context(), "sweep", filepath.Join(folder, "s.toml"), "--dry-run")
	for _, want := range []string{"8 runs: 4 points, each with 2 seeds\n", "  scene: bottleneck, floors/shut.toml\n", "  max-speed: 1, 1.5\n", "of memory"} {
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("exit code %d: %s%s, want=%s", code, out, errs, want)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "s")); err == nil {
		t.Error("a folder was made")
	}
}

// TestSweepPage verifies that the example stands in the page.
func TestSweepPage(t *testing.T) {
	page := sweepPage(t, "init")
	if _, example, _ := command(t, t.Context(), "sweep", "init"); page != example {
		t.Errorf("docs/sweep.md: got=%s, want=%s", page, example)
	}
}

// sweepPage returns a block of the page of sweeps.
func sweepPage(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../../../docs/sweep.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(data), "<!-- "+name+" -->\n```")
	_, after, _ = strings.Cut(after, "\n")
	text, _, _ := strings.Cut(after, "```")
	return text
}
