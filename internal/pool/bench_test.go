package pool

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkRun is what it costs to wake the workers and to wait for them, when
// they share work that takes n µs, in pieces as small as a batch, and the caller
// pauses from one pass to the next. With as many idle processors as workers, the
// time above pause and an equal share of the work is the cost.
func BenchmarkRun(b *testing.B) {
	const piece = 5
	for _, work := range []int{0, 200, 1000} {
		for _, pause := range []int{0, 50, 1000, 16000} {
			for _, workers := range []int{1, 2, 4} {
				b.Run(fmt.Sprintf("work=%dµs/pause=%dµs/workers=%d", work, pause, workers), func(b *testing.B) {
					var p Pool
					defer p.Close()
					var left atomic.Int64
					task := func(int) {
						for left.Add(-piece) >= 0 {
							spend(piece)
						}
					}
					p.Run(workers, task)
					b.ReportAllocs()
					for b.Loop() {
						left.Store(int64(work))
						p.Run(workers, task)
						if pause < 1000 {
							spend(pause)
						} else {
							time.Sleep(time.Duration(pause) * time.Microsecond)
						}
					}
					all := float64(b.Elapsed().Microseconds()) / float64(b.N)
					b.ReportMetric(all-float64(pause)-float64(work)/float64(workers), "µs-above")
				})
			}
		}
	}
}

// spend computes for n µs.
func spend(micros int) {
	for start := time.Now(); time.Since(start) < time.Duration(micros)*time.Microsecond; {
	}
}
