package sheet

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
)

// Bins are the steps that a histogram counts in, of equal width on its axis.
// Few values far from all others are beyond them, and counted at either end.
type Bins struct {
	Log          bool
	first, width float64 // on the axis
	N            int
	whole        bool    // a bin for each whole number
	lo, hi       float64 // the first and last value within
}

// NewBins returns bins for values. They are logarithmic if that is asked for, or if
// even the middle values span decades.
func NewBins(values []float64, logarithmic bool) Bins {
	values = slices.DeleteFunc(slices.Sorted(slices.Values(values)), func(x float64) bool { return !numbers.Drawable(x) })
	const far = 40
	b := Bins{Log: logarithmic}
	if !b.Log && len(values) > 2 && values[0] > 0 {
		lo, hi := middleOf(values)
		b.Log = hi > far*lo
	}
	if b.Log {
		values = slices.DeleteFunc(values, func(x float64) bool { return x <= 0 })
	} else {
		values = withoutFar(values)
	}
	if len(values) > 0 {
		b.lo, b.hi = values[0], values[len(values)-1]
	}
	scale := Scale{Log: b.Log}
	on := make([]float64, len(values))
	for i, x := range values {
		on[i] = scale.At(x)
	}
	b.first, b.width, b.N = binsOf(on, !b.Log)
	b.whole = !b.Log && b.width == 1 && b.first != math.Floor(b.first)
	return b
}

// middleOf returns the least and the greatest of sorted values without a tenth at
// either end, or with less left out if those are all alike.
func middleOf(sorted []float64) (lo, hi float64) {
	n := len(sorted)
	for _, part := range []int{10, 20, 50, n + 1} {
		left := n / part
		if lo, hi = sorted[left], sorted[n-1-left]; lo < hi {
			break
		}
	}
	return lo, hi
}

// withoutFar returns sorted values without those that are farther from the middle
// ones than three times what these span, if that makes the axis less than half as
// long.
func withoutFar(sorted []float64) []float64 {
	if len(sorted) == 0 {
		return nil
	}
	const far = 3
	lo, hi := middleOf(sorted)
	near := slices.DeleteFunc(slices.Clone(sorted), func(x float64) bool {
		return x < lo-far*(hi-lo) || x > hi+far*(hi-lo)
	})
	if sorted[len(sorted)-1]-sorted[0] <= 2*(near[len(near)-1]-near[0]) {
		return sorted
	}
	return near
}

// binsOf returns where steps for values begin, how wide they are and how many: by
// the rule of Freedman and Diaconis, rounded, 5 to 50; of whole numbers that are
// close together, one each.
func binsOf(values []float64, round bool) (first, width float64, n int) {
	if len(values) == 0 {
		return 0, 1, 1
	}
	lo, hi := slices.Min(values), slices.Max(values)
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) {
		width = max(1e-3*math.Abs(hi), 1)
		return lo - 2.5*width, width, 5
	}
	width = 2 * (quantile.Of(values, 0.75) - quantile.Of(values, 0.25)) / math.Cbrt(float64(len(values)))
	width = NiceStep(min(max(width, (hi-lo)/50), (hi-lo)/5))
	whole := !slices.ContainsFunc(values, func(x float64) bool { return x != math.Trunc(x) })
	if whole && round && width <= 1 {
		return lo - 0.5, 1, int(hi-lo) + 1
	}
	first = math.Floor(lo/width) * width
	return first, width, max(1, int(math.Floor((hi-first)/width))+1)
}
