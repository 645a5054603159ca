package benchmarks

import "testing"

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
	c := &contest{rounds: 4, cycle: 3, entries: []entry{a, b}}
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
