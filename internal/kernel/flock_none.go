//go:build !amd64 || noasm

package kernel

// Flock does nothing.
func Flock(_, _, _, _ []float64, _, _, _, _ float64, _ *[6]float64) (near, far int, ok bool) {
	return 0, 0, false
}

// Apart does nothing.
func Apart(_, _ []float64, _, _, _, _ float64, _ *[2]float64) (odd int, ok bool) { return 0, false }
