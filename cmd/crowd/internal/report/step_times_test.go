package report

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"time"
)

// TestStepTimes verifies that quantiles are those of all times, to three significant
// digits, whatever their number.
func TestStepTimes(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 99, 100, 101, 20_000} {
		times := NewStepTimes()
		var all []int64
		for i := range n {
			took := int64(1000 * math.Exp(float64((i*7919)%n)/float64(n)*12)) // 1 µs to 160 ms
			all = append(all, took)
			times.Add(time.Duration(took))
		}
		slices.Sort(all)
		for _, share := range []int{50, 99} {
			got, want := float64(times.quantile(share)), float64(all[n*share/100])
			if math.Abs(got-want) > 0.001*want {
				t.Errorf("%d times, p%d: got=%v, want=%v", n, share, got, want)
			}
		}
		if times.steps() != n {
			t.Errorf("got=%d steps, want=%d", times.steps(), n)
		}
	}
}

// TestStepTimesAreSmall verifies that many times take no more memory than one does, also
// those that are off the scale.
func TestStepTimesAreSmall(t *testing.T) {
	times := NewStepTimes()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 5_000_000 {
		times.Add(time.Duration(i) * 1000)
	}
	times.Add(0)
	times.Add(1000 * time.Hour)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("got=%d bytes for 5 million times, want=less than %d", got, 1<<20)
	}
	if times.steps() != 5_000_002 {
		t.Errorf("got=%d steps, want=5000002", times.steps())
	}
}
