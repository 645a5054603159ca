package bench

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadBenchFileErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "was not written by crowd bench --json"},
		{"[]", "was not written by crowd bench --json"},
		{"{}", "has no results"},
		{`{"results": [{"name": "W2", "agents": 0, "steps": 1, "samples": [1]}]}`, "result 1 (W2): want agents"},
		{`{"results": [{"name": "W2", "agents": 1, "steps": 1, "samples": []}]}`, "result 1 (W2): want agents"},
		{`{"results": [{"name": "W2", "agents": 1, "steps": 1, "samples": [0]}]}`, "result 1 (W2): want agents"},
		{`{"results": [{"name": "W2", "agents": 1, "steps": -1, "samples": [1]}]}`, "result 1 (W2): want agents"},
	} {
		file := filepath.Join(t.TempDir(), "x.json")
		must(t, os.WriteFile(file, []byte(test.text), 0o666))
		if _, err := ReadFile(file); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got=%v, want=%q", test.text, err, test.want)
		}
	}
}

// TestSpeedUpSpread verifies that a speed-up has the spread of its rounds, or of its costs.
func TestSpeedUpSpread(t *testing.T) {
	result := func(name string, workers int, up float64, samples ...float64) Result {
		r := Result{Name: name, By: "crowd", Agents: 10_000, Workers: workers, Samples: samples, SpeedUp: &up}
		r.Summarize()
		return r
	}
	f := &File{Results: []Result{
		result("sure", 1, 1, 10, 10, 10, 10, 10), result("sure", 2, 2, 5, 5, 5, 5, 5),
		result("noisy", 1, 1, 10, 10, 10, 10, 10), result("noisy", 2, 1, 20, 12.5, 10, 8, 5),
		result("unpaired", 1, 1, 10, 11, 9, 10, 10), result("unpaired", 2, 1.9, 5, 6, 5.5, 5, 5.5),
		result("alone", 2, 1.5, 5, 6),
	}}
	for i, want := range []float64{0, 0, 0, (1.25 - 0.8) / 2, 0, 1.9 * math.Hypot(0, 0.25/5.5), 0} {
		if got := f.SpeedUpSpread(&f.Results[i]); math.Abs(got-want) > 1e-9 {
			t.Errorf("result %d: got=%v, want=%v", i, got, want)
		}
	}
}
