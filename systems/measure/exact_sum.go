package measure

import (
	"math"
	"math/bits"
)

// exactSum adds numbers in fixed point, 128 bits of them, so that the sum does
// not depend on the order: that of rows, or of workers. A number is rounded to a
// multiple of 2^-32 and limited to ±2^30; one that is NaN counts as zero.
type exactSum struct {
	hi int64
	lo uint64
}

const (
	sumScale = 1 << 32
	sumLimit = 1 << 30
)

func (s *exactSum) add(x float64) {
	if x != x {
		return
	}
	x = min(max(x, -sumLimit), sumLimit)
	n := int64(math.Floor(float64(x*sumScale) + 0.5))
	s.merge(exactSum{n >> 63, uint64(n)})
}

func (s *exactSum) merge(t exactSum) {
	lo, carry := bits.Add64(s.lo, t.lo, 0)
	s.lo = lo
	s.hi += t.hi + int64(carry)
}

// value returns the sum, rounded once.
func (s exactSum) value() float64 {
	if s.hi < 0 {
		lo, borrow := bits.Sub64(0, s.lo, 0)
		return -exactSum{-s.hi - int64(borrow), lo}.value()
	}
	return float64(float64(s.hi)*0x1p32) + float64(float64(s.lo)*0x1p-32)
}

// mean returns the sum divided by n, 0 if n is 0.
func (s exactSum) mean(n int) float64 {
	if n == 0 {
		return 0
	}
	return s.value() / float64(n)
}
