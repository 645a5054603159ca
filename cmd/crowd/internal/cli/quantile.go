package cli

import (
	"math"
	"slices"
)

// Spread returns half the interquartile range as a part of the median.
func Spread(values []float64) float64 {
	return (Quantile(values, 0.75) - Quantile(values, 0.25)) / 2 / Quantile(values, 0.5)
}

// Quantile returns the value below which a share q of the values lies, between
// two of them in proportion (type 7 of Hyndman and Fan 1996).
func Quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	i := int(at)
	return sorted[i] + (at-float64(i))*(sorted[min(i+1, len(sorted)-1)]-sorted[i])
}

// Quartiles returns the values that a quarter, half and three quarters of the
// values do not exceed. It sorts them.
func Quartiles(values []float64) [3]float64 {
	if len(values) == 0 {
		return [3]float64{math.NaN(), math.NaN(), math.NaN()}
	}
	slices.Sort(values)
	var q [3]float64
	for i := range q {
		at := 0.25 * float64(i+1) * float64(len(values)-1)
		k := int(at)
		q[i] = values[k] + (at-float64(k))*(values[min(k+1, len(values)-1)]-values[k])
	}
	return q
}
