package benchmarks

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// TestTrialTells verifies that a trial tells how far it is before each turn, and each
// target when it is measured; and that a rehearsal measures nothing.
func TestTrialTells(t *testing.T) {
	var told []string
	var last time.Duration
	trial := &trial{}
	trial.follow = Follow{
		Turn: func(what string, done, takes time.Duration) {
			if done < last || done > takes || (done == 0) != (len(told) == 0) {
				t.Errorf("%s: got=%v after %v, of %v", what, done, last, takes)
			}
			told, last = append(told, what), done
		},
		Target: func(target Target) { told = append(told, target.Name) },
	}
	measure := func() {
		trial.hold(0, 3, []entry{{w2, "crowd", 10, 1}, {w2, "plain", 10, 1}}, func(c *contest) {
			trial.add(Target{Name: "first"}, c.costs(c.entries[0]))
		})
		trial.with(1, entry{w3, "crowd", 10, 1}, func(r Runner) {
			r.Step()
			trial.add(Target{Name: "second"}, []float64{1})
		})
	}
	trial.rehearsed = true
	if measure(); len(told) > 0 || trial.takes <= 0 {
		t.Fatalf("rehearsed: got=%q, %v", told, trial.takes)
	}
	trial.rehearsed = false
	measure()
	one, two := "W2 by crowd, 10 agents, one worker", "W2 by plain, 10 agents, one worker"
	want := []string{one, two, one, two, one, two, one, two, "first", w3 + " by crowd, 10 agents, one worker", "second"}
	if !slices.Equal(told, want) {
		t.Fatalf("got=%q, want=%q", told, want)
	}
	if trial.done != trial.takes || trial.cut {
		t.Errorf("at the end: got=%v of %v, cut %v", trial.done, trial.takes, trial.cut)
	}
}

// TestTrialStops verifies that a trial that is stopped keeps what it has, and begins
// nothing more.
func TestTrialStops(t *testing.T) {
	trial := &trial{}
	turns := 0
	trial.follow.Turn = func(string, time.Duration, time.Duration) {
		if turns++; turns == 3 {
			trial.stop.Store(true)
		}
	}
	for range 3 {
		trial.hold(0, 3, []entry{{w2, "crowd", 10, 1}}, func(c *contest) { trial.add(Target{Name: "contest"}, c.costs(c.entries[0])) })
	}
	trial.with(1, entry{w2, "crowd", 10, 1}, func(Runner) { trial.add(Target{Name: "alone"}, []float64{1}) })
	if turns != 3 || len(trial.targets) != 0 || !trial.cut {
		t.Errorf("got=%d turns, %d targets, cut %v, want=3, 0, true", turns, len(trial.targets), trial.cut)
	}
}

func TestTargetsStopped(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	var takes time.Duration
	targets, err := Targets(ctx, false, Follow{Turn: func(_ string, _, all time.Duration) { takes = all; cancel(why) }})
	if err != why || len(targets) != 0 {
		t.Errorf("got=%v, %v, want=%v", targets, err, why)
	}
	// docs/performance.md says less than five minutes, and half a minute if it is quick.
	if takes < 3*time.Minute || takes > 5*time.Minute {
		t.Errorf("got=%v", takes)
	}
	quick := &trial{quick: true, rehearsed: true}
	if quick.all(); quick.takes < 20*time.Second || quick.takes > 40*time.Second {
		t.Errorf("quick: got=%v", quick.takes)
	}
}
