package view

import "github.com/8f878440/crowd/world/scene"

// units are those of the figures of a scene, for people to read.
type units struct{ length, time string }

// unitsOf returns those of a scene that has just been opened: in pixels with a step of 1,
// that step is the unit of time.
func unitsOf(sc *scene.Scene) units {
	switch {
	case !sc.InPixels():
		return units{"m", "s"}
	case sc.Dt == 1:
		return units{"px", "step"}
	}
	return units{"px", "s"}
}
