package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/perf/benchfmt"
)

// goLines reads a file of Go benchmark lines.
func goLines(t *testing.T, file string) []*benchfmt.Result {
	t.Helper()
	text, err := os.Open(file)
	must(t, err)
	defer text.Close()
	var all []*benchfmt.Result
	for lines := benchfmt.NewReader(text, file); lines.Scan(); {
		switch line := lines.Result().(type) {
		case *benchfmt.Result:
			all = append(all, line.Clone())
		case *benchfmt.SyntaxError:
			t.Error(line)
		}
	}
	return all
}

func TestGoLines(t *testing.T) {
	r := Result{Name: "my scenes/a hall.toml", By: "crowd", Agents: 1000, Workers: 2, Steps: 40, BytesPerAgent: 280, Samples: []float64{20, 30}}
	f := File{OS: "linux", Arch: "arm64", CPU: "a processor", Processors: 4, Results: []Result{r}}
	file := filepath.Join(t.TempDir(), "go.txt")
	var text bytes.Buffer
	must(t, f.writeGo(&text))
	must(t, os.WriteFile(file, text.Bytes(), 0o666))
	all := goLines(t, file)
	if len(all) != 2 {
		t.Fatalf("lines: got=%d, want=2", len(all))
	}
	line := all[1]
	if got, want := string(line.Name), "My_scenes_a_hall.toml/by=crowd/agents=1000/workers=2-4"; got != want || line.Iters != 40 {
		t.Errorf("name: got=%s %d, want=%s 40", got, line.Iters, want)
	}
	for unit, want := range map[string]float64{"sec/op": 30e-6, "sec/agent": 30e-9, "agents/s": 1e9 / 30., "B/agent": 280, "allocs/op": 0} {
		if got, ok := line.Value(unit); !ok || got < 0.999*want || got > 1.001*want {
			t.Errorf("%s: got=%v, want=%v", unit, got, want)
		}
	}
	if got := line.GetConfig("cpu"); got != "a processor" {
		t.Errorf("cpu: got=%q, want=%q", got, "a processor")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
