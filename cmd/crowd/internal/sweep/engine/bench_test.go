//go:build e2e

package engine

import (
	"testing"
)

// BenchmarkPoint measures what a point costs beyond its own work: one thread of one
// worker process does points that do nothing. Run it with -benchtime 10000x.
func BenchmarkPoint(b *testing.B) {
	p := process{Points: int64(b.N), Threads: 1}
	var n *network
	s := n.serve(b, Options{}, p.manifest())
	p.Folder = s.o.Folder
	p.start(b)
	until(b, func() bool { return s.Progress().Workers > 0 })
	b.ResetTimer()
	must(b, wait(b, s))
	b.StopTimer()
	_ = s.Close()
}
