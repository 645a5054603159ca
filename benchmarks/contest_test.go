package benchmarks

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
)

func TestQuartiles(t *testing.T) {
	for _, c := range []struct {
		numbers           []float64
		low, median, high float64
	}{
		{[]float64{7}, 7, 7, 7},
		{[]float64{2, 1}, 1.25, 1.5, 1.75},
		{[]float64{5, 1, 4, 2, 3}, 2, 3, 4},
	} {
		low, median, high := quartiles(c.numbers)
		if low != c.low || median != c.median || high != c.high {
			t.Errorf("quartiles(%v): got=%v %v %v, want=%v %v %v", c.numbers, low, median, high, c.low, c.median, c.high)
		}
	}
}

func TestContest(t *testing.T) {
	a, b := entry{"W2", "crowd", 100, 1}, entry{"W2", "plain", 200, 1}
	c := &contest{fewest: 4, steps: 3, entries: []entry{a, b}, stop: new(atomic.Bool)}
	defer c.close()
	testkit.Must(t, c.hold())
	for i := range c.entries {
		if got := len(c.times[i]); got != 4 {
			t.Errorf("rounds of entry %d: got=%v, want=4", i, got)
		}
	}
	c.times = [][]float64{{100, 300}, {400, 100}}
	if got := c.ratios(a, b); got[0] != 0.5 || got[1] != 6 {
		t.Errorf("ratios: got=%v, want=[0.5 6]", got)
	}
	if got := c.rates(a); got[0] != 1e7 {
		t.Errorf("steps per second: got=%v, want=1e7", got[0])
	}
}

type counter struct {
	Runner
	resets, steps int
	most          int // without a reset
}

func (r *counter) Reset() { r.resets, r.steps = r.resets+1, 0 }

func (r *counter) Step() {
	time.Sleep(time.Millisecond)
	r.steps++
	r.most = max(r.most, r.steps)
}

func TestTurnResets(t *testing.T) { synctest.Test(t, testTurnResets) }

func testTurnResets(t *testing.T) {
	r, c := &counter{}, &contest{steps: 3, stop: new(atomic.Bool)}
	for turn := 1; turn <= 3; turn++ {
		c.turn(r)
		if r.resets != turn || r.most != 4 || r.steps != 4 {
			t.Errorf("after turn %d: got=%d resets, %d steps since the last, at most %d after any, want=%d, 4, 4", turn, r.resets, r.steps, r.most, turn)
		}
	}
	c.least = 8 * time.Millisecond
	if c.turn(r); r.resets != 6 || r.most != 4 {
		t.Errorf("turn of three series: got=%d resets, at most %d steps after any, want=6, 4", r.resets, r.most)
	}
}

func TestContestShares(t *testing.T) {
	for _, workload := range []string{"W3/obstacles=64/side=250", w4, w5} {
		one, two := entry{workload, "crowd", 300, 1}, entry{workload, "crowd", 300, 2}
		c := &contest{fewest: 2, steps: 5, entries: []entry{one, {w2, "plain", 300, 1}, two}, stop: new(atomic.Bool)}
		testkit.Must(t, c.hold())
		if c.runners[0].(*crowd).arena != c.runners[2].(*crowd).arena {
			t.Errorf("%s: crowds: got=two, want=one", workload)
		}
		if c.memory(one)[0] <= 0 || c.memory(two)[0] != 0 {
			t.Errorf("%s: memory: got=%v, %v, want=some memory, and none for the second entry", workload, c.memory(one), c.memory(two))
		}
		w, err := ByName(workload)
		testkit.Must(t, err)
		positions, velocities := after(t, w, "crowd", 300, 1, 6)
		p, v := c.runners[2].State()
		for i := range p {
			if p[i] != positions[i] || v[i] != velocities[i] {
				t.Fatalf("%s: agent %d: got=%v %v, want=%v %v", workload, i, p[i], v[i], positions[i], velocities[i])
			}
		}
		c.close()
	}
}

func TestContestLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &contest{fewest: 1, steps: 1, lasts: 5 * time.Millisecond, runners: []Runner{&counter{}}, times: make([][]float64, 1), stop: new(atomic.Bool)}
		testkit.Must(t, c.race())
		testkit.Equal(t, len(c.times[0]), 3, "rounds of 2 ms in 5 ms")
	})
}
