package benchmarks

import (
	"fmt"
	"runtime"
	"slices"
	"time"
)

const (
	w2 = "W2"
	w3 = "W3/obstacles=1024"
	w4 = "W4"
	w5 = "W5"

	w3Few = "W3/obstacles=64"

	w5People    = "W5/people"
	w5Published = "W5/published"

	plaza    = "plaza"
	measured = "plaza/measured"
)

func (t *trial) all() {
	sizes := []int{large, huge}
	if t.quick {
		sizes = sizes[:1]
	}
	for _, agents := range sizes {
		t.arrival(agents)
		t.avoidance(agents)
		t.flocks(agents)
		t.reciprocal(agents)
	}
	t.multiples()
	t.density()
	t.few()
	t.archetypes()
	t.point()
	t.speeds()
	t.allocations()
	t.memory()
}

// beside adds a target for the ratio of the costs per agent of a and b.
func (t *trial) beside(c *contest, what string, bound, beyond float64, a, b entry) {
	t.add(Target{What: what, Bound: bound, Beyond: beyond, Unit: times}, c.ratios(a, b))
}

func (t *trial) workers(c *contest, one, two entry) {
	t.add(Target{
		What: fmt.Sprintf("%s, %s agents, speed-up with two workers", one.workload[:2], amount(one.agents)),
		Kind: AtLeast, Bound: 1.8, Beyond: 1.95, Unit: times,
	}, c.ratios(one, two))
}

func (t *trial) cost(c *contest, e entry) {
	what := fmt.Sprintf("%s, %s agents, cost", e.workload[:2], amount(e.agents))
	t.add(Target{What: what, Kind: Reported, Unit: "ns/agent"}, c.costs(e))
}

func (t *trial) rate(c *contest, what string, bound, beyond float64, e entry) {
	t.add(Target{
		What: fmt.Sprintf("%s, %s agents, %s", what, amount(e.agents), plural(e.workers, "worker")),
		Kind: AtLeast, Bound: bound, Beyond: beyond, Unit: "steps/s",
	}, c.rates(e))
}

// share adds a target whose bounds reveal a workload that is too easy or too hard.
func (t *trial) share(c *contest, what string, e entry) {
	t.add(Target{What: what + ", share under threat", Bound: 25, Floor: 10, Unit: "%"}, c.threatened(e))
}

// mostBytes bounds the memory of a million agents, in bytes per agent.
var mostBytes = map[string]struct {
	what          string
	bound, beyond float64
}{w3: {"W3", 220, 200}, w4: {"W4", 320, 280}, w5: {"W5", 330, 280}, measured: {"plaza as crowd run measures it", 350, 300}}

func (t *trial) bytes(c *contest, e entry) {
	most := mostBytes[e.workload]
	t.add(Target{
		What:  fmt.Sprintf("memory for %s, %s agents, all included", most.what, amount(e.agents)),
		Bound: most.bound, Beyond: most.beyond, Unit: "B/agent",
	}, c.memory(e))
}

func (t *trial) arrival(agents int) {
	one, two, plain := entry{w2, "crowd", agents, 1}, entry{w2, "crowd", agents, 2}, entry{w2, "plain", agents, 1}
	seconds, steps, bound, beyond := 8., 50, 0.5, 0.35
	if agents == huge {
		seconds, steps, bound, beyond = 12, 10, 0.7, 0.5
	}
	t.hold(seconds, steps, []entry{one, plain, two}, func(c *contest) {
		t.beside(c, fmt.Sprintf("W2, %s agents, as a multiple of one loop over plain slices", amount(agents)), bound, beyond, one, plain)
		t.cost(c, one)
		t.workers(c, one, two)
	})
}

func (t *trial) avoidance(agents int) {
	one, two, plain := entry{w3, "crowd", agents, 1}, entry{w3, "crowd", agents, 2}, entry{w3, "plain", agents, 1}
	seconds, steps := 12., 20
	if agents == huge {
		seconds, steps = 20, 5
	}
	t.hold(seconds, steps, []entry{one, plain, two}, func(c *contest) {
		what := fmt.Sprintf("W3, 1,024 obstacles, %s agents", amount(agents))
		t.beside(c, what+", as a multiple of one loop over plain slices", 0.45, 0.3, one, plain)
		t.cost(c, one)
		t.share(c, what, one)
		t.workers(c, one, two)
		if agents == huge {
			t.rate(c, "W3, 1,024 obstacles", 60, 100, two)
			t.bytes(c, one)
		}
	})
}

func (t *trial) flocks(agents int) {
	one, two, by := entry{w4, "crowd", agents, 1}, entry{w4, "crowd", agents, 2}, entry{w4, "plain", agents, 1}
	seconds, steps, bound, beyond := 12., 10, 0.4, 0.25
	if agents == huge {
		seconds, steps, bound, beyond = 18, 3, 0.45, 0.3
	}
	t.hold(seconds, steps, []entry{one, by, two}, func(c *contest) {
		what := fmt.Sprintf("W4, %s agents, ", amount(agents))
		t.beside(c, what+"as a multiple of a grid over plain slices", bound, beyond, one, by)
		t.cost(c, one)
		t.workers(c, one, two)
		neighbors := []float64{c.runners[1].(*plain).neighbors()}
		t.add(Target{What: what + "neighbors on average", Kind: Reported, Unit: "neighbors"}, neighbors)
		if agents == huge {
			t.bytes(c, one)
		}
	})
}

