//go:build !amd64 || noasm

package kernel

import (
	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

// Flock returns false: the caller computes the sums.
func Flock(_, _, _, _ []float64, _ *Stretches, _ uint32, _, _ float64, _ *FlockRoom, _ []FlockSums) bool {
	return false
}

// Apart returns false: the caller computes the sums.
func Apart(_, _ []float64, _ *Stretches, _ uint32, _, _ float64, _ *[2]float64) (odd int, ok bool) {
	return 0, false
}

// Separate returns 0: the caller computes all rows.
func Separate([]float64, []r2.Vec, []r2.Vec, []c.Limits, []c.Separation, []c.Steering) int { return 0 }

// Align returns 0: the caller computes all rows.
func Align([]float64, []r2.Vec, []c.Velocity, []c.Limits, []c.Alignment, []c.Steering) int { return 0 }

// Cohere returns 0: the caller computes all rows.
func Cohere([]float64, []r2.Vec, []c.Limits, []c.Cohesion, []c.Steering) int { return 0 }
