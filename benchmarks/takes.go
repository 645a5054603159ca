package benchmarks

import (
	"runtime"
	"strings"
	"time"
)

// roughCosts are what a step of workloads roughly costs, in ns an agent, on the machine of
// docs/performance.md. They only say how long it takes to measure.
var roughCosts = map[string]float64{"W2": 13, "W3": 45, "W4": 265, "W5": 560, "plaza": 37}

// startTakes returns how long it roughly takes to make the crowd of an entry.
func (e *entry) startTakes() time.Duration { return time.Duration(e.agents) * time.Microsecond }

// stepTakes returns how long a step of an entry roughly takes.
func (e *entry) stepTakes() time.Duration {
	name, _, _ := strings.Cut(e.workload, "/")
	workers := min(e.workers, runtime.GOMAXPROCS(0))
	return max(1, time.Duration(roughCosts[name]*float64(e.agents)/float64(workers)))
}

// turnTakes returns how long a turn roughly takes whose steps take no less.
func (c *contest) turnTakes(e entry, least time.Duration) time.Duration {
	const reset = 3 // steps that take as long as setting the state back
	step := e.stepTakes()
	cycle := time.Duration(c.cycle) * step
	cycles := max(1, (least+cycle-1)/cycle)
	return cycles * (cycle + reset*step)
}

// takes returns how long the contest roughly takes.
func (c *contest) takes() (all time.Duration) {
	for _, e := range c.entries {
		all += e.startTakes() + c.turnTakes(e, 0) + time.Duration(c.rounds)*c.turnTakes(e, c.least)
	}
	return all
}
