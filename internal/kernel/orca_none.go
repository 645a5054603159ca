//go:build !amd64 || noasm

package kernel

// Near does nothing.
func Near(_ *Pairs, from int, _ *Crowd, _ []Part, _ *Seekers) (end int, ok bool) {
	return from, false
}

// HalfPlanes does nothing.
func HalfPlanes(_ *Pairs, from, _ int, _ *Bounds) int { return from }

// Hindering does nothing.
func Hindering(*Pairs, []Preferred) bool { return false }

// Worst does nothing.
func Worst(_, _, _ []float64, _, _, _ float64) (at int, most float64, ok bool) { return 0, 0, false }
