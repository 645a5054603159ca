//go:build !amd64 || noasm

package kernel

// Near returns from and false: the caller finds the pairs.
func Near(_ *Pairs, from int, _ *Crowd, _ []Part, _ *Seekers) (end int, ok bool) {
	return from, false
}

// HalfPlanes returns from: the caller computes all half-planes.
func HalfPlanes(_ *Pairs, from, _ int, _ *Bounds) int { return from }

// Hindering returns false: the caller assumes that every pair may hinder.
func Hindering(*Pairs, []Preferred) bool { return false }

// Worst returns false: the caller finds the half-plane.
func Worst(_, _, _ []float64, _, _, _ float64) (at int, most float64, ok bool) { return 0, 0, false }
