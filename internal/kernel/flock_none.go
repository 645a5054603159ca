//go:build !amd64 || noasm

package kernel

// Flock does nothing.
func Flock(_, _, _, _ []float64, _ *Stretches, _ uint32, _, _ float64, _ *FlockRoom, _ []FlockSums) bool {
	return false
}

// Apart does nothing.
func Apart(_, _ []float64, _ *Stretches, _ uint32, _, _ float64, _ *[2]float64) (odd int, ok bool) {
	return 0, false
}
