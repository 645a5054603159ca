package vec

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// opposite is the sine up to which two directions more than a quarter of a turn
// apart count as exactly opposite: what rounding makes of an exact half turn.
const opposite = 0x1p-51

// bearing returns numbers proportional to the cosine and the sine of the angle
// from one vector to another. The sine is positive to the left, and zero when
// the directions are opposite.
func bearing(from, to r2.Vec) (cos, sin float64) {
	from, to = moderate(from), moderate(to)
	cos, sin = Dot(from, to), Cross(from, to)
	if math.Abs(sin) <= -opposite*cos {
		sin = 0
	}
	return cos, sin
}

// Angle returns the angle in (-π, π] from one vector to another, in radians and
// positive to the left. It is π when they are opposite to within 5e-16, and 0
// when either is zero, NaN or infinite. The error is below 6e-16.
func Angle(from, to r2.Vec) float64 {
	cos, sin := bearing(from, to)
	if sin == 0 && cos == 0 || cos-cos != 0 || sin-sin != 0 {
		return 0
	}
	a := arctan(math.Abs(sin), math.Abs(cos))
	if cos < 0 {
		a = math.Pi - a
	}
	if sin < 0 {
		return -a
	}
	return a
}

// TurnTowards returns the unit vector h turned towards the direction of d by at
// most limit radians. It turns to the left when the two are opposite.
//
// It returns h itself when d is zero or the limit is not above zero, and the
// direction of d when it is within the limit or h is zero.
func TurnTowards(h, d r2.Vec, limit float64) r2.Vec {
	if d == (r2.Vec{}) || !(limit > 0) {
		return h
	}
	to := Unit(d)
	if limit >= math.Pi || h == (r2.Vec{}) {
		return to
	}
	cos, sin := bearing(h, to)
	sinLimit, cosLimit := SinCos(limit)
	// The sine of limit-|angle| tells which of the two is larger, and loses no
	// digits near zero or half a turn.
	if float64(sinLimit*cos)-float64(cosLimit*math.Abs(sin)) >= 0 {
		return to
	}
	if sin < 0 {
		sinLimit = -sinLimit
	}
	return Unit(Rotate(moderate(h), cosLimit, sinLimit))
}

// TurnShare returns the unit vector h turned by a share in [0, 1] of the angle
// to the direction of d. It turns to the left when the two are opposite, and so
// never passes through zero.
//
// It returns h itself when d is zero or the share is not above zero, and the
// direction of d when the share is 1 or more or h is zero.
func TurnShare(h, d r2.Vec, share float64) r2.Vec {
	if d == (r2.Vec{}) || !(share > 0) {
		return h
	}
	if share >= 1 || h == (r2.Vec{}) {
		return Unit(d)
	}
	sin, cos := SinCos(share * Angle(h, d))
	return Unit(Rotate(moderate(h), cos, sin))
}
