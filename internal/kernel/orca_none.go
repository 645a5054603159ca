//go:build !amd64 || noasm

package kernel

// Near does nothing.
func Near(_ *Pairs, from int, _ *Crowd, _ []Part, _ *Seekers) (end int, ok bool) {
	return from, false
}

// HalfPlanes does nothing.
func HalfPlanes(*Pairs, []Bounds) int { return 0 }
