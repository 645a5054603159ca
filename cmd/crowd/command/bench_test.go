package command

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/testkit"
)

// tiny is the start of a bench command line for tests. The speeds that it measures mean nothing.
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
	if out, _ = succeed(t, tiny+"--go=-"); strings.Contains(out, "±") {
		t.Errorf("--go: got a table, want only lines:\n%s", out)
	}
	contains(t, "--go", out, "\nBenchmarkPlaza/by=crowd/agents=100/workers=1")
	out, _ = succeed(t, "bench W2 --agents 100 --repeats 2 --json=false --compare "+filepath.Join(".", "old.json"))
	contains(t, "--compare", out, "ns/agent", "too few samples", "steps per sample: 3\n", "only in old.json: plaza by crowd")
	if strings.Contains(out, "warning") {
		t.Errorf("--compare: got a warning, want none:\n%s", out)
	}
}
