package pool

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkRun is what it costs to wake the workers and to wait for them: with
// nothing to do, and when each has work for 300 µs, some 20,000 agents. With as
// many idle processors as workers, the time above 300 µs is the cost.
func BenchmarkRun(b *testing.B) {
	for _, work := range []time.Duration{0, 300 * time.Microsecond} {
		for _, workers := range []int{1, 2, 4} {
			b.Run(fmt.Sprintf("work=%v/workers=%d", work, workers), func(b *testing.B) {
				var p Pool
				defer p.Close()
				task := func(int) {
					for start := time.Now(); time.Since(start) < work; {
					}
				}
				p.Run(workers, task)
				b.ReportAllocs()
				for b.Loop() {
					p.Run(workers, task)
				}
			})
		}
	}
}
