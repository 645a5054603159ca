package bench

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// sampled returns a result with samples from a machine of constant speed.
func sampled(name string, samples ...float64) Result {
	r := Result{Name: name, By: "crowd", Agents: 1000, Workers: 1, Input: "i", Steps: 10, Samples: samples}
	for range samples {
		r.Calibration = append(r.Calibration, 3)
	}
	r.summarize()
	return r
}

func TestCompareSamples(t *testing.T) {
	base := []float64{10, 10.1, 10.2, 9.9, 9.8, 10.05, 9.95, 10.15, 9.85, 10.02}
	run := func(code, machine float64) Result {
		r := Result{Name: "x"}
		for i, x := range base {
			r.Samples = append(r.Samples, code*machine*x)
			r.Calibration = append(r.Calibration, 3*machine*base[len(base)-1-i]/10)
		}
		r.summarize()
		return r
	}
	steady := func(by float64, n int) Result {
		var all []float64
		for _, x := range base[:n] {
			all = append(all, by*x)
		}
		return sampled("x", all...)
	}
	uncalibrated := run(1, 1)
	uncalibrated.Calibration = nil
	const noise, few = "~ (within the noise)", "~ (too few samples)"
	for _, test := range []struct {
		name     string
		old, new Result
		want     string
	}{
		{"equal", steady(1, 10), steady(1, 10), noise},
		{"all the same number", sampled("x", 5, 5, 5, 5), sampled("x", 5, 5, 5, 5), noise},
		{"slower", steady(1, 10), steady(1.5, 10), "+50.0%"},
		{"faster", steady(1, 10), steady(0.8, 10), "-20.0%"},
		{"slightly slower", steady(1, 10), steady(1.002, 10), noise},
		{"too few before", steady(1, 3), steady(1.5, 10), few},
		{"too few now", steady(1, 10), steady(1.5, 3), few},
		{"just enough", steady(1, 4), steady(1.5, 4), "+50.0%"},
		{"smaller than the effect of the code's address", steady(1, 10), steady(1.015, 10), noise},
		{"significant, but smaller than the spread", sampled("x", 10, 11, 12, 13, 14, 15, 16, 17, 18, 19),
			sampled("x", 15.5, 15.6, 15.7, 15.8, 15.9, 16, 16.1, 16.2, 16.3, 16.4), noise},
		{"nothing on a machine of varying speed", run(1, 1), run(1, 1), noise},
		{"the machine is slower", run(1, 1), run(1, 1.3), noise},
		{"the machine is faster", run(1, 1), run(1, 0.7), noise},
		{"the code is slower", run(1, 1), run(1.3, 1), "+30.0%"},
		{"both are slower", run(1, 1), run(1.3, 1.2), "+56.0%"},
		{"the code is slower, the machine faster", run(1, 1), run(1.3, 0.6), noise}, // undecidable
		{"without a calibration", uncalibrated, run(1.3, 1), few},
	} {
		testkit.Equal(t, compareSamples(&test.old, &test.new).verdict, test.want, "%s", test.name)
	}
}

func TestFindResult(t *testing.T) {
	f := File{}
	for i := range 16 {
		r := Result{Name: fmt.Sprint("W", i&1), By: fmt.Sprint("by ", i&2), Agents: 10 + i&4, Workers: 1 + i&8}
		f.Results = append(f.Results, r)
	}
	for i := range f.Results {
		if got := f.find(&f.Results[i]); got != &f.Results[i] {
			t.Errorf("%s: got=%+v, want the same result", f.Results[i].Label(), got)
		}
	}
}

func TestSpeedUp(t *testing.T) {
	k := func(by string, workers int, samples ...float64) *contender {
		return &contender{place: workers, mallocs: []float64{3}, Result: Result{By: by, Agents: 1, Workers: workers, Samples: samples}}
	}
	b := &session{}
	b.conclude([]*contender{k("crowd", 2, 5, 50, 5), k("plain", 0, 1, 1, 1), k("crowd", 1, 10, 90, 10)})
	for i, want := range []float64{0, 1, 2} {
		r := b.Results[i]
		if r.Workers != int(want) || (want > 0) != (r.SpeedUp != nil) || want > 0 && *r.SpeedUp != want || r.AllocsPerStep != 3 {
			t.Errorf("result %d: got=%+v, want a speed-up of %v", i, r, want)
		}
	}
}

func TestWriteComparison(t *testing.T) {
	old := File{CPU: "A", Cores: 2, GoVersion: "go1.25", Warmup: 5, Results: []Result{sampled("W2", 1, 1, 1, 1), sampled("gone", 1)}}
	new := File{CPU: "B", Cores: 2, GoVersion: "go1.26", Warmup: 6, Results: []Result{sampled("W2", 2, 2, 2, 2), sampled("come", 1)}}
	new.Results[0].Input, new.Results[0].Steps = "j", 2000
	var out bytes.Buffer
	testkit.Must(t, writeComparison(&out, "old.json", &old, &new))
	for _, want := range []string{
		"warning: the machines differ: A, 2 cores", "warning: the Go versions differ: go1.25; now go1.26", "warning: the warmup steps differ: 5; now 6",
		"warning: W2, 1,000 agents: the scene differs", "warning: W2, 1,000 agents: the steps per sample differ: 10; now 2,000",
		"+100.0%", "4+4", "only in old.json: gone by crowd, 1,000 agents, 1 worker", "only in this run: come by crowd, 1,000 agents, 1 worker",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing from:\n%s", want, &out)
		}
	}
	if got := differences(&old, &old); got != nil {
		t.Errorf("differences from itself: got=%q, want none", got)
	}
}