func (t *trial) reciprocal(agents int) {
	one, two, published := entry{w5, "crowd", agents, 1}, entry{w5, "crowd", agents, 2}, entry{w5Published, "crowd", agents, 1}
	seconds, steps, entries := 15., 5, []entry{one, published, two}
	if agents == huge {
		seconds, steps, entries = 18, 2, []entry{one, two}
	}
	t.hold(seconds, steps, entries, func(c *contest) {
		t.cost(c, one)
		t.workers(c, one, two)
		if agents == huge {
			t.rate(c, "W5", 15, 25, two)
			t.bytes(c, one)
			return
		}
		t.beside(c, fmt.Sprintf("W5, %s agents, as a multiple of the published rule", amount(agents)), 1.5, 1.2, one, published)
	})
}

func (t *trial) multiples() {
	const loop = ", as a multiple of one loop over plain slices"
	for _, m := range []struct {
		what          string
		a, b          entry
		seconds       float64
		steps         int
		bound, beyond float64
	}{
		{"W3, 64 obstacles, 100,000 agents" + loop, entry{w3Few, "crowd", large, 1}, entry{w3Few, "plain", large, 1}, 8, 20, 0.8, 0.5},
		{"W3, 1,024 obstacles, 1,000 agents" + loop, entry{w3, "crowd", 1000, 1}, entry{w3, "plain", 1000, 1}, 4, 200, 1, 0},
		{"W5, 5,000 agents among 5,000 overlapping obstacles, as a multiple of the cost among 5",
			entry{"W5/obstacles=5000/side=40", "crowd", large / 20, 1}, entry{"W5/obstacles=5/side=40", "crowd", large / 20, 1}, 6, 1, 20, 0},
	} {
		t.hold(m.seconds, m.steps, []entry{m.a, m.b}, func(c *contest) { t.beside(c, m.what, m.bound, m.beyond, m.a, m.b) })
	}
}

func (t *trial) density() {
	few, many := entry{"W3/obstacles=64/side=250", "crowd", large, 1}, entry{"W3/obstacles=65536", "crowd", large, 1}
	t.hold(8, 20, []entry{few, many}, func(c *contest) {
		t.beside(c, fmt.Sprintf("W3, %s agents among 65,536 obstacles, as a multiple of the cost among 64 at equal density", amount(large)), 1.4, 1.2, many, few)
		t.share(c, "the same among 64 obstacles", few)
		t.share(c, "the same among 65,536 obstacles", many)
	})
}

func (t *trial) few() {
	t.hold(2, 200, []entry{{w3Few, "crowd", 100, 1}}, func(c *contest) {
		t.add(Target{What: "a step of 100 agents, W3, 64 obstacles, one worker", Bound: 3, Beyond: 2, Unit: "µs"}, scaled(c.times[0], 1e-3))
	})
}

func (t *trial) archetypes() {
	limits := []struct {
		archetypes    int
		bound, beyond float64
	}{{100, 1.05, 1.02}, {1000, 1.3, 1.15}, {10_000, 4, 2.5}}
	entries := []entry{{w2, "crowd", large, 1}}
	for _, l := range limits {
		entries = append(entries, entry{fmt.Sprintf("W2/archetypes=%d", l.archetypes), "crowd", large, 1})
	}
	t.hold(8, 20, entries, func(c *contest) {
		for i, l := range limits {
			what := fmt.Sprintf("W2, %s agents in %s archetypes, as a multiple of the cost in one", amount(large), amount(l.archetypes))
			t.beside(c, what, l.bound, l.beyond, entries[i+1], entries[0])
		}
	})
}

func (t *trial) point() {
	for _, workload := range []string{"W5/point", "W4/point"} {
		t.with(entry{workload, "crowd", small, 2}, func(r Runner) {
			var rounds []float64
			for start := time.Now(); len(rounds) == 0 || time.Since(start).Seconds() < 3*t.lasts; {
				r.Reset()
				begin := time.Now()
				r.Step()
				rounds = append(rounds, time.Since(begin).Seconds())
			}
			what := fmt.Sprintf("%s, %s agents at one point, two workers, a step", workload[:2], amount(small))
			t.add(Target{What: what, Bound: 0.2, Unit: "s"}, rounds)
		})
	}
}

func (t *trial) speeds() {
	if t.quick {
		return
	}
	people, whole := entry{w5People, "crowd", huge, 2}, entry{plaza, "crowd", huge, 2}
	t.hold(10, 2, []entry{people}, func(c *contest) { t.rate(c, "W5, walking as people do", 8, 15, people) })
	t.hold(10, 10, []entry{whole}, func(c *contest) { t.rate(c, plaza, 60, 100, whole) })
}

func (t *trial) allocations() {
	const steps = 200
	for _, workers := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
		t.with(entry{w3, "crowd", small, workers}, func(r Runner) {
			run := func() {
				for range steps {
					r.Step()
				}
			}
			run()
			// The runtime itself allocates occasionally, so take the minimum.
			n := mallocs(run)
			for try := 0; n > 0 && try < 10; try++ {
				n = min(n, mallocs(run))
			}
			t.add(Target{What: fmt.Sprintf("allocations in %d steps of W3, %s", steps, plural(workers, "worker"))}, []float64{n})
		})
	}
}

// memory measures the memory of large crowds whose speed is not measured.
func (t *trial) memory() {
	crowds := []string{measured}
	if t.quick {
		crowds = append(crowds, w3, w4, w5)
	}
	for _, workload := range crowds {
		if t.err == nil && t.stop.Load() {
			t.err = errStopped
		}
		if t.err != nil {
			return
		}
		c := &contest{entries: []entry{{workload, "crowd", huge, 1}}, bytes: make([]float64, 1)}
		if t.err = c.enter(0); t.err == nil {
			t.bytes(c, c.entries[0])
		}
		c.close()
	}
}
