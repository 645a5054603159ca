package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
)

// bodyOf returns the radius of agent i, 0 if there is none.
func bodyOf(radius []c.Radius, i int) float64 {
	if radius == nil {
		return 0
	}
	return radius[i].Meters
}

// speedLimit returns the top speed of agent i, infinite if it has no Limits.
func speedLimit(limits []c.Limits, i int) float64 {
	if limits == nil {
		return math.Inf(1)
	}
	return limits[i].MaxSpeed
}
