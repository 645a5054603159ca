package experiment

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// KolmogorovSmirnov returns the greatest distance between the distributions of two
// samples.
func KolmogorovSmirnov(a, b []float64) float64 {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return stat.KolmogorovSmirnov(a, nil, b, nil)
}
