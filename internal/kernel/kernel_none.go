//go:build !amd64 || noasm

package kernel

import (
	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

func available() Width { return Off }

// Seek returns 0: the caller computes all rows.
func Seek([]c.Position, []c.Velocity, []c.Target, []c.Limits, []c.Seek, []c.Steering) int { return 0 }

// Arrive returns 0: the caller computes all rows.
func Arrive([]c.Position, []c.Velocity, []c.Target, []c.Limits, []c.Arrival, []c.Steering) int {
	return 0
}

// Flee returns 0: the caller computes all rows.
func Flee([]c.Position, []c.Velocity, []c.Limits, []c.Flee, []c.Steering) int { return 0 }

// Integrate returns 0: the caller computes all rows.
func Integrate([]c.Position, []c.Velocity, []c.Steering, []c.Limits, []c.Mass, float64) int {
	return 0
}

// Threatened returns 0, 0: the caller goes through all threats.
func Threatened([]c.Threat, *[SiftWays]uint8) (done, found int) { return 0, 0 }

// Touch returns 0: the caller computes all distances.
func Touch([]uint32, []uint8, *float64, []Way, *[SiftQueue]float64) int { return 0 }

// Meet returns 0: the caller computes all contacts.
func Meet([]uint8, *float64, *float64, []Way, *float64) int { return 0 }

// Avoid returns 0: the caller computes all rows.
func Avoid([]uint8, []c.Velocity, []c.Threat, []c.Avoidance, []c.Steering) int { return 0 }

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

// Near returns false: the caller finds the pairs.
func Near(_ *Pairs, from int, _ *Crowd, _ []Part, _ *Seekers) (end int, ok bool) {
	return from, false
}

// HalfPlanes returns its parameter from: the caller computes all half-planes.
func HalfPlanes(_ *Pairs, from, _ int, _ *Bounds) int { return from }

// Hindering returns false: the caller assumes that every pair may hinder.
func Hindering(*Pairs, []Preferred) bool { return false }

// Worst returns false: the caller finds the half-plane.
func Worst(_, _, _ []float64, _, _, _ float64) (at int, most float64, ok bool) { return 0, 0, false }

// Aim returns 0: the caller computes all sweeps.
func Aim([]Way, []c.Position, []c.Velocity, []c.ThreatScan, []c.Radius, []c.Threat, *[4]float64) int {
	return 0
}

// Sift returns 0 as ready: the caller looks up all ways.
func Sift([]Way, *Sifter) (ready int, single bool, lists, done, found int) {
	return 0, true, 0, 0, 0
}

// Stay returns 0: the caller goes through all rows.
func Stay([]c.Position, []c.Target, []c.Goal) int { return 0 }

// Within returns 0: the caller goes through all rows.
func Within([]c.Position, *r2.Box) int { return 0 }

// Fetch does nothing.
func Fetch(**byte, []uint32, int, int) {}

// FetchRows does nothing.
func FetchRows(*byte, uintptr, []uint32) {}
