package systems

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// inView reports whether what is offset meters away is in the field of view of one that
// faces along heading: within an angle of it to both sides, of which cosine is given; -1
// is all round. Who has no heading sees all round, and everyone sees what is in the same
// place. It is how a field of view is defined; what runs takes no root.
func inView(heading, offset r2.Vec, cosine float64) bool {
	if cosine <= -1 || heading == (r2.Vec{}) || offset == (r2.Vec{}) {
		return true
	}
	h, o := vec.Norm(heading), vec.Norm(offset)
	return vec.Dot(vec.Scale(1/h, heading), vec.Scale(1/o, offset)) >= cosine && !math.IsNaN(cosine)
}
