package systems

import (
	"math"

	"github.com/8f878440/crowd/systems/catalog"
)

// What behaviors that look at neighbors have in common.

func neighborDist(at *float64) catalog.Param {
	return catalog.Number("neighbor-dist", at, "m", "how near neighbors are, from center to center").Older("radius")
}

func fieldOfView(at *float64) catalog.Param {
	return catalog.Number("field-of-view", at, "", "width of the field of view around the velocity; 0, or 360 and more: all round").InDegrees().Or(0.).Older("view").
		Within(catalog.Limits{Max: 4 * math.Pi}).InFile(catalog.Limits{Max: 720}) // more in code is meant in degrees
}

func maxNeighbors(at *uint32) catalog.Param {
	return catalog.Count("max-neighbors", at, "how many neighbors count, the nearest ones; 0: all").Or(uint32(0)).Older("most")
}
