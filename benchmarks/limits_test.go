package benchmarks

import (
	"fmt"
	"math"
	"sync"
	"testing"
)

// BenchmarkLimits measures the limits of the machine: the time of a square root and a division that
// depend on no other result, and the speed of reading a column that is too large for any cache.
func BenchmarkLimits(b *testing.B) {
	b.Run("divide-and-square-root", func(b *testing.B) {
		var n2, ratio [128]float64
		for i := range n2 {
			n2[i] = 1 + float64(i)
		}
		for b.Loop() {
			for i := range n2 {
				ratio[i] = 1 / math.Sqrt(n2[i])
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(n2)), "ns/pair")
	})
	size := 1 << 25
	if testing.Short() {
		size = 1 << 16
	}
	column := make([]float64, size)
	for i := range column {
		column[i] = 1 // otherwise all pages are the same page of zeros
	}
	for _, workers := range workerCounts("crowd") {
		b.Run(fmt.Sprintf("read/workers=%d", workers), func(b *testing.B) {
			sums := make([][8]float64, workers) // one cache line per worker
			for b.Loop() {
				var all sync.WaitGroup
				for k := range workers {
					all.Go(func() {
						part := column[k*size/workers : (k+1)*size/workers]
						var s0, s1, s2, s3 float64
						for i := 0; i+4 <= len(part); i += 4 {
							s0, s1, s2, s3 = s0+part[i], s1+part[i+1], s2+part[i+2], s3+part[i+3]
						}
						sums[k][0] = s0 + s1 + s2 + s3
					})
				}
				all.Wait()
			}
			b.ReportMetric(8*float64(size)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GB/s")
		})
	}
}
