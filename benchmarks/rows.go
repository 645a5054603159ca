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

// all measures all targets.
func (t *trial) all() {
	for _, agents := range []int{large, huge} {
		if agents == huge && t.quick {
			break
		}
		t.arrival(agents)
		t.avoidance(agents)
		t.flocks(agents)
		t.reciprocal(agents)
	}
	t.fewObstacles()
	t.density()
	t.few()
	t.archetypes()
	t.overlapping()
	t.point()
	t.people()
	t.scene()
	t.allocations()
	t.memory()
}

// beside adds what an entry costs as a multiple of another one, at most so much.
func (t *trial) beside(c *contest, name, what string, bound, beyond float64, a, b entry) {
	t.add(Target{Name: name, What: what, Bound: bound, Beyond: beyond, Unit: times}, c.ratios(a, b))
}

// workers adds how much faster two workers are than one.
func (t *trial) workers(c *contest, one, two entry) {
	t.add(Target{
		Name: fmt.Sprintf("%s/agents=%d/workers=2", one.workload[:2], one.agents),
		What: fmt.Sprintf("%s, %s agents, times faster with two workers", one.workload[:2], amount(one.agents)),
		Kind: AtLeast, Bound: 1.8, Beyond: 1.95, Unit: times,
	}, c.ratios(one, two))
}

// cost adds what an agent of an entry costs.
func (t *trial) cost(c *contest, e entry) {
	t.add(Target{
		Name: fmt.Sprintf("%s/agents=%d/cost", e.workload[:2], e.agents), What: fmt.Sprintf("%s, %s agents, cost", e.workload[:2], amount(e.agents)),
		Kind: Reported, Unit: "ns/agent",
	}, c.costs(e))
}

// rate adds how many steps a second an entry does.
func (t *trial) rate(c *contest, name, what string, bound, beyond float64, e entry) {
	t.add(Target{
		Name: name, What: fmt.Sprintf("%s, %s agents, %s", what, amount(e.agents), plural(e.workers, "worker")),
		Kind: AtLeast, Bound: bound, Beyond: beyond, Unit: "steps/s",
	}, c.rates(e))
}

// mostBytes are what an agent among a million may take.
var mostBytes = map[string]struct {
	what          string
	bound, beyond float64
}{w3: {"W3", 220, 200}, w4: {"W4", 320, 280}, w5: {"W5", 330, 280}, measured: {"plaza as crowd run measures it", 350, 300}}

// bytes adds how much memory an agent of an entry takes.
func (t *trial) bytes(c *contest, e entry) {
	most := mostBytes[e.workload]
	t.add(Target{
		Name: "memory/" + e.workload, What: fmt.Sprintf("memory for %s, %s agents, all included", most.what, amount(e.agents)),
		Bound: most.bound, Beyond: most.beyond, Unit: "B/agent",
	}, c.memory(e))
}

// arrival measures W2.
func (t *trial) arrival(agents int) {
	one, two, plain := entry{w2, "crowd", agents, 1}, entry{w2, "crowd", agents, 2}, entry{w2, "plain", agents, 1}
	seconds, steps, bound, beyond := 8., 50, 0.5, 0.35
	if agents == huge {
		seconds, steps, bound, beyond = 12, 10, 0.7, 0.5
	}
	t.hold(seconds, steps, []entry{one, plain, two}, func(c *contest) {
		t.beside(c, fmt.Sprintf("W2/agents=%d/plain", agents), fmt.Sprintf("W2, %s agents, as a multiple of one loop over plain slices", amount(agents)), bound, beyond, one, plain)
		t.cost(c, one)
		t.workers(c, one, two)
	})
}

// avoidance measures W3.
func (t *trial) avoidance(agents int) {
	one, two, plain := entry{w3, "crowd", agents, 1}, entry{w3, "crowd", agents, 2}, entry{w3, "plain", agents, 1}
	seconds, steps := 12., 20
	if agents == huge {
		seconds, steps = 20, 5
	}
	t.hold(seconds, steps, []entry{one, plain, two}, func(c *contest) {
		name := fmt.Sprintf("W3/agents=%d", agents)
		t.beside(c, name+"/plain", fmt.Sprintf("W3, 1,024 obstacles, %s agents, as a multiple of one loop over plain slices", amount(agents)), 0.45, 0.3, one, plain)
		t.cost(c, one)
		t.add(Target{Name: name + "/threatened", What: fmt.Sprintf("W3, 1,024 obstacles, %s agents, share under threat", amount(agents)),
			Bound: 25, Floor: 10, Unit: "%"}, c.threatened(one))
		t.workers(c, one, two)
		if agents == huge {
			t.rate(c, "headline", "W3, 1,024 obstacles", 60, 100, two)
			t.bytes(c, one)
		}
	})
}

// flocks measures W4.
func (t *trial) flocks(agents int) {
	one, two, by := entry{w4, "crowd", agents, 1}, entry{w4, "crowd", agents, 2}, entry{w4, "plain", agents, 1}
	seconds, steps, bound, beyond := 12., 10, 0.4, 0.25
	if agents == huge {
		seconds, steps, bound, beyond = 18, 3, 0.45, 0.3
	}
	t.hold(seconds, steps, []entry{one, by, two}, func(c *contest) {
		name := fmt.Sprintf("W4/agents=%d", agents)
		t.beside(c, name+"/plain", fmt.Sprintf("W4, %s agents, as a multiple of a grid over plain slices", amount(agents)), bound, beyond, one, by)
		t.cost(c, one)
		t.workers(c, one, two)
		t.add(Target{Name: name + "/neighbors", What: fmt.Sprintf("W4, %s agents, neighbors on average", amount(agents)),
			Kind: Reported, Unit: "neighbors"}, []float64{c.runners[1].(*plain).neighbors()})
		if agents == huge {
			t.bytes(c, one)
		}
	})
}

