package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// farSight is how far the agents of a worker looked to either side of the middle
// of what they looked at, in m.
type farSight struct{ reach float64 }

// look notes how far an agent looks, if that is a number.
func (f *farSight) look(reach float64) {
	if reach > f.reach && reach-reach == 0 {
		f.reach = reach
	}
}

// ahead returns what the body of an agent touches first within the horizon. One
// at rest is tested where it is.
func ahead(obstacles *sense.Obstacles, p, v r2.Vec, horizon, body float64, seen *farSight) (c.Threat, bool) {
	if obstacles.Len() == 0 {
		return c.Threat{}, false
	}
	length := float64(vec.Norm(v) * horizon)
	seen.look(float64(length/2) + body)
	return obstacles.Sweep(p, vec.Unit(v), length, body)
}
