package space

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/kernel"
	"gonum.org/v1/gonum/spatial/r2"
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
	for _, width := range []kernel.Width{kernel.AVX2, kernel.AVX512} {
		before := kernel.Use(width)
		if kernel.Used() != width {
			t.Logf("no %v here", width)
			kernel.Use(before)
			continue
		}
		for range 20_000 {
			n := kernel.Lanes * (1 + r.IntN(8))
			columns := [4][]float64{}
			oddities := []int{0, 0, 5, 50}[r.IntN(4)]
			for k := range columns {
				for range n {
					columns[k] = append(columns[k], number(oddities))
				}
			}
			x, y, vx, vy := columns[0], columns[1], columns[2], columns[3]
			p := r2.Vec{X: number(oddities), Y: number(oddities)}
			if k := r.IntN(n); r.IntN(2) == 0 {
				p = r2.Vec{X: x[k], Y: y[k]}
			}
			limit, least := []float64{1, 9, 400, math.MaxFloat64}[r.IntN(4)], []float64{0x1p-960, 1e-4, 1, 16}[r.IntN(4)]
			var got, want [6]float64
			near, far, ok := kernel.Flock(x, y, vx, vy, p.X, p.Y, limit, least, &got)
			wantNear, wantFar := flock(x, y, vx, vy, make([]uint32, n), p, limit, least, &want)
			if !ok || near != wantNear || far != wantFar || !same(got[:], want[:]) {
				t.Fatalf("%v: flock of %v around %v, limits %v, %v: got=%v, %v, %v, want=%v, %v, %v", width, columns, p, limit, least, near, far, got, wantNear, wantFar, want)
			}
			var gotApart, wantApart [2]float64
			few, ok := kernel.Apart(x, y, p.X, p.Y, limit, least, &gotApart)
			if wantFew := apart(x, y, p, limit, least, &wantApart); !ok || few != wantFew || !same(gotApart[:], wantApart[:]) {
				t.Fatalf("%v: apart of %v, %v around %v, limits %v, %v: got=%v, %v, want=%v, %v", width, x, y, p, limit, least, few, gotApart, wantFew, wantApart)
			}
		}
		kernel.Use(before)
	}
}
