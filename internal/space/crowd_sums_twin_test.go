package space

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/kernel"
)

// The kernels of sums give the bits of the Go text, any NaN for any NaN.
func TestSumKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 8))
	odd := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -1e-310, 1e-160, math.MaxFloat64, -1e200, 1}
	number := func(oddities int) float64 {
		if r.IntN(100) < oddities {
			return odd[r.IntN(len(odd))]
		}
		return math.Ldexp(r.NormFloat64(), r.IntN(4))
	}
	same := func(a, b []float64) bool {
		for k := range a {
			if math.Float64bits(a[k]) != math.Float64bits(b[k]) && !(math.IsNaN(a[k]) && math.IsNaN(b[k])) {
				return false
			}
		}
		return true
	}
	var room kernel.FlockRoom
	x, y, vx, vy := room.Columns(400)
	for _, width := range []kernel.Width{kernel.AVX2, kernel.AVX512} {
		before := kernel.Use(width)
		if kernel.Used() != width {
			t.Logf("no %v here", width)
			kernel.Use(before)
			continue
		}
		for range 3000 {
			n := 1 + r.IntN(60)
			var a Agents
			a.resize(n, true, false, false)
			oddities := []int{0, 0, 5, 50}[r.IntN(4)]
			for _, column := range [][]float64{a.X, a.Y, a.VX, a.VY} {
				for i := range column {
					column[i] = number(oddities)
				}
			}
			first := r.IntN(n)
			if k := r.IntN(n); r.IntN(2) == 0 {
				a.X[first], a.Y[first] = a.X[k], a.Y[k]
			}
			for _, column := range [][]float64{a.X[:n+Padding][n:], a.VX[:n+Padding][n:], a.VY[:n+Padding][n:]} {
				for i := range column { // what stands behind the last agent does not count
					column[i] = number(50)
				}
			}
			var among kernel.Stretches
			for k := range among {
				lo := r.IntN(n + 1)
				if hi := lo + r.IntN(n-lo+1); r.IntN(3) > 0 && !(lo <= first && first < hi) {
					among[k] = [2]uint32{uint32(lo), uint32(hi)}
				}
			}
			several := 1 + r.IntN(min(4, n-first))
			with := &among[r.IntN(len(among))]
			with[0], with[1] = uint32(r.IntN(first+1)), uint32(first+several+r.IntN(n-first-several+1))
			limit, least := []float64{1, 9, 400, math.MaxFloat64}[r.IntN(4)], []float64{0x1p-960, 1e-4, 1, 16}[r.IntN(4)]
			got, all := make([]Sums, several), make([]Sums, several)
			for _, column := range [4][]float64{x, y, vx, vy} {
				for i := range column { // what stood there does not count
					column[i] = number(50)
				}
			}
			if !kernel.Flock(a.X, a.Y, a.VX, a.VY, &among, uint32(first), limit, least, &room, got) {
				t.Fatalf("%v: no sums", width)
			}
			flock(&a, &among, uint32(first), limit, least, &room, all)
			for k, f := range got {
				want := all[k]
				numbers := func(f Sums) []float64 {
					return []float64{f.Repel.X, f.Repel.Y, f.Away.X, f.Away.Y, f.Velocity.X, f.Velocity.Y}
				}
				if f.N != want.N || f.Far != want.Far || !same(numbers(f), numbers(want)) {
					t.Fatalf("%v: flock of %v, %v around place %d, limits %v, %v: got=%+v, want=%+v", width, a, among, first+k, limit, least, f, want)
				}
			}
			var gotApart, wantApart [2]float64
			few, ok := kernel.Apart(a.X, a.Y, &among, uint32(first), limit, least, &gotApart)
			if wantFew := apart(&a, &among, uint32(first), limit, least, &wantApart); !ok || few != wantFew || !same(gotApart[:], wantApart[:]) {
				t.Fatalf("%v: apart of %v, %v around place %d, limits %v, %v: got=%v, %v, want=%v, %v", width, a, among, first, limit, least, few, gotApart, wantFew, wantApart)
			}
		}
		kernel.Use(before)
	}
}
