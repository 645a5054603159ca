package benchmarks

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// entry is a contender that runs a workload.
type entry struct {
	workload string
	by       string // name of the contender
	agents   int
	workers  int
}

func (e *entry) start() (Runner, error) {
	w, err := ByName(e.workload)
	if err != nil {
		return nil, err
	}
	return w.Start(e.by, e.agents, e.workers)
}

// contest lets entries take turns, so other programs disturb all entries equally.
type contest struct {
	entries []entry
	steps   int           // timed steps between two resets
	least   time.Duration // minimum total time of a turn's timed steps
	lasts   time.Duration // minimum duration of all rounds together
	fewest  int           // minimum number of rounds

	runners []Runner
	times   [][]float64 // ns per step, of each entry in each round
	bytes   []float64   // per agent; 0 for entries that share a crowd

	stop *atomic.Bool // set to end the contest early
}

var errStopped = errors.New("stopped")

// hold starts the entries and lets them take turns. The caller must close the contest, even after an error.
func (c *contest) hold() error {
	c.times, c.bytes = make([][]float64, len(c.entries)), make([]float64, len(c.entries))
	for i := range c.entries {
		if c.stop.Load() {
			return errStopped
		}
		if err := c.enter(i); err != nil {
			return err
		}
	}
	return c.race()
}

func (c *contest) race() error {
	start := time.Now()
	for round := 0; round < c.fewest || time.Since(start) < c.lasts; round++ {
		for i, r := range c.runners {
			c.times[i] = append(c.times[i], c.turn(r))
			if c.stop.Load() {
				return errStopped
			}
		}
	}
	return nil
}

// enter starts entry i and measures its memory. If the entry differs only in workers from an earlier one that
// runs a *crowd, the two share that crowd.
func (c *contest) enter(i int) error {
	e := c.entries[i]
	for j, other := range c.entries[:i] {
		other.workers = e.workers
		if k, ok := c.runners[j].(*crowd); ok && other == e {
			c.runners = append(c.runners, k.again(e.workers))
			c.runners[i].Step() // the first step creates columns and goroutines
			return nil
		}
	}
	before := heap()
	r, err := e.start()
	if err != nil {
		return err
	}
	c.runners = append(c.runners, r)
	r.Step()
	c.bytes[i] = (heap() - before) / float64(e.agents)
	return nil
}

// turn returns the mean time of a timed step in nanoseconds. If the contest is stopped, the result is
// meaningless.
func (c *contest) turn(r Runner) float64 {
	var took time.Duration
	steps := 0
	for steps == 0 || took < c.least {
		r.Reset()
		r.Step() // warms caches, and rebuilds what the reset discarded
		start := time.Now()
		for range c.steps {
			if c.stop.Load() {
				return 0
			}
			r.Step()
		}
		took += time.Since(start)
		steps += c.steps
	}
	return float64(took.Nanoseconds()) / float64(steps)
}

func (c *contest) close() {
	for _, r := range c.runners {
		r.Close()
	}
	c.runners = nil
}

func (c *contest) place(e entry) int {
	i := slices.Index(c.entries, e)
	if i < 0 {
		panic(fmt.Sprintf("crowd: %v is not in the contest", e))
	}
	return i
}

// costs returns an entry's cost in each round, in ns per agent per step.
func (c *contest) costs(e entry) []float64 {
	return scaled(c.times[c.place(e)], 1/float64(e.agents))
}

// memory returns the bytes per agent, or 0 if the entry shares a crowd.
func (c *contest) memory(e entry) []float64 { return []float64{c.bytes[c.place(e)]} }

// threatened returns the percentage of agents under threat, over all steps. The entry must run a *crowd.
func (c *contest) threatened(e entry) []float64 {
	return []float64{100 * c.runners[c.place(e)].(*crowd).threatened()}
}

// rates returns an entry's steps per second in each round.
func (c *contest) rates(e entry) []float64 {
	rates := c.costs(e)
	for i := range rates {
		rates[i] = 1e9 / (rates[i] * float64(e.agents))
	}
	return rates
}

func scaled(numbers []float64, by float64) (all []float64) {
	for _, x := range numbers {
		all = append(all, x*by)
	}
	return all
}

func (c *contest) ratios(a, b entry) []float64 {
	x, y := c.costs(a), c.costs(b)
	for k := range x {
		x[k] /= y[k]
	}
	return x
}

// quartiles returns the quartiles of numbers, by linear interpolation. It panics if there are no numbers.
func quartiles(numbers []float64) (low, median, high float64) {
	s := slices.Sorted(slices.Values(numbers))
	at := func(share float64) float64 {
		x := share * float64(len(s)-1)
		i := int(math.Floor(x))
		next := s[min(i+1, len(s)-1)]
		return s[i] + float64((x-float64(i))*(next-s[i]))
	}
	return at(0.25), at(0.5), at(0.75)
}
