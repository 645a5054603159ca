package benchmarks

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// entry is a contestant.
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
	entries []entry
	steps   int           // of a turn, from one reset to the next
	least   time.Duration // that a turn lasts; it resets as often as it must
	lasts   time.Duration // rounds begin until then
	fewest  int           // rounds, however long they take

	runners []Runner
	times   [][]float64 // ns a step, of each entry in each round
	bytes   []float64   // an agent, of each entry that made its crowd

	begins func(e entry) // is told of each turn
	stop   *atomic.Bool  // set when the end is no longer waited for
}

// errStopped is the end of a contest that is no longer waited for.
var errStopped = errors.New("stopped")

// hold lets the entries take turns: A B C, A B C.
func (c *contest) hold() error {
	c.times, c.bytes = make([][]float64, len(c.entries)), make([]float64, len(c.entries))
	for i, e := range c.entries {
		c.begins(e)
		if err := c.enter(i, e); err != nil {
			return err
		}
		if c.stop.Load() {
			return errStopped
		}
	}
	start := time.Now()
	for round := 0; round < c.fewest || time.Since(start) < c.lasts; round++ {
		for i, r := range c.runners {
			c.begins(c.entries[i])
			c.times[i] = append(c.times[i], c.turn(r))
			if c.stop.Load() {
				return errStopped
			}
		}
	}
	return nil
}

// enter makes an entry ready, with the crowd of an entry before that differs from it in
// nothing but workers, if there is one.
func (c *contest) enter(i int, e entry) error {
	for j, other := range c.entries[:i] {
		other.workers = e.workers
		if k, ok := c.runners[j].(*crowd); ok && other == e {
			c.runners = append(c.runners, k.again(e.workers))
			c.runners[i].Step() // columns and goroutines are made in the first step
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

// turn runs cycle after cycle until the steps took so long in all, and returns
// how many nanoseconds one of them took. Where it is stopped that says nothing.
func (c *contest) turn(r Runner) float64 {
	var took time.Duration
	steps := 0
	for steps == 0 || took < c.least {
		r.Reset()
		r.Step() // finds what the reset left cold, or makes anew what it made anew
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

// place returns which of the entries one is.
func (c *contest) place(e entry) int {
	i := slices.Index(c.entries, e)
	if i < 0 {
		panic(fmt.Sprintf("crowd: %v is not in the contest", e))
	}
	return i
}

// costs returns what an entry costs in each round, in nanoseconds an agent and
// step.
func (c *contest) costs(e entry) []float64 {
	return scaled(c.times[c.place(e)], 1/float64(e.agents))
}

// memory returns how many bytes an agent of an entry takes, all included.
func (c *contest) memory(e entry) []float64 { return []float64{c.bytes[c.place(e)]} }

// threatened returns which percentage of the agents of an entry was under threat.
func (c *contest) threatened(e entry) []float64 {
	return []float64{100 * c.runners[c.place(e)].(*crowd).threatened()}
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
