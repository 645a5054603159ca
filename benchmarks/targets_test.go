package benchmarks

import (
	"context"
	"errors"
	"math"
	"slices"
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
