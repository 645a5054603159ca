//go:build !amd64 || noasm

package kernel

import c "github.com/8f878440/crowd/components"

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
