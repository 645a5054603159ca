//go:build !amd64 || noasm

package kernel

import c "github.com/8f878440/crowd/components"

// Threatened returns 0, 0: the caller goes through all threats.
func Threatened([]c.Threat, *[SiftWays]uint8) (done, found int) { return 0, 0 }

// Touch returns 0: the caller computes all distances.
func Touch([]uint32, []uint8, *float64, []Way, *[SiftQueue]float64) int { return 0 }

// Meet returns 0: the caller computes all contacts.
func Meet([]uint8, *float64, *float64, []Way, *float64) int { return 0 }

// Avoid returns 0: the caller computes all rows.
func Avoid([]uint8, []c.Velocity, []c.Threat, []c.Avoidance, []c.Steering) int { return 0 }
