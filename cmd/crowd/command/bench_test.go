package command

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"golang.org/x/perf/benchfmt"
)

// TestBenchCompare compares a run with itself as it was, through files.
func TestBenchCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.json")
	if code, _, errs := command(t, context.Background(), append(tiny, "--out", file)...); code != exitOK {
		t.Fatal(errs)
	}
	args := []string{"bench", "W2", "--agents", "100", "--repeats", "2", "--compare", file}
	code, out, errs := command(t, context.Background(), args...)
	if code != exitOK || !strings.Contains(out, "too few samples") || !strings.Contains(out, "steps per sample: 3\n") ||
		!strings.Contains(out, "only in "+file+": plaza by crowd") || strings.Contains(out, "warning") {
		t.Errorf("exit code %d, %s:\n%s", code, errs, out)
	}
}

// TestTargetsInterrupted verifies the same of the command.
func TestTargetsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code, out, errs := command(t, ctx, "bench", "targets")
	if code != exitFailure || !strings.Contains(out, "Incomplete: interrupted after 0 targets.") || !strings.Contains(errs, "crowd: interrupted") {
		t.Errorf("exit code %d, %s%s", code, out, errs)
	}
}

// tiny is a run for tests: it says nothing about speed.
var tiny = []string{"bench", "plaza", "W2", "--agents", "100", "--repeats", "2", "--steps", "3"}

// TestBench verifies that one run writes everything that was asked for.
func TestBench(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	code, out, errs := command(t, context.Background(), append(tiny, "--workers", "2,1,2", "--baselines",
		"--out", at("a.json"), "--go", at("a.txt"))...)
	if code != exitOK || errs != "" {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	for _, want := range []string{"ns/agent", "plaza", "W2", "crowd", "plain", "query", "objects", "±", "medians of 2 samples", "steps per sample: 3\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("table lacks %q:\n%s", want, out)
		}
	}
	f, err := bench.ReadFile(at("a.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range f.Results {
		r := &f.Results[i]
		got = append(got, r.Label())
		if r.Steps != 3 || len(r.Samples) != 2 || r.NsPerAgentStep <= 0 || len(r.Input) != 16 || r.BytesPerAgent <= 0 || (r.SpeedUp != nil) != (r.By == "crowd") {
			t.Errorf("%s: %+v", r.Label(), r)
		}
	}
	want := []string{
		"plaza by crowd, 100 agents, 1 worker", "plaza by crowd, 100 agents, 2 workers",
		"W2 by crowd, 100 agents, 1 worker", "W2 by crowd, 100 agents, 2 workers",
		"W2 by plain, 100 agents, 1 worker", "W2 by blocks, 100 agents, 1 worker", "W2 by query, 100 agents, 1 worker", "W2 by objects, 100 agents, 1 worker",
	}
	if !slices.Equal(got, want) {
		t.Errorf("results: got=%q, want=%q", got, want)
	}
	for i := 1; i < len(f.Results); i++ {
		if a, b := &f.Results[i-1], &f.Results[i]; a.Name == b.Name && a.Input != b.Input {
			t.Errorf("%s and %s begin with different crowds", a.Label(), b.Label())
		}
	}
	lines, err := os.Open(at("a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	n := 0
	for r := benchfmt.NewReader(lines, "a.txt"); r.Scan(); {
		switch line := r.Result().(type) {
		case *benchfmt.Result:
			n++
		case *benchfmt.SyntaxError:
			t.Error(line)
		}
	}
	if n != 2*len(want) {
		t.Errorf("Go benchmark lines: got=%d, want=%d", n, 2*len(want))
	}
}

// TestBenchStandardOutput verifies that - puts results in place of the table, and that
// the JSON reads back as it was written.
func TestBenchStandardOutput(t *testing.T) {
	code, out, errs := command(t, context.Background(), append(tiny, "--json")...)
	if code != exitOK || errs != "" {
		t.Fatal(code, errs)
	}
	var f bench.File
	if err := json.Unmarshal([]byte(out), &f); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	var again bytes.Buffer
	if err := output.WriteJSON(&again, &f); err != nil || again.String() != out {
		t.Errorf("round trip: %v, got=%s, want=%s", err, &again, out)
	}
	code, out, _ = command(t, context.Background(), append(tiny, "--go=-")...)
	if code != exitOK || strings.Contains(out, "±") || !strings.Contains(out, "\nBenchmarkPlaza/by=crowd/agents=100/workers=1") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestBenchBadInput verifies that bad input is answered with one line that says what
// is allowed.
func TestBenchBadInput(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"W", `unknown scene, workload or file "W", did you mean "W1"?`},
		{"W33", `unknown scene, workload or file "W33", did you mean "W`},
		{"W3", `unknown scene, workload or file "W3", did you mean "W3/obstacles=64"?`},
		{"plasa", `file "plasa", did you mean "plaza"? (crowd scene lists scenes, crowd bench --help lists workloads)`},
		{"w3/obstacles=1025", `did you mean "W3/obstacles=1024"?`},
		{"nosuch.toml", "nosuch.toml: no such file"},
		{"--agents 0", `--agents has "0", want whole numbers from 1 to 50000000`},
		{"--agents 10,many", `--agents has "many"`},
		{"--agents 1.5", `--agents has "1.5"`},
		{"--agents 1e99", `--agents has "1e99"`},
		{"--agents NaN", `--agents has "NaN"`},
		{"--workers 0", "--workers has 0, want 1 to 1024"},
		{"--workers 1,x", "--workers: expected"},
		{"--steps 0", "--steps is 0, want 1 to"},
		{"--repeats 0", "--repeats is 0, want 1 to"},
		{"--json --go -", "--json and --go - both write to standard output"},
		{"--json --compare a.json", "--compare writes to standard output"},
		{"--compare nosuch.json", "--compare: open nosuch.json: no such file"},
		{"--out no/such/folder", "no/such/folder"},
		{"W1 --out a.json --go a.json", "a.json would be written twice"},
		{"W1 --out -", "--out is -, want a file"},
	} {
		code, out, errs := command(t, context.Background(), append([]string{"bench"}, strings.Fields(test.args)...)...)
		if code != exitBadInput || out != "" || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s%s", test.args, code, test.want, out, errs)
		}
	}
}

// TestBenchInterruptedAtOnce verifies that nothing is printed where nothing was measured.
func TestBenchInterruptedAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if code, _, errs := command(t, ctx, tiny...); code != exitFailure || !strings.Contains(errs, "interrupted before anything") {
		t.Errorf("at once: exit code %d, %s", code, errs)
	}
}
