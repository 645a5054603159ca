package cli

import (
	"math"
	"strconv"
	"strings"
)

// Figure writes a figure with four digits, or more where it is whole.
func Figure(x float64) string {
	switch a := math.Abs(x); {
	case a >= 1e10 || a < 1e-4 && a > 0:
		return strconv.FormatFloat(x, 'g', 4, 64)
	case a >= 1000:
		return Commas(strconv.FormatFloat(x, 'f', 0, 64))
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// Commas puts commas into the whole part of a number.
func Commas(s string) string {
	whole, rest, _ := strings.Cut(s, ".")
	if n, err := strconv.Atoi(whole); err == nil && (n >= 1000 || n <= -1000) {
		whole = Thousands(n)
	}
	if rest != "" {
		rest = "." + rest
	}
	return whole + rest
}

// Drawable reports whether a number can be drawn at all: differences of larger ones may
// not be finite.
func Drawable(x float64) bool { return math.Abs(x) <= 1e300 }
