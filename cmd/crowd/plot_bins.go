package main

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
)

// plotBins are the steps that a histogram counts in, of equal width on its axis.
// Few values far from all others are beyond them, and counted at either end.
type plotBins struct {
	log          bool
	first, width float64 // on the axis
	n            int
	whole        bool    // a bin for each whole number
	lo, hi       float64 // the first and last value within
}

// binsFor returns bins for values. They are logarithmic if that is asked for, or if
// even the middle values span decades.
func binsFor(values []float64, logarithmic bool) plotBins {
	values = slices.DeleteFunc(slices.Sorted(slices.Values(values)), func(x float64) bool { return !drawable(x) })
	const far = 40
	b := plotBins{log: logarithmic}
	if !b.log && len(values) > 2 && values[0] > 0 {
		lo, hi := middleOf(values)
		b.log = hi > far*lo
	}
	if b.log {
		values = slices.DeleteFunc(values, func(x float64) bool { return x <= 0 })
	} else {
		values = withoutFar(values)
	}
	if len(values) > 0 {
		b.lo, b.hi = values[0], values[len(values)-1]
	}
	scale := plotScale{log: b.log}
	on := make([]float64, len(values))
	for i, x := range values {
		on[i] = scale.at(x)
	}
	b.first, b.width, b.n = binsOf(on, !b.log)
	b.whole = !b.log && b.width == 1 && b.first != math.Floor(b.first)
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

// end returns where the last bin ends on the axis.
func (b *plotBins) end() float64 { return b.first + b.width*float64(b.n) }

// of returns which bin a value is in: -1 is before the first, and n beyond the last.
func (b *plotBins) of(x float64) int {
	scale := plotScale{log: b.log}
	k := int(min(max(math.Floor((scale.at(x)-b.first)/b.width), -1), float64(b.n)))
	if x >= b.lo && x <= b.hi { // rounding may move what is on an edge
		k = min(max(k, 0), b.n-1)
	}
	return k
}

// edges returns the values that those are beyond that are in no bin.
func (b *plotBins) edges() (below, above float64) {
	if b.whole {
		return b.lo, b.hi
	}
	return b.first, b.end()
}

// histogramCounts are how many values are in each bin, and in none.
type histogramCounts struct {
	bins         []int
	below, above int
	left         int // not above 0, on a logarithmic axis
}

// count counts values.
func (b *plotBins) count(values []float64) histogramCounts {
	c := histogramCounts{bins: make([]int, b.n)}
	scale := plotScale{log: b.log}
	for _, x := range values {
		if !scale.has(x) {
			c.left++
			continue
		}
		switch k := b.of(x); {
		case k < 0:
			c.below++
		case k >= b.n:
			c.above++
		default:
			c.bins[k]++
		}
	}
	return c
}

// sum returns how many there are in all.
func (c *histogramCounts) sum() int {
	n := c.below + c.above
	for _, k := range c.bins {
		n += k
	}
	return n
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
	width = niceStep(min(max(width, (hi-lo)/50), (hi-lo)/5))
	whole := !slices.ContainsFunc(values, func(x float64) bool { return x != math.Trunc(x) })
	if whole && round && width <= 1 {
		return lo - 0.5, 1, int(hi-lo) + 1
	}
	first = math.Floor(lo/width) * width
	return first, width, max(1, int(math.Floor((hi-first)/width))+1)
}
