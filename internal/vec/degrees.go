package vec

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

const degree = float64(math.Pi / 180)

// Radians converts an angle from degrees to radians.
func Radians(degrees float64) float64 { return float64(degrees * degree) }

// Degrees returns the number with the fewest decimal digits that Radians converts to exactly the given
// radians. If there is none, it returns the float64 nearest to the angle in degrees.
func Degrees(radians float64) float64 {
	near := radians / degree
	for digits := 1; digits <= 17; digits++ {
		if x, _ := strconv.ParseFloat(strconv.FormatFloat(near, 'g', digits, 64), 64); Radians(x) == radians {
			return x
		}
	}
	for _, to := range []float64{math.Inf(-1), math.Inf(1)} {
		if x := math.Nextafter(near, to); Radians(x) == radians {
			return x
		}
	}
	return near
}

// DegreesText formats an angle in radians as a decimal number of degrees. ParseDegrees converts that number
// back to the same radians, unless the degrees exceed the largest float64.
func DegreesText(radians float64) string {
	x := Degrees(radians)
	if Radians(x) == radians || math.IsNaN(radians) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	// No float64 in degrees converts to these radians, but a longer decimal does.
	return new(big.Float).Quo(exactly(radians), exactly(degree)).Text('g', longest)
}

const (
	shortest  = 17  // digits that suffice for every float64
	longest   = 24  // digits that suffice for every angle
	precision = 128 // bits
)

// ParseDegrees converts a decimal number of degrees to radians: a number of up to 17 digits as Radians does,
// and a longer one with more precision. Its errors are those of strconv.ParseFloat.
func ParseDegrees(degrees string) (radians float64, err error) {
	x, err := strconv.ParseFloat(degrees, 64)
	if err != nil || digitsOf(degrees) <= shortest {
		return Radians(x), err
	}
	long, _, err := big.ParseFloat(degrees, 10, precision, big.ToNearestEven)
	if err != nil {
		return Radians(x), nil
	}
	radians, _ = long.Mul(long, exactly(degree)).Float64()
	return radians, nil
}

func exactly(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// digitsOf returns the number of digits in the mantissa of text, without leading zeros.
func digitsOf(text string) (n int) {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	for _, r := range mantissa {
		if r > '0' && r <= '9' || r == '0' && n > 0 {
			n++
		}
	}
	return n
}
