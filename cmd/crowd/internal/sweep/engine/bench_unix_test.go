//go:build unix

package engine

import (
	"os/exec"
	"syscall"
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
// points by hand. The metric share is how fast they are, compared with those, from the
// start of the processes to the last row; cpu is the same for the time of processors, with
// that of the server, which other load on the machine hardly changes.
func BenchmarkShare(b *testing.B) {
	var plain, swept, plainCPU, sweptCPU time.Duration
	for range b.N {
		p := process{Points: 60, Threads: 1, Hashes: 2_000_000} // a fifth of a second each
		start := time.Now()
		plainCPU += finish(b, func(i int) *exec.Cmd {
			p := p
			p.Plain = i + 1
			c, _ := p.start(b)
			return c
		}, nil)
		plain += time.Since(start)

		before := own(b)
		s := serve(b, Options{}, p.manifest())
		p.Folder = s.o.Folder
		start = time.Now()
		sweptCPU += finish(b, func(int) *exec.Cmd {
			c, _ := p.start(b)
			return c
		}, func() {
			if err := wait(b, s); err != nil {
				b.Fatal(err)
			}
			swept += time.Since(start)
			_ = s.Close()
		})
		sweptCPU += own(b) - before
	}
	b.ReportMetric(plain.Seconds()/swept.Seconds(), "share")
	b.ReportMetric(plainCPU.Seconds()/sweptCPU.Seconds(), "cpu")
}

// finish starts two processes, waits for their ends and returns the processors' time.
func finish(b *testing.B, start func(i int) *exec.Cmd, wait func()) (cpu time.Duration) {
	b.Helper()
	both := []*exec.Cmd{start(0), start(1)}
	if wait != nil {
		wait()
	}
	for _, c := range both {
		if err := c.Wait(); err != nil {
			b.Fatal(err)
		}
		cpu += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	return cpu
}

// own returns the processors' time of this process.
func own(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
