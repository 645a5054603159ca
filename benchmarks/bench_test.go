package benchmarks

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func BenchmarkW1(b *testing.B)    { benchmark(b) }
func BenchmarkW2(b *testing.B)    { benchmark(b) }
func BenchmarkW3(b *testing.B)    { benchmark(b) }
func BenchmarkW4(b *testing.B)    { benchmark(b) }
func BenchmarkW5(b *testing.B)    { benchmark(b) }
func BenchmarkPlaza(b *testing.B) { benchmark(b) }

// benchmark measures the workloads whose names begin as the benchmark's does after the word Benchmark,
// ignoring case.
func benchmark(b *testing.B) {
	for _, w := range Workloads() {
		head, rest, _ := strings.Cut(w.Name, "/")
		if !strings.EqualFold("Benchmark"+head, b.Name()) {
			continue
		}
		for _, by := range Contenders() {
			for _, agents := range sizes(w) {
				for _, workers := range workerCounts(by) {
					name := fmt.Sprintf("by=%s/agents=%d/workers=%d", by, agents, workers)
					if rest != "" {
						name = rest + "/" + name
					}
					b.Run(name, func(b *testing.B) { measure(b, w, by, agents, workers) })
				}
			}
		}
	}
}

// sizes returns no sizes if the workload is too large for -short.
func sizes(w Workload) []int {
	switch few := testing.Short(); {
	case few && w.Obstacles > 100_000:
		return nil
	case few && w.Point:
		return []int{100}
	case few:
		return []int{100, 10_000}
	case w.Measured:
		return []int{1000, 100_000}
	case w.Scene != "":
		return []int{100, 1000, 10_000, 100_000, 1_000_000}
	case w.Point:
		return []int{10_000}
	case w.Reciprocal && w.Side > 0:
		return []int{5000}
	case w.Reciprocal:
		return []int{10_000, 100_000, 1_000_000}
	case w.Archetypes > 1 || w.MovingOf > 0 || w.Side != 1000 && !w.Flock:
		return []int{100_000}
	}
	return []int{100, 10_000, 100_000, 1_000_000}
}

func workerCounts(by string) []int {
	if by != "crowd" {
		return []int{1}
	}
	all := []int{1, 2, runtime.GOMAXPROCS(0)}
	slices.Sort(all)
	return slices.Compact(all)
}

func measure(b *testing.B, w Workload, by string, agents, workers int) {
	before := heap()
	r, err := w.Start(by, agents, workers)
	if err != nil {
		b.Skip(err)
	}
	defer r.Close()
	r.Step() // the first step creates columns and goroutines
	bytes := heap() - before
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if n++; n%Cycle(agents) == 0 {
			b.StopTimer()
			r.Reset()
			r.Step()
			b.StartTimer()
		}
		r.Step()
	}
	step := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(step/float64(agents), "ns/agent")
	b.ReportMetric(float64(agents)/step*1e9, "agents/s")
	b.ReportMetric(bytes/float64(agents), "B/agent")
}
