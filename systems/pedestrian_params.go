package systems

import "github.com/8f878440/crowd/systems/catalog"

// What the models of pedestrians have in common.

func relaxationTime(at *float64) catalog.Param {
	return catalog.Number("relaxation-time", at, "s", "in which it takes on the velocity that it desires").Within(catalog.AboveZero).Or(0.5)
}

func rangeOf(key string, at *float64, of string) catalog.Param {
	return catalog.Number(key, at, "m", "over which "+of+" falls").Within(catalog.AboveZero)
}

func lookDist(at *float64) catalog.Param {
	return catalog.Number("neighbor-dist", at, "m", "how far it looks for others, from center to center, and for walls")
}

func timeGap(at *float64) catalog.Param {
	return catalog.Number("time-gap", at, "s", "in which it would cover the gap to those ahead").Within(catalog.AboveZero)
}

func onDirection(key string, at *float64, of string) catalog.Param {
	return catalog.Number(key, at, "", "of "+of+" on its direction where bodies touch, as a multiple of the pull of the target")
}
