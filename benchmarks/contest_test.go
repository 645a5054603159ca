package benchmarks

import (
	"sync/atomic"
	"testing"
	"time"
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

// TestContest holds that entries take turns, and that ratios are taken round by
// round.
func TestContest(t *testing.T) {
	a, b := entry{"W2", "crowd", 100, 1}, entry{"W2", "plain", 200, 1}
	c := &contest{rounds: 4, cycle: 3, entries: []entry{a, b}, begins: func(entry, time.Duration) {}, stop: new(atomic.Bool)}
	defer c.close()
	if err := c.hold(); err != nil {
		t.Fatal(err)
	}
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
		t.Errorf("steps a second: got=%v, want=1e7", got[0])
	}
}

// counter is a runner that counts what is asked of it.
type counter struct {
	Runner
	resets, steps int
	most          int // steps without a reset
}

func (r *counter) Reset() { r.resets, r.steps = r.resets+1, 0 }

func (r *counter) Step() {
	r.steps++
	r.most = max(r.most, r.steps)
}

// Every cycle begins at the start, and with a step that is not measured.
func TestTurnResets(t *testing.T) {
	r, c := &counter{}, &contest{cycle: 3, stop: new(atomic.Bool)}
	for turn := 1; turn <= 3; turn++ {
		c.turn(r, 0)
		if r.resets != turn || r.most != 4 || r.steps != 4 {
			t.Errorf("after turn %d: got=%d resets, %d steps since, at most %d, want=%d, 4, 4", turn, r.resets, r.steps, r.most, turn)
		}
	}
	if c.turn(r, 20*time.Millisecond); r.resets < 5 || r.most != 4 {
		t.Errorf("a turn of several cycles: got=%d resets, at most %d steps, want=more than 4, 4", r.resets, r.most)
	}
}
