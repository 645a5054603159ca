package engine

import (
	"os/exec"
	"testing"
	"time"
)

// BenchmarkPoint measures what a point costs beyond its own work: one thread of one
// worker process does points that do nothing. Run it with -benchtime 10000x.
func BenchmarkPoint(b *testing.B) {
	p := process{Points: int64(b.N), Threads: 1}
	s := serve(b, Options{}, p.manifest())
	p.Folder = s.o.Folder
	p.start(b)
	until(b, func() bool { return s.Progress().Workers > 0 })
	b.ResetTimer()
	if err := wait(b, s); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	_ = s.Close()
}

// BenchmarkShare measures two worker processes beside two plain ones that share the same
// points by hand: share is how fast they are, compared with those. Both are timed from
// the start of the processes to their last row.
func BenchmarkShare(b *testing.B) {
	var plain, swept time.Duration
	for range b.N {
		p := process{Points: 200, Threads: 1, Hashes: 200_000}
		start := time.Now()
		var both []*exec.Cmd
		for i := range 2 {
			p := p
			p.Plain = i + 1
			c, _ := p.start(b)
			both = append(both, c)
		}
		for _, c := range both {
			if err := c.Wait(); err != nil {
				b.Fatal(err)
			}
		}
		plain += time.Since(start)

		s := serve(b, Options{}, p.manifest())
		p.Folder = s.o.Folder
		start = time.Now()
		p.start(b)
		p.start(b)
		if err := wait(b, s); err != nil {
			b.Fatal(err)
		}
		swept += time.Since(start)
		_ = s.Close()
	}
	b.ReportMetric(plain.Seconds()/swept.Seconds(), "share")
}
