package measure

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// approach returns when two points are nearest to each other within a time, and
// how far apart they are then. One is at dp from the other and moves at dv
// relative to it; both keep their velocities. The time is 0 if they do not
// come nearer.
//
// Source: closest approach of two movers; its time is -dp·dv/|dv|².
func approach(dp, dv r2.Vec, until float64) (t, distance float64) {
	if closing := -vec.Dot(dp, dv); closing > 0 {
		t = min(closing/vec.Norm2(dv), until)
	}
	return t, vec.Norm(vec.AddScaled(dp, t, dv))
}

// nearShare returns the share of the time 0 to 1 in which two points are nearer
// than a distance to each other.
func nearShare(dp, dv r2.Vec, distance float64) float64 {
	a, b := vec.Norm2(dv), vec.Dot(dp, dv)
	c := vec.Norm2(dp) - float64(distance*distance)
	if a == 0 {
		if c < 0 {
			return 1
		}
		return 0
	}
	d := float64(b*b) - float64(a*c)
	if !(d > 0) {
		return 0
	}
	root := math.Sqrt(d)
	return max(0, min((root-b)/a, 1)-max((-root-b)/a, 0))
}
