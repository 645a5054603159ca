package catalog

import (
	"fmt"
	"math"
)

// Limits are those of a number.
type Limits struct {
	Min, Max float64
	Above    bool // Min itself is not allowed
	Infinite bool // infinity is allowed, if Max is
	Whole    bool // it has no fraction
}

// Usual limits.
var (
	ZeroOrMore = Limits{Max: math.Inf(1)}
	AboveZero  = Limits{Max: math.Inf(1), Above: true}
	OrInfinite = Limits{Max: math.Inf(1), Infinite: true} // zero or more
	Share      = Limits{Max: 1}
)

// What fits into the types of counts.
var (
	anyInt    = Limits{Max: math.MaxInt32, Whole: true}
	anyUint32 = Limits{Max: math.MaxUint32, Whole: true}
)

// Allow reports whether a number is within the limits.
func (l *Limits) Allow(x float64) bool {
	if x > l.Min && x < l.Max && !l.Whole {
		return true
	}
	return x >= l.Min && x <= l.Max && !(l.Above && x == l.Min) && (l.Infinite || !math.IsInf(x, 0)) && (!l.Whole || x == math.Trunc(x))
}

// String returns the limits in words, such as "a finite number, 0 or more".
func (l Limits) String() string {
	number := "a finite number"
	switch {
	case l.Infinite:
		number = "a number"
	case l.Whole:
		number = "a whole number"
	}
	switch {
	case l == anyInt, l == anyUint32:
		return fmt.Sprintf("%s, %v or more", number, l.Min)
	case l.Above && math.IsInf(l.Max, 1):
		return fmt.Sprintf("%s above %v", number, l.Min)
	case !math.IsInf(l.Max, 1):
		return fmt.Sprintf("%v to %v", l.Min, l.Max)
	case !math.IsInf(l.Min, -1):
		return fmt.Sprintf("%s, %v or more", number, l.Min)
	}
	return number
}
