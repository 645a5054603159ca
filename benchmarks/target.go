package benchmarks

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Target is a figure that must be reached.
type Target struct {
	Name string // the same in every run, such as "W2/agents=100000/plain"
	What string // in words

	Kind   Kind
	Bound  float64 // what must be reached
	Beyond float64 // what would be better still; 0: nothing is named
	Floor  float64 // of a share that must not be below it, either
	Unit   string

	Figure    float64 // the median of the rounds
	Low, High float64 // its quartiles
}

// Kind says what a target's Bound is.
type Kind int

const (
	AtMost   Kind = iota
	AtLeast       // the figure must be Bound or more
	Reported      // there is no bound
)

// OK reports whether the target is reached.
func (t *Target) OK() bool { return t.within(1) }

// within reports whether the target is reached, or missed by no more than a factor.
func (t *Target) within(factor float64) bool {
	switch t.Kind {
	case AtMost:
		return t.Figure <= t.Bound*factor && t.Figure >= t.Floor/factor
	case AtLeast:
		return t.Figure >= t.Bound/factor
	}
	return true
}

// Ratio reports whether the figure compares two costs of the same run.
func (t *Target) Ratio() bool { return t.Unit == times }

const times = "×"

// reach returns a target with its figure: the median of the rounds.
func (t Target) reach(rounds []float64) Target {
	t.Low, t.Figure, t.High = quartiles(rounds)
	return t
}

// bound returns the bound in words.
func (t *Target) bound() string {
	switch {
	case t.Kind == Reported:
		return "–"
	case t.Kind == AtLeast:
		return "≥ " + t.number(t.Bound)
	case t.Bound == 0:
		return "0"
	case t.Floor > 0:
		return digits(t.Floor) + " to " + t.number(t.Bound)
	}
	return "≤ " + t.number(t.Bound)
}

// number writes a figure with its unit.
func (t *Target) number(x float64) string {
	if t.Unit == "" {
		return digits(x)
	}
	return digits(x) + " " + t.Unit
}

// digits writes a number with three digits or more.
func digits(x float64) string {
	switch {
	case x == float64(int(x)) || x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// trial measures targets; rehearsed, it only finds out how long that takes.
type trial struct {
	quick     bool
	follow    Follow
	rehearsed bool
	takes     time.Duration // all of it, roughly
	done      time.Duration // what is over of that, before the part that is at work
	part      time.Duration // what that part takes
	since     time.Time     // when it began
	targets   []Target
	stop      atomic.Bool // the results are no longer waited for
	cut       bool        // something was not measured for that
	told      bool        // the first turn was announced
}

// Follow is told how far the measuring of targets is. What is nil is not called.
type Follow struct {
	// Turn is called before each part of the work, with what is measured, how
	// much of the work is done and how much there is, in the time that it roughly
	// takes. At first nothing is done.
	Turn func(what string, done, takes time.Duration)
	// Target is called with each target when it is measured.
	Target func(Target)
}

// The sizes of crowds.
const (
	small = 10_000
	large = 100_000
	huge  = 1_000_000
)

// Targets measures every target of the project that this package has a workload
// for, which takes less than five minutes and 2 GB of memory; or, if it is quick, half a
// minute: then in fewer rounds, and without the speed of a million agents. When the
// context ends it returns those that were measured until then, with the cause.
//
// A ratio is taken between two that run the same steps by turns, round by round;
// its figure is the median of the rounds. Each contest has its time, and as many
// rounds as go into that: so a slow machine has fewer of them, three at least.
func Targets(ctx context.Context, quick bool, follow Follow) ([]Target, error) {
	t := &trial{quick: quick, follow: follow}
	defer context.AfterFunc(ctx, func() { t.stop.Store(true) })()
	t.rehearsed = true
	t.all()
	t.rehearsed = false
	t.all()
	if t.cut {
		return t.targets, context.Cause(ctx)
	}
	return t.targets, nil
}

// hold holds a contest with so many steps a turn, for some seconds, and calls read with it.
func (t *trial) hold(seconds float64, steps int, entries []entry, read func(c *contest)) {
	c := &contest{
		entries: entries, steps: steps, least: 20 * time.Millisecond, lasts: time.Duration(seconds * float64(time.Second)), fewest: 3,
		begins: t.begins, stop: &t.stop,
	}
	if t.quick {
		c.lasts /= 5
		c.least /= 2
	}
	if !t.starts(c.takes()) {
		return
	}
	defer t.ends()
	defer c.close()
	switch err := c.hold(); {
	case err == errStopped:
		t.cut = true
	case err != nil:
		panic(fmt.Sprintf("crowd: %v", err)) // contestants are known to do the workload
	default:
		read(c)
	}
}

// with starts an entry and calls measure with it, which takes some seconds.
func (t *trial) with(seconds float64, e entry, measure func(r Runner)) {
	if !t.starts(e.startTakes() + time.Duration(seconds*float64(time.Second))) {
		return
	}
	defer t.ends()
	t.begins(e)
	r, err := e.start()
	if err != nil {
		panic(fmt.Sprintf("crowd: %v", err)) // it is known to do the workload
	}
	defer r.Close()
	measure(r)
}

// starts reports whether a part of the work has to be done now.
func (t *trial) starts(takes time.Duration) bool {
	switch {
	case t.rehearsed:
		t.takes += takes
		return false
	case t.stop.Load():
		t.cut = true
		return false
	}
	t.part, t.since = takes, time.Now()
	return true
}

// ends takes note that a part of the work is done.
func (t *trial) ends() {
	t.done += t.part
	t.part = 0
}

// begins announces what is measured next, and how far that is.
func (t *trial) begins(e entry) {
	if t.follow.Turn == nil {
		return
	}
	done := t.done
	if t.told {
		done += min(time.Since(t.since), t.part)
	}
	t.told = true
	t.follow.Turn(fmt.Sprintf("%s by %s, %s agents, %s", e.workload, e.by, amount(e.agents), plural(e.workers, "worker")), done, t.takes)
}

func (t *trial) add(target Target, rounds []float64) {
	target = target.reach(rounds)
	t.targets = append(t.targets, target)
	if t.follow.Target != nil {
		t.follow.Target(target)
	}
}

// startTakes returns how long it roughly takes to make the crowd of an entry, and its
// first step.
func (e *entry) startTakes() time.Duration {
	const agent, archetype = 1200 * time.Nanosecond, 400 * time.Microsecond
	takes := time.Duration(e.agents) * agent
	if w, err := ByName(e.workload); err == nil && w.Archetypes > 1 {
		takes += time.Duration(w.Archetypes) * archetype
	}
	return takes
}

// takes returns how long the contest roughly takes.
func (c *contest) takes() time.Duration {
	all := c.lasts
	for _, e := range c.entries {
		all += e.startTakes()
	}
	return all
}
