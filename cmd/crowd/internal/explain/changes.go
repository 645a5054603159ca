package explain

import (
	"fmt"
	"math"
	"strings"

	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// changesText says what a rule does that is no force.
func changesText(s *world.Share) string {
	var parts []string
	part := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	const noise = 1e-12 // of rounding, and nobody wants to read it
	by := func(v *r2.Vec) string {
		if r2.Norm(*v) < noise {
			return "(0, 0)"
		}
		return placeText(*v)
	}
	signed := func(x *float64, times float64) string {
		if math.Abs(*x) < noise {
			return "0"
		}
		return fmt.Sprintf("%+.4g", *x*times)
	}
	if s.Target != nil && s.Behavior == "FleeFrom" {
		part("flees from %s m", placeText(*s.Target))
	} else if s.Target != nil {
		part("target %s m", placeText(*s.Target))
	}
	if s.Position != nil {
		part("position by %s m", by(s.Position))
	}
	if s.Velocity != nil {
		part("velocity by %s m/s", by(s.Velocity))
	}
	if s.Turn != nil {
		part("turns by %s °", signed(s.Turn, 180/math.Pi))
	}
	if s.Speed != nil {
		part("speed by %s m/s", signed(s.Speed, 1))
	}
	if s.MaxSpeed != nil {
		part("greatest speed by %s m/s", signed(s.MaxSpeed, 1))
	}
	return strings.Join(parts, ", ")
}
