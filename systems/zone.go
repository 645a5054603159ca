package systems

import (
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// inZone reports whether p is in the zone of effect around a point, the rim
// included; a radius of 0 is everywhere.
func inZone(p, center r2.Vec, radius float64) bool {
	return radius == 0 || vec.Norm2(vec.Sub(p, center)) <= radius*radius
}
