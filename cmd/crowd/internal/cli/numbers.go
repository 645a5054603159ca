package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// Bytes formats n with up to three significant digits, such as 1.5 kB, or like Number for 1,000 TB or more.
func Bytes(n int64) string { return scaled(float64(n), "bytes", "kB", "MB", "GB", "TB") }

// Duration formats ns with up to three significant digits, such as 1.5 ms, or like Number for 1,000 s or
// more.
func Duration(ns int64) string { return scaled(float64(ns), "ns", "µs", "ms", "s") }

// scaled formats x in the first unit in which x rounds to less than 1000, or in the last. Each unit is 1000
// times the one before.
func scaled(x float64, units ...string) string {
	for ; x >= 999.5 && len(units) > 1; units = units[1:] {
		x /= 1000
	}
	if x >= 999.5 {
		return Number(x) + " " + units[0]
	}
	return strconv.FormatFloat(x, 'g', 3, 64) + " " + units[0]
}

// Plural formats a count with its noun, such as 1,000 agents.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Thousands(n) + " " + thing + "s"
}

// Thousands formats n with thousands separators.
func Thousands(n int) string { return humanize.Comma(int64(n)) }

// Number formats x with up to four significant digits or, from 1,000 to 1e10, as a whole number with
// thousands separators.
func Number(x float64) string {
	if a := math.Abs(x); a >= 1000 && a < 1e10 {
		return Commas(strconv.FormatFloat(x, 'f', 0, 64))
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// Commas adds thousands separators to the integer part of a number.
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

// Drawable reports whether x can be plotted. Differences of larger numbers may overflow.
func Drawable(x float64) bool { return math.Abs(x) <= 1e300 }

// OrDash returns *x in the given format, or "–" if x is nil.
func OrDash(format string, x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf(format, *x)
}

// Percent returns the share *x as a percentage, or "–" if x is nil.
func Percent(x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf("%.4g%%", 100**x)
}

// Spread returns half the interquartile range divided by the median. It panics if there are no values.
func Spread(values []float64) float64 {
	return (Quantile(values, 0.75) - Quantile(values, 0.25)) / 2 / Quantile(values, 0.5)
}

// Quantile returns the q-quantile of values with linear interpolation (type 7 of Hyndman and Fan 1996). It
// panics if there are no values.
func Quantile(values []float64, q float64) float64 {
	return quantile(slices.Sorted(slices.Values(values)), q)
}

func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	return sorted[i] + (at-float64(i))*(sorted[min(i+1, len(sorted)-1)]-sorted[i])
}

// Quartiles sorts values and returns their quartiles, or NaNs if there are none.
func Quartiles(values []float64) [3]float64 {
	if len(values) == 0 {
		return [3]float64{math.NaN(), math.NaN(), math.NaN()}
	}
	slices.Sort(values)
	return [3]float64{quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)}
}

// Size is the value of --size, WIDTH or WIDTHxHEIGHT in pixels. An omitted side is 0.
type Size struct{ Width, Height int }

// UnmarshalText parses a size such as 640 or 640x480.
func (s *Size) UnmarshalText(text []byte) (err error) {
	width, height, both := strings.Cut(string(text), "x")
	if s.Width, err = strconv.Atoi(width); err == nil && both {
		s.Height, err = strconv.Atoi(height)
	}
	if err != nil || s.Width == 0 || both && s.Height == 0 {
		return fmt.Errorf("invalid size %q, want a width or WIDTHxHEIGHT in pixels, such as 640 or 640x480", text)
	}
	return nil
}

// Check returns an error if a side, unless omitted, is not between least and most pixels.
func (s Size) Check(least, most int) error {
	for _, side := range []int{s.Width, s.Height} {
		if side != 0 && (side < least || side > most) {
			return fmt.Errorf("a side of --size is %d pixels, want %d to %d", side, least, most)
		}
	}
	return nil
}
