package scene

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/8f878440/crowd/systems/measure"
)

var full = flag.Bool("full", false, "hold the golden hashes of large flocks too, which take a minute")

const (
	goldenFile  = "testdata/golden.tsv"
	goldenSteps = 300
	smallCrowd  = 200 // agents
)

const goldenHead = `# What the built-in scenes do in their first 300 steps: the trace hash of reports.
# It is the same on every processor, for every number of workers. A value changes
# only in a commit that says which rule changed, and why:
# go test ./world/scene -run Golden -full -update
`

// TestGolden holds that every built-in scene does what it did, with few agents and
// with all of them (large flocks only with -full). It fails on the first bit that differs in any agent.
func TestGolden(t *testing.T) {
	want := readGolden(t)
	var file strings.Builder
	file.WriteString(goldenHead)
	for _, name := range Names() {
		s, err := Named(name)
		if err != nil {
			t.Fatal(err)
		}
		sizes := []int{s.Agents()}
		if s.Agents() > smallCrowd {
			sizes = []int{smallCrowd, s.Agents()}
		}
		for _, agents := range sizes {
			key := fmt.Sprintf("%s\t%d", name, agents)
			large := agents > smallCrowd
			if testing.Short() && large || name == "boids" && large && !*full {
				continue
			}
			got := traceOf(t, name, agents)
			fmt.Fprintf(&file, "%s\t%s\n", key, got)
			if !*update && got != want[key] {
				t.Errorf("%s: got=%s, want=%s", key, got, want[key])
			}
		}
	}
	if *update {
		if testing.Short() || !*full {
			t.Fatal("some values are left out: want -full, and no -short")
		}
		if err := os.WriteFile(goldenFile, []byte(file.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// traceOf returns the trace hash of a scene.
func traceOf(t *testing.T, name string, agents int) string {
	s, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	if agents != s.Agents() {
		s.Resize(agents)
	}
	w, err := s.Build(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var trace measure.Trace
	trace.Add(w.Hash())
	for step := 1; step <= goldenSteps; step++ {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		if step%measure.TraceEvery == 0 {
			trace.Add(w.Hash())
		}
	}
	return fmt.Sprintf("%016x", trace.Sum())
}

// readGolden returns the values by scene and number of agents.
func readGolden(t *testing.T) map[string]string {
	data, err := os.ReadFile(goldenFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	values := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if key, value, ok := cutLast(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(line, "#") {
			values[key] = value
		}
	}
	return values
}

func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}
