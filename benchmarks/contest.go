package benchmarks

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// entry is one who takes part in a contest.
type entry struct {
	workload string
	by       string
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

// contest is a number of entries that are measured by turns, so that whatever
// else the machine does meets all of them alike.
type contest struct {
	rounds  int
	least   time.Duration // that a turn takes
	cycle   int           // steps from one reset to the next, the same for all
	entries []entry
	runners []Runner
	times   [][]float64 // ns a step, of each entry in each round

	begins func(e entry, takes time.Duration) // is told of each turn, and how long it likely takes
	stop   *atomic.Bool                       // set when nobody waits for the end any more
}

// errStopped is the end of a contest that nobody waits for any more.
var errStopped = errors.New("stopped")

// hold lets the entries take turns: A B C, A B C.
func (c *contest) hold() error {
	c.times = make([][]float64, len(c.entries))
	for _, e := range c.entries {
		c.begins(e, e.startTakes()+c.turnTakes(e, 0))
		r, err := e.start()
		if err != nil {
			return err
		}
		c.runners = append(c.runners, r)
		c.turn(r, 0) // columns and goroutines are made in the first steps
	}
	for range c.rounds {
		for i, r := range c.runners {
			c.begins(c.entries[i], c.turnTakes(c.entries[i], c.least))
			c.times[i] = append(c.times[i], c.turn(r, c.least))
			if c.stop.Load() {
				return errStopped
			}
		}
	}
	return nil
}

// turn runs cycle after cycle until the steps took so long in all, and returns
// how many nanoseconds one of them took. Where it is stopped that says nothing.
func (c *contest) turn(r Runner, least time.Duration) float64 {
	var took time.Duration
	steps := 0
	for steps == 0 || took < least {
		r.Reset()
		r.Step() // finds what the reset left cold, or makes anew what it made anew
		start := time.Now()
		for range c.cycle {
			if c.stop.Load() {
				return 0
			}
			r.Step()
		}
		took += time.Since(start)
		steps += c.cycle
	}
	return float64(took.Nanoseconds()) / float64(steps)
}

func (c *contest) close() {
	for _, r := range c.runners {
		r.Close()
	}
	c.runners = nil
}

// costs returns what an entry costs in each round, in nanoseconds an agent and
// step.
func (c *contest) costs(e entry) []float64 {
	i := slices.Index(c.entries, e)
	if i < 0 {
		panic(fmt.Sprintf("crowd: %v is not in the contest", e))
	}
	return scaled(c.times[i], 1/float64(e.agents))
}

// rates returns how many steps a second an entry does in each round.
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

// ratios returns what a costs an agent, measured by what b does, round by round.
func (c *contest) ratios(a, b entry) []float64 {
	x, y := c.costs(a), c.costs(b)
	for k := range x {
		x[k] /= y[k]
	}
	return x
}

// quartiles returns the median of some numbers, and what a quarter of them is
// below and above of.
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
