package sheet

import "math"

// end returns where the last bin ends on the axis.
func (b *Bins) end() float64 { return b.first + b.width*float64(b.N) }

// of returns which bin a value is in: -1 is before the first, and n beyond the last.
func (b *Bins) of(x float64) int {
	scale := Scale{Log: b.Log}
	k := int(min(max(math.Floor((scale.At(x)-b.first)/b.width), -1), float64(b.N)))
	if x >= b.lo && x <= b.hi { // rounding may move what is on an edge
		k = min(max(k, 0), b.N-1)
	}
	return k
}

// Edges returns the values that those are beyond that are in no bin.
func (b *Bins) Edges() (below, above float64) {
	if b.whole {
		return b.lo, b.hi
	}
	return b.first, b.end()
}

// Counts are how many values are in each bin, and in none.
type Counts struct {
	bins         []int
	Below, Above int
	Left         int // not above 0, on a logarithmic axis
}

// Count counts values.
func (b *Bins) Count(values []float64) Counts {
	c := Counts{bins: make([]int, b.N)}
	scale := Scale{Log: b.Log}
	for _, x := range values {
		if !scale.Has(x) {
			c.Left++
			continue
		}
		switch k := b.of(x); {
		case k < 0:
			c.Below++
		case k >= b.N:
			c.Above++
		default:
			c.bins[k]++
		}
	}
	return c
}

// Sum returns how many there are in all.
func (c *Counts) Sum() int {
	n := c.Below + c.Above
	for _, k := range c.bins {
		n += k
	}
	return n
}
