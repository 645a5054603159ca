//go:build !amd64 || noasm

package kernel

// Near does nothing.
func Near(*Pairs, int, *Crowd, []Part, *Seeker) (n int, gaps, ok bool) { return 0, false, false }

// HalfPlanes does nothing.
func HalfPlanes(_ *Pairs, lo, _ int, _ *Bounds) int { return lo }
