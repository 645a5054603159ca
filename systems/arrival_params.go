package systems

import "github.com/8f878440/crowd/systems/catalog"

func slowingRadius(at *float64) catalog.Param {
	return catalog.Number("slowing-radius", at, "m", "distance from the target at which it begins to slow down")
}

func timeConstant(at *float64) catalog.Param {
	return catalog.Number("time-constant", at, "s", "the time in which the velocity follows").Within(catalog.AboveZero).Or(1.)
}
