package plot

import (
	"math"
	"strings"
	"testing"
)

// TestTicks verifies that ticks are round, have commas, and have room.
func TestTicks(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64
		ticks  Ticks
		want   string
	}{
		{0, 1, Ticks{Room: 200}, "0 0.2 0.4 0.6 0.8 1"},
		{0, 30e3, Ticks{Across: true, Room: 300}, "0 5,000 10,000 15,000 20,000 25,000 30,000"},
		{0, 30e3, Ticks{Across: true, Room: 150}, "0 10,000 20,000 30,000"},
		{1, 2, Ticks{Whole: true, Room: 500}, "1 2"},
		{0, 6, Ticks{Log: true, Room: 500}, "1 10 100 1,000 10,000 100,000 1,000,000"},
		{math.Log10(2), math.Log10(30), Ticks{Log: true, Room: 200}, "2 5 10 20"},
		{math.Log10(100), math.Log10(125), Ticks{Log: true, Room: 200}, "100 105 110 115 120 125"},
		{-300, 300, Ticks{Log: true, Room: 200}, ""},
		{-1e300, 1e300, Ticks{Room: 200}, ""},
		{1e16, 1e16 + 2, Ticks{Room: 200}, ""},
	} {
		var got []string
		for _, tick := range test.ticks.Ticks(test.lo, test.hi) {
			if tick.Label != "" {
				got = append(got, tick.Label)
			}
		}
		if text := strings.Join(got, " "); test.want != "" && text != test.want || len(got) > 12 {
			t.Errorf("%v to %v: got=%s, want=%s", test.lo, test.hi, text, test.want)
		}
	}
}

// TestBins verifies that values far from all others do not squeeze the rest into one bin, and that every
// value is counted once.
func TestBins(t *testing.T) {
	spread := func(n int, lo, hi float64, more ...float64) []float64 {
		for i := range n {
			more = append(more, lo+(hi-lo)*float64(i)/float64(n-1))
		}
		return more
	}
	decades := []float64{1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000}
	for _, test := range []struct {
		name         string
		values       []float64
		log          bool
		below, above float64
		least        int // bins that have values
	}{
		{"none", nil, false, 0, 0, 0},
		{"one", []float64{3}, false, 0, 0, 1},
		{"alike", []float64{2, 2, 2, 2}, false, 0, 0, 1},
		{"even", spread(100, 1, 2), false, 0, 0, 5},
		{"two above", spread(60, 1, 1.3, 95, 130), false, 0, 2, 4},
		{"both", spread(60, 1, 1.3, -90, 5000), false, 1, 1, 4},
		{"not so far", spread(60, 1, 2, 3.5), false, 0, 0, 4},
		{"whole", []float64{1, 2, 3, 3}, false, 0, 0, 3},
		{"decades", decades, true, 0, 0, 5},
		{"decades with 0", append([]float64{0}, decades[1:]...), false, 0, 0, 2},
		{"huge", []float64{-1e300, 1e300, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, false, 1, 1, 5},
	} {
		b := NewBins(test.values, false)
		counts := b.Count(test.values)
		used, sum := 0, 0.
		for _, n := range counts[1 : len(counts)-1] {
			used, sum = used+int(min(n, 1)), sum+n
		}
		below, above := counts[0], counts[len(counts)-1]
		if b.Log != test.log || below != test.below || above != test.above || used < test.least || sum+below+above != float64(len(test.values)) || len(counts) > 62 {
			t.Errorf("%s: log got=%v, want=%v; got=%v, want %v below, %v above, %d bins with values", test.name, b.Log, test.log, counts, test.below, test.above, test.least)
		}
	}
}
