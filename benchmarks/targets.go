package benchmarks

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
)

// trial measures targets; rehearsed, it only finds out how long that takes.
type trial struct {
	quick       bool
	rounds      int
	least       time.Duration // of a turn
	follow      Follow
	rehearsed   bool
	done, takes time.Duration // of all, roughly
	targets     []Target
	stop        atomic.Bool // nobody waits any more
	cut         bool        // something was not measured for that
}

// Follow is told how far the measuring of targets is. What is nil is not called.
type Follow struct {
	// Turn is called before each part of the work, with what is measured, how
	// much of the work is done and how much there is, in the time that it takes on
	// the machine of docs/performance.md. At first nothing is done.
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
// for, which takes a quarter of an hour and 2 GB of memory; or, if it is quick, half a
// minute: then in fewer rounds of fewer steps, and without the speed of a
// million agents. When the context ends it returns those that were measured until
// then, with the cause.
//
// A ratio is taken between two that run the same steps by turns, round by round;
// its figure is the median of the rounds.
func Targets(ctx context.Context, quick bool, follow Follow) ([]Target, error) {
	t := &trial{quick: quick, rounds: 9, least: 100 * time.Millisecond, follow: follow}
	if quick {
		t.rounds, t.least = 5, 10*time.Millisecond
	}
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

// all measures all targets.
func (t *trial) all() {
	t.arrival()
	t.avoidance()
	t.flocks()
	t.reciprocal()
	t.density()
	t.few()
	t.archetypes()
	t.scene()
	t.allocations()
	t.memory()
}

// sizes are those at which speed is measured.
func (t *trial) sizes() []int {
	if t.quick {
		return []int{large}
	}
	return []int{large, huge}
}

const (
	w2 = "W2"
	w3 = "W3/obstacles=1024"
	w5 = "W5"

	w5People = "W5/people"
)

// hold holds a contest and calls read with it.
func (t *trial) hold(entries []entry, read func(c *contest)) {
	c := &contest{rounds: t.rounds, least: t.least, entries: entries, cycle: Cycle(0), begins: t.begins, stop: &t.stop}
	for _, e := range entries {
		c.cycle = min(c.cycle, Cycle(e.agents))
	}
	if t.quick {
		c.cycle = Cycle(huge)
	}
	switch {
	case t.rehearsed:
		t.takes += c.takes()
		return
	case t.stop.Load():
		t.cut = true
		return
	}
	defer c.close()
	switch err := c.hold(); {
	case err == errStopped:
		t.cut = true
	case err != nil:
		panic(fmt.Sprintf("crowd: %v", err)) // those who enter are known to do the workload
	default:
		read(c)
	}
}

// with starts an entry and calls measure with it, which does some steps.
func (t *trial) with(e entry, steps int, measure func(r Runner)) {
	takes := e.startTakes() + time.Duration(steps)*e.stepTakes()
	switch {
	case t.rehearsed:
		t.takes += takes
		return
	case t.stop.Load():
		t.cut = true
		return
	}
	t.begins(e, takes)
	r, err := e.start()
	if err != nil {
		panic(fmt.Sprintf("crowd: %v", err)) // it is known to do the workload
	}
	defer r.Close()
	measure(r)
}

// begins tells who follows what is measured next, and how long that likely takes.
func (t *trial) begins(e entry, takes time.Duration) {
	if t.follow.Turn != nil {
		t.follow.Turn(fmt.Sprintf("%s by %s, %s agents, %s", e.workload, e.by, amount(e.agents), plural(e.workers, "worker")), t.done, t.takes)
	}
	t.done += takes
}

func (t *trial) add(target Target, rounds []float64) {
	target = target.reach(rounds)
	t.targets = append(t.targets, target)
	if t.follow.Target != nil {
		t.follow.Target(target)
	}
}

// arrival measures W2.
func (t *trial) arrival() {
	for _, agents := range t.sizes() {
		one, two := entry{w2, "crowd", agents, 1}, entry{w2, "crowd", agents, 2}
		plain, query, few := entry{w2, "plain", agents, 1}, entry{w2, "query", agents, 1}, entry{w2, "crowd", small, 1}
		blocks := entry{w2, "blocks", agents, 1}
		t.hold([]entry{few, one, plain, blocks, query, two}, func(c *contest) {
			name := fmt.Sprintf("W2/agents=%d", agents)
			t.add(Target{Name: name + "/blocks", What: fmt.Sprintf("W2, %s agents, as a multiple of three loops over blocks of plain slices", amount(agents)),
				Kind: Reported, Unit: times}, c.ratios(one, blocks))
			t.add(Target{Name: name + "/plain", What: fmt.Sprintf("W2, %s agents, as a multiple of one loop over plain slices", amount(agents)),
				Bound: 1.15, Unit: times}, c.ratios(one, plain))
			t.add(Target{Name: name + "/query", What: fmt.Sprintf("W2, %s agents, times faster than arche's query entity by entity", amount(agents)),
				Kind: AtLeast, Bound: 1.3, Unit: times}, c.ratios(query, one))
			t.add(Target{Name: name + "/cost", What: fmt.Sprintf("W2, %s agents, cost", amount(agents)),
				Kind: Reported, Beyond: 3.7, Unit: "ns/agent"}, c.costs(one))
			t.common(c, name, w2, agents, one, two, few)
		})
	}
}

// common measures what W2 and W3 have in common: the cost of more workers and of
// more agents.
func (t *trial) common(c *contest, name, workload string, agents int, one, two, few entry) {
	t.add(Target{Name: name + "/workers=2", What: fmt.Sprintf("%s, %s agents, times faster with two workers", workload[:2], amount(agents)),
		Kind: AtLeast, Bound: 1.8, Beyond: 1.95, Unit: times}, c.ratios(one, two))
	if agents == huge {
		t.add(Target{Name: name + "/scale", What: fmt.Sprintf("%s, cost an agent among %s as a multiple of that among %s", workload[:2], amount(agents), amount(small)),
			Bound: 1.25, Beyond: 1.1, Unit: times}, c.ratios(one, few))
	}
}

// avoidance measures W3.
func (t *trial) avoidance() {
	for _, agents := range t.sizes() {
		one, two, few := entry{w3, "crowd", agents, 1}, entry{w3, "crowd", agents, 2}, entry{w3, "crowd", small, 1}
		plain := entry{w3, "plain", agents, 1}
		t.hold([]entry{few, one, plain, two}, func(c *contest) {
			name := fmt.Sprintf("W3/agents=%d", agents)
			t.add(Target{Name: name + "/plain", What: fmt.Sprintf("W3, 1,024 obstacles, %s agents, as a multiple of one loop over plain slices", amount(agents)),
				Kind: Reported, Unit: times}, c.ratios(one, plain))
			t.add(Target{Name: name + "/cost", What: fmt.Sprintf("W3, 1,024 obstacles, %s agents, cost", amount(agents)),
				Bound: 30, Beyond: 15, Unit: "ns/agent"}, c.costs(one))
			t.add(Target{Name: name + "/threatened", What: fmt.Sprintf("W3, 1,024 obstacles, %s agents, share under threat", amount(agents)),
				Bound: 25, Floor: 10, Unit: "%"}, []float64{100 * c.runners[1].(*crowd).threatened()})
			t.common(c, name, w3, agents, one, two, few)
			if agents == huge {
				t.add(Target{Name: "headline", What: fmt.Sprintf("W3, 1,024 obstacles, %s agents, two workers", amount(agents)),
					Kind: AtLeast, Bound: 60, Unit: "steps/s"}, c.rates(two))
			}
		})
	}
}

// density measures W3 with more and more obstacles in a square that grows.
func (t *trial) density() {
	few, many := entry{"W3/obstacles=64/side=250", "crowd", large, 1}, entry{"W3/obstacles=65536", "crowd", large, 1}
	t.hold([]entry{few, many}, func(c *contest) {
		t.add(Target{Name: "density", What: fmt.Sprintf("W3, %s agents, 65,536 obstacles as a multiple of 64 at equal density", amount(large)),
			Bound: 1.5, Unit: times}, c.ratios(many, few))
		for i, what := range []string{"64", "65,536"} {
			t.add(Target{Name: c.entries[i].workload + "/threatened", What: "the same, share under threat among " + what + " obstacles",
				Bound: 25, Floor: 10, Unit: "%"}, []float64{100 * c.runners[i].(*crowd).threatened()})
		}
	})
}

// few measures a small crowd.
func (t *trial) few() {
	e := entry{"W3/obstacles=64", "crowd", 100, 1}
	t.hold([]entry{e}, func(c *contest) {
		t.add(Target{Name: "small", What: "a step of 100 agents, W3, 64 obstacles, one worker", Bound: 5, Beyond: 2, Unit: "µs"}, scaled(c.times[0], 1e-3))
	})
}

// archetypes measures W2 over many archetypes.
func (t *trial) archetypes() {
	limits := []struct {
		archetypes    int
		bound, beyond float64
	}{{100, 1.05, 1.02}, {1000, 1.3, 1.15}, {10_000, 4, 2.5}}
	one := entry{w2, "crowd", large, 1}
	entries := []entry{one}
	for _, l := range limits {
		entries = append(entries, entry{fmt.Sprintf("W2/archetypes=%d", l.archetypes), "crowd", large, 1})
	}
	t.hold(entries, func(c *contest) {
		for i, l := range limits {
			t.add(Target{Name: entries[i+1].workload, What: fmt.Sprintf("W2, %s agents in %s archetypes, as a multiple of one", amount(large), amount(l.archetypes)),
				Bound: l.bound, Beyond: l.beyond, Unit: times}, c.ratios(entries[i+1], one))
		}
	})
}

// scene measures the whole step of the built-in scene.
func (t *trial) scene() {
	if t.quick {
		return
	}
	e := entry{"plaza", "crowd", huge, 2}
	t.hold([]entry{e}, func(c *contest) {
		t.add(Target{Name: "plaza", What: fmt.Sprintf("plaza, %s agents, two workers", amount(huge)),
			Kind: AtLeast, Bound: 60, Unit: "steps/s"}, c.rates(e))
	})
}

// allocations counts those of 200 steps.
func (t *trial) allocations() {
	const steps = 200
	for _, workers := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
		t.with(entry{w3, "crowd", small, workers}, 3*steps, func(r Runner) {
			run := func() {
				for range steps {
					r.Step()
				}
			}
			run()
			// What the runtime allocates on its own meanwhile is not there each time.
			n := mallocs(run)
			for try := 0; n > 0 && try < 10; try++ {
				n = min(n, mallocs(run))
			}
			t.add(Target{Name: fmt.Sprintf("allocations/workers=%d", workers),
				What: fmt.Sprintf("allocations in %d steps of W3, %s", steps, plural(workers, "worker"))}, []float64{n})
		})
	}
}

// memory measures how much a crowd takes in all.
func (t *trial) memory() {
	for _, m := range []struct {
		workload, name, what string
		bound, beyond        float64
	}{{w3, "memory", "W3", 280, 200}, {w4, "memory/W4", "W4", 380, 280}} {
		before := heap()
		t.with(entry{m.workload, "crowd", huge, 1}, 1, func(r Runner) {
			r.Step()
			t.add(Target{Name: m.name, What: fmt.Sprintf("memory for %s, %s agents, all included", m.what, amount(huge)),
				Bound: m.bound, Beyond: m.beyond, Unit: "B/agent"}, []float64{(heap() - before) / huge})
		})
	}
}

const w4 = "W4"

// flocks measures W4.
func (t *trial) flocks() {
	bounds := map[int][2]float64{large: {150, 90}, huge: {220, 130}}
	for _, agents := range t.sizes() {
		one, two, by := entry{w4, "crowd", agents, 1}, entry{w4, "crowd", agents, 2}, entry{w4, "plain", agents, 1}
		t.hold([]entry{one, by, two}, func(c *contest) {
			name := fmt.Sprintf("W4/agents=%d", agents)
			t.add(Target{Name: name + "/plain", What: fmt.Sprintf("W4, %s agents, as a multiple of a grid over plain slices", amount(agents)),
				Kind: Reported, Unit: times}, c.ratios(one, by))
			t.add(Target{Name: name + "/cost", What: fmt.Sprintf("W4, %s agents, cost", amount(agents)),
				Bound: bounds[agents][0], Beyond: bounds[agents][1], Unit: "ns/agent"}, c.costs(one))
			t.add(Target{Name: name + "/workers=2", What: fmt.Sprintf("W4, %s agents, times faster with two workers", amount(agents)),
				Kind: AtLeast, Bound: 1.8, Beyond: 1.95, Unit: times}, c.ratios(one, two))
			t.add(Target{Name: name + "/neighbors", What: fmt.Sprintf("W4, %s agents, neighbors on average at the end of a run", amount(agents)),
				Kind: Reported, Unit: "neighbors"}, []float64{c.runners[1].(*plain).neighbors()})
		})
	}
}
