package plot

import (
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
)

// TestSpeedUpSpread holds that a speed-up is drawn with the spread of its rounds, and
// that the picture says which is none, and which is not that of the costs.
func TestSpeedUpSpread(t *testing.T) {
	result := func(name string, workers int, up float64, samples ...float64) bench.Result {
		r := bench.Result{Name: name, By: "crowd", Agents: 10_000, Workers: workers, Samples: samples, SpeedUp: &up}
		r.Summarize()
		return r
	}
	one := 1.0
	f := &bench.File{Results: []bench.Result{
		result("sure", 1, one, 10, 10, 10, 10, 10), result("sure", 2, 2, 5, 5, 5, 5, 5),
		result("noisy", 1, one, 10, 10, 10, 10, 10), result("noisy", 2, 1, 20, 12.5, 10, 8, 5),
		// The machine was disturbed in other rounds for one worker than for two.
		result("torn", 1, one, 10, 10, 10, 30, 30), result("torn", 2, 1.5, 20, 20.0/3, 15, 20, 20),
		result("unpaired", 1, one, 10, 11, 9, 10, 10), result("unpaired", 2, 1.9, 5, 6, 5.5, 5, 5.5),
		result("alone", 2, 1.5, 5, 6),
	}}
	lines := speedUpLines([]*bench.File{f}, nil)
	want := map[string][2]float64{ // of two workers: the speed-up, and half its range
		"sure": {2, 0}, "noisy": {1, (1.25 - 0.8) / 2}, "torn": {1.5, (1.5 - 2.0/3) / 2}, "alone": {1.5, 0},
		"unpaired": {1.9, 1.9 * math.Hypot(0, 0.25/5.5)},
	}
	if len(lines) != len(want) {
		t.Errorf("lines: got=%d, want=%d", len(lines), len(want))
	}
	for _, line := range lines {
		name, _, _ := strings.Cut(line.Name, ",")
		at := line.Points[len(line.Points)-1]
		if w := want[name]; at.X != 2 || at.Y != w[0] || math.Abs(at.High-at.Y-w[1]) > 1e-9 || math.Abs(at.Y-at.Low-w[1]) > 1e-9 {
			t.Errorf("%s: got=%+v, want=%v", name, at, w)
		}
		if first := line.Points[0]; first.X == 1 && (first.Y != 1 || first.Low != 1 || first.High != 1) {
			t.Errorf("%s: one worker: got=%+v, want 1 with no range", name, first)
		}
	}
	if *f.Results[1].SpeedUp != 2 {
		t.Errorf("the results were changed: %v", *f.Results[1].SpeedUp)
	}
	notes := speedUpNotes([]*bench.File{f}, nil)
	wantNotes := []string{
		"speed-up that differs from 1 by less than its spread: noisy, 10,000 agents, 2 workers (1.00 ± 0.22)",
		"speed-up is the median of the ratios of each round, which is not the ratio of the median costs: torn, 10,000 agents, 2 workers (1.50, of the costs 0.50)",
	}
	if got, want := strings.Join(notes, "\n"), strings.Join(wantNotes, "\n"); got != want {
		t.Errorf("notes: got:\n%s\nwant:\n%s", got, want)
	}
}
