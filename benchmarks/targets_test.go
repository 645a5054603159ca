package benchmarks

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func TestTrial(t *testing.T) {
	bad := errors.New("a full disk")
	for _, test := range []struct {
		name  string
		third func(t *trial) error // called at the third target
		want  int                  // number of targets
		err   error
	}{
		{"all", func(*trial) error { return nil }, 5, nil},
		{"stopped", func(t *trial) error { t.stop.Store(true); return nil }, 3, errStopped},
		{"failed", func(*trial) error { return bad }, 3, bad},
	} {
		var got []string
		trial := &trial{}
		trial.each = func(target Target) error {
			if got = append(got, target.What); len(got) == 3 {
				return test.third(trial)
			}
			return nil
		}
		for _, what := range []string{"1", "2", "3", "4"} {
			trial.hold(0, 3, []entry{{w2, "crowd", 10, 1}, {w2, "plain", 10, 1}}, func(c *contest) {
				trial.add(Target{What: what}, c.costs(c.entries[0]))
			})
		}
		trial.with(entry{w3, "crowd", 10, 1}, func(r Runner) { trial.add(Target{What: "5"}, []float64{1}) })
		if want := []string{"1", "2", "3", "4", "5"}[:test.want]; !slices.Equal(got, want) || trial.err != test.err {
			t.Errorf("%s: got=%q, %v, want=%q, %v", test.name, got, trial.err, want, test.err)
		}
	}
}

func TestAll(t *testing.T) {
	defer func(s, l, h int) { small, large, huge = s, l, h }(small, large, huge)
	small, large, huge = 20, 40, 60
	seen := map[string]bool{}
	trial := &trial{each: func(target Target) error {
		if seen[target.What] || math.IsNaN(target.Figure) || math.IsInf(target.Figure, 0) {
			t.Errorf("%s: got=%v, repeated: %v, want=a finite figure, once", target.What, target.Figure, seen[target.What])
		}
		seen[target.What] = true
		return nil
	}}
	trial.all()
	testkit.Must(t, trial.err)
	testkit.Equal(t, len(seen), 49, "number of targets")
}

func TestTargetsStopped(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if err := Targets(ctx, false, func(Target) error { t.Error("got=a target, want=none"); return nil }); err != why {
		t.Errorf("got=%v, want=%v", err, why)
	}
}

func TestTargetOK(t *testing.T) {
	for _, c := range []struct {
		target   Target
		ok, near bool // near: reached, or missed by at most a factor of 1.6
	}{
		{Target{Bound: 1.15, Figure: 1.15}, true, true},
		{Target{Bound: 1.15, Figure: 1.16}, false, true},
		{Target{Bound: 1.15, Figure: 2}, false, false},
		{Target{Kind: AtLeast, Bound: 1.8, Figure: 1.8}, true, true},
		{Target{Kind: AtLeast, Bound: 1.8, Figure: 1.2}, false, true},
		{Target{Kind: AtLeast, Bound: 1.8, Figure: 1}, false, false},
		{Target{Bound: 25, Floor: 10, Figure: 9}, false, true},
		{Target{Bound: 25, Floor: 10, Figure: 10}, true, true},
		{Target{Figure: 0}, true, true},
		{Target{Figure: 1}, false, false},
		{Target{Kind: Reported, Figure: 99}, true, true},
	} {
		if got := c.target.OK(); got != c.ok {
			t.Errorf("%+v: OK: got=%v, want=%v", c.target, got, c.ok)
		}
		if got := c.target.within(1.6); got != c.near {
			t.Errorf("%+v: within 1.6: got=%v, want=%v", c.target, got, c.near)
		}
	}
}

func TestWriteTargets(t *testing.T) {
	var out strings.Builder
	testkit.Must(t, WriteTargetsHead(&out, "A processor"))
	for _, target := range []Target{
		{What: "fast", Bound: 1.15, Unit: times, Low: 1, Figure: 1.125, High: 1.2},
		{What: "faster", Kind: AtLeast, Bound: 1.8, Beyond: 1.95, Unit: times, Figure: 1.96, Low: 1.96, High: 1.96},
		{What: "share", Floor: 10, Bound: 25, Unit: "%", Figure: 26, Low: 26, High: 26},
		{What: "cost", Kind: Reported, Beyond: 3.7, Unit: "ns/agent", Figure: 9, Low: 9, High: 9},
		{What: "allocations"},
	} {
		testkit.Must(t, target.WriteRow(&out))
	}
	want := `| what | must reach | beyond | figure | reached? |
|---|---|---|---|---|
| fast | ≤ 1.15 × | – | 1.12 × (1–1.20) | yes |
| faster | ≥ 1.80 × | 1.95 × | 1.96 × | beyond |
| share | 10 to 25 % | – | 26 % | **missed** |
| cost | – | 3.70 ns/agent | 9 ns/agent | – |
| allocations | 0 | – | 0 | yes |
`
	if got := out.String(); !strings.HasPrefix(got, "A processor, ") || !strings.HasSuffix(got, "\n\n"+want) {
		t.Errorf("got=\n%s\nwant at the end=\n%s", got, want)
	}
}
