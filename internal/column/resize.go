package column

import "slices"

// Resize returns a slice of n elements that begins with those of s, in the same memory if
// that is large enough; what was cut off before is not there again.
func Resize[T any](s []T, n int) []T {
	if n <= len(s) {
		clear(s[n:])
		return s[:n]
	}
	return slices.Grow(s, n-len(s))[:n]
}
