package sheet

import "testing"

// TestBinsFor holds that values far from all others do not squeeze the rest into one
// bin, and that every value is counted once.
func TestBinsFor(t *testing.T) {
	spread := func(n int, lo, hi float64, more ...float64) []float64 {
		for i := range n {
			more = append(more, lo+(hi-lo)*float64(i)/float64(n-1))
		}
		return more
	}
	for _, test := range []struct {
		name         string
		values       []float64
		log          bool
		below, above int
		leastBins    int // that have values
	}{
		{"none", nil, false, 0, 0, 0},
		{"one", []float64{3}, false, 0, 0, 1},
		{"alike", []float64{2, 2, 2, 2}, false, 0, 0, 1},
		{"even", spread(100, 1, 2), false, 0, 0, 5},
		{"two above", spread(60, 1, 1.3, 95, 130), false, 0, 2, 4},
		{"one below", spread(60, 1, 1.3, -90), false, 1, 0, 4},
		{"both", spread(60, 1, 1.3, -90, 5000), false, 1, 1, 4},
		{"not so far", spread(60, 1, 2, 3.5), false, 0, 0, 4},
		{"many apart", spread(30, 40, 41, spread(30, 1, 2)...), false, 0, 0, 2},
		{"decades", []float64{1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000}, true, 0, 0, 5},
		{"decades with 0", []float64{0, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000}, false, 0, 0, 2},
		{"mostly 0", append(make([]float64, 97), 1, 5, 900), false, 0, 2, 2},
		{"few", []float64{1, 2, 3, 30}, false, 0, 0, 2},
		{"huge", []float64{-1e300, 1e300, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, false, 1, 1, 5},
	} {
		b := NewBins(test.values, false)
		c := b.Count(test.values)
		used := 0
		for _, n := range c.bins {
			used += min(n, 1)
		}
		if b.Log != test.log || c.Below != test.below || c.Above != test.above || used < test.leastBins || c.Sum() != len(test.values) || c.Left != 0 {
			t.Errorf("%s: log got=%v, want=%v; below got=%d, want=%d; above got=%d, want=%d; %d bins have values, want at least %d; counted %d of %d",
				test.name, b.Log, test.log, c.Below, test.below, c.Above, test.above, used, test.leastBins, c.Sum(), len(test.values))
		}
	}
	b := NewBins([]float64{0, 1, 10}, true)
	if c := b.Count([]float64{0, 1, 10}); c.Left != 1 || c.Sum() != 2 {
		t.Errorf("0 on a logarithmic axis: got=%+v", c)
	}
}

func TestBins(t *testing.T) {
	for _, test := range []struct {
		values       []float64
		first, width float64
		n            int
	}{
		{nil, 0, 1, 1},
		{[]float64{7, 7}, 4.5, 1, 5},
		{[]float64{1, 2, 3, 3}, 0.5, 1, 3},
		{[]float64{0, 100}, 0, 20, 6},
		{[]float64{-1e300, 1e300}, 0, 0, 0},
	} {
		first, width, n := binsOf(test.values, true)
		if test.n > 0 && (first != test.first || width != test.width || n != test.n) || n > 60 {
			t.Errorf("%v: got=%v + %d × %v, want=%v + %d × %v", test.values, first, n, width, test.first, test.n, test.width)
		}
	}
}
