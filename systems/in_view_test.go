package systems

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// inView reports whether a point offset meters away is in the field of view of an agent that faces
// along heading. The point must be within an angle of the heading on either side; cosine is the
// cosine of that angle, and -1 means all around. An agent without a heading sees all around, and
// every agent sees points at its own position. This is the definition of a field of view; the
// production code computes no square root.
func inView(heading, offset r2.Vec, cosine float64) bool {
	if cosine <= -1 || heading == (r2.Vec{}) || offset == (r2.Vec{}) {
		return true
	}
	h, o := vec.Norm(heading), vec.Norm(offset)
	return vec.Dot(vec.Scale(1/h, heading), vec.Scale(1/o, offset)) >= cosine && !math.IsNaN(cosine)
}
