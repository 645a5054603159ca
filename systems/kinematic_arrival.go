package systems

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// stopDistance is how near to its target a kinematic arrival stops, in meters.
const stopDistance = 0.001

// towards returns (to/timeConstant - v)^·|v|, which turns a velocity towards
// the target without changing its length much.
func towards(to, v r2.Vec, timeConstant float64) r2.Vec {
	return vec.WithNorm(vec.Sub(vec.Scale(1/timeConstant, to), v), vec.Norm(v))
}

// stopAtTarget returns the velocity that leads exactly to the target if one
// step at velocity v would come as far as that or farther, and zero at the
// target itself.
func stopAtTarget(to, v r2.Vec, dt float64) r2.Vec {
	d2 := vec.Norm2(to)
	if d2 <= stopDistance*stopDistance {
		return r2.Vec{}
	}
	if vec.Dot(v, to)*dt >= d2 && d2 < math.Inf(1) {
		return vec.Scale(1/dt, to)
	}
	return v
}
