package scene

import (
	"math"

	"github.com/8f878440/crowd/internal/angle"
)

// inDegrees is the codec of an angle, 0 or more, that is in degrees in a file and in
// radians elsewhere.
func inDegrees(number codec[float64]) codec[float64] {
	c := number
	c.read = func(r *reader, n *node) float64 {
		before := len(r.faults) + r.more
		x := number.read(r, n)
		if len(r.faults)+r.more > before {
			return x
		}
		if exact, err := angle.Parse(n.text); err == nil {
			return exact
		}
		return angle.Radians(x) // a number that is not decimal
	}
	c.write = func(w *writer, x float64) {
		if math.IsInf(x, 0) {
			number.write(w, x)
			return
		}
		w.WriteString(angle.Text(x))
	}
	c.binding = func(at *float64) *binding {
		d := number.binding(at)
		d.get = func() float64 { return angle.Degrees(*at) }
		d.set = func(x float64) { *at = angle.Radians(x) }
		return d
	}
	return c
}