// reciprocal measures W5.
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
			t.rate(c, "W5/rate", "W5", 10, 25, two)
			t.bytes(c, one)
			return
		}
		t.beside(c, "W5/published", fmt.Sprintf("W5, %s agents, as a multiple of the published rule", amount(agents)), 1.5, 1.2, one, published)
	})
}

// people measures a million agents that walk as people do.
func (t *trial) people() {
	if t.quick {
		return
	}
	e := entry{w5People, "crowd", huge, 2}
	t.hold(10, 2, []entry{e}, func(c *contest) { t.rate(c, "W5/people", "W5, walking as people do", 10, 0, e) })
}

// fewObstacles measures W3 with few obstacles, and with few agents.
func (t *trial) fewObstacles() {
	for _, f := range []struct {
		workload, name, what string
		agents, steps        int
		bound, beyond        float64
	}{
		{w3Few, "W3/few-obstacles", "W3, 64 obstacles, 100,000 agents", large, 20, 0.8, 0.5},
		{w3, "W3/few-agents", "W3, 1,024 obstacles, 1,000 agents", 1000, 200, 1, 0},
	} {
		one, plain := entry{f.workload, "crowd", f.agents, 1}, entry{f.workload, "plain", f.agents, 1}
		t.hold(min(8, 4+float64(f.agents)/large*4), f.steps, []entry{one, plain}, func(c *contest) {
			t.beside(c, f.name, f.what+", as a multiple of one loop over plain slices", f.bound, f.beyond, one, plain)
		})
	}
}

// density measures W3 with more and more obstacles in a square that grows.
func (t *trial) density() {
	few, many := entry{"W3/obstacles=64/side=250", "crowd", large, 1}, entry{"W3/obstacles=65536", "crowd", large, 1}
	t.hold(8, 20, []entry{few, many}, func(c *contest) {
		t.beside(c, "density", fmt.Sprintf("W3, %s agents, 65,536 obstacles as a multiple of 64 at equal density", amount(large)), 1.4, 1.2, many, few)
		for i, what := range []string{"64", "65,536"} {
			t.add(Target{Name: c.entries[i].workload + "/threatened", What: "the same, share under threat among " + what + " obstacles",
				Bound: 25, Floor: 10, Unit: "%"}, c.threatened(c.entries[i]))
		}
	})
}

// few measures a small crowd.
func (t *trial) few() {
	e := entry{w3Few, "crowd", 100, 1}
	t.hold(2, 200, []entry{e}, func(c *contest) {
		t.add(Target{Name: "small", What: "a step of 100 agents, W3, 64 obstacles, one worker", Bound: 3, Beyond: 2, Unit: "µs"}, scaled(c.times[0], 1e-3))
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
	t.hold(8, 20, entries, func(c *contest) {
		for i, l := range limits {
			t.beside(c, entries[i+1].workload, fmt.Sprintf("W2, %s agents in %s archetypes, as a multiple of one", amount(large), amount(l.archetypes)),
				l.bound, l.beyond, entries[i+1], one)
		}
	})
}

// overlapping measures walkers among obstacles that lie over one another.
func (t *trial) overlapping() {
	few, many := entry{"W5/obstacles=5/side=40", "crowd", 5000, 1}, entry{"W5/obstacles=5000/side=40", "crowd", 5000, 1}
	t.hold(6, 1, []entry{few, many}, func(c *contest) {
		t.beside(c, "overlapping", "W5, 5,000 agents among 5,000 overlapping obstacles as a multiple of 5", 20, 0, many, few)
	})
}

// point measures crowds that begin in one point: the first step of each.
func (t *trial) point() {
	for _, workload := range []string{"W5/point", "W4/point"} {
		const seconds = 3
		t.with(seconds, entry{workload, "crowd", small, 2}, func(r Runner) {
			var rounds []float64
			start := time.Now()
			for len(rounds) == 0 || time.Since(start) < seconds*time.Second {
				r.Reset()
				begin := time.Now()
				r.Step()
				rounds = append(rounds, time.Since(begin).Seconds())
			}
			t.add(Target{Name: workload, What: fmt.Sprintf("%s, %s agents in one point, two workers, a step", workload[:2], amount(small)), Bound: 0.2, Unit: "s"}, rounds)
		})
	}
}

// scene measures the whole step of the built-in scene.
func (t *trial) scene() {
	if t.quick {
		return
	}
	e := entry{plaza, "crowd", huge, 2}
	t.hold(10, 10, []entry{e}, func(c *contest) {
		t.rate(c, plaza, plaza, 60, 100, e)
	})
}

// allocations counts those of 200 steps.
func (t *trial) allocations() {
	const steps = 200
	for _, workers := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
		t.with(1, entry{w3, "crowd", small, workers}, func(r Runner) {
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

// memory measures how much crowds take whose speed is not measured.
func (t *trial) memory() {
	crowds := []string{measured}
	if t.quick {
		crowds = append(crowds, w3, w4, w5)
	}
	for _, workload := range crowds {
		e := entry{workload, "crowd", huge, 1}
		if !t.starts(e.startTakes()) {
			continue
		}
		c := &contest{entries: []entry{e}, bytes: make([]float64, 1)}
		t.begins(e)
		if err := c.enter(0, e); err != nil {
			panic(fmt.Sprintf("crowd: %v", err)) // it is known to do the workload
		}
		t.bytes(c, e)
		c.close()
		t.ends()
	}
}
