package picture

import (
	"math"
	"strconv"
)

// roundBelow returns the largest of …, 0.5, 1, 2, 5, 10, … that is at most x,
// which must be above 0.
func roundBelow(x float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, d := range [2]float64{5, 2} {
		if d*p <= x*(1+1e-9) {
			return d * p
		}
	}
	return p
}

// roundAbove returns the smallest of …, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, … that is
// at least x, and 1 for 0.
func roundAbove(x float64) float64 {
	if !(x > 0) {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, d := range [...]float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
		if x <= d*p*(1+1e-9) {
			return d * p
		}
	}
	return 10 * p
}

// lengthLabel writes a length in the unit of a picture.
func lengthLabel(m float64, c *Crowd) string {
	switch {
	case c.Pixels:
		return numberLabel(m) + " px"
	case c.Cells && m == 1:
		return "1 cell"
	case c.Cells:
		return numberLabel(m) + " cells"
	}
	if m >= 1000 {
		return numberLabel(m/1000) + " km"
	}
	return numberLabel(m) + " m"
}

// numberLabel writes x without the noise of its last digits.
func numberLabel(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
