package vec

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

const (
	ln2Head = 6.93147180369123816490e-01 // first 32 bits of ln 2
	ln2Tail = 1.90821492927058770002e-10 // the other bits
)

// Exp returns e to the power of x, with an error below one unit in the last place. The result is 0 for x
// below about -745, and +Inf for x above about 709.8.
//
// Source: the reduction and the polynomial of FreeBSD's msun, e_exp.c.
func Exp(x float64) float64 {
	const (
		overflow  = 7.09782712893383973096e+02
		underflow = -7.45133219101941108420e+02

		p1 = 1.66666666666666657415e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08
	)
	switch {
	case x != x:
		return x
	case x > overflow:
		return math.Inf(1)
	case x < underflow:
		return 0
	}
	k := math.RoundToEven(float64(x * math.Log2E))
	head := x - float64(k*ln2Head)
	tail := float64(k * ln2Tail)
	r := head - tail
	t := float64(r * r)
	c := r - float64(t*(p1+float64(t*(p2+float64(t*(p3+float64(t*(p4+float64(t*p5)))))))))
	y := 1 - ((tail - float64(r*c)/(2-c)) - head)
	return math.Ldexp(y, int(k))
}

// Log returns the natural logarithm of x, with an error below one unit in the last place. The result is
// -Inf for 0 and NaN for negative numbers.
//
// Source: the reduction and the polynomial of FreeBSD's msun, e_log.c.
func Log(x float64) float64 {
	const (
		l1 = 6.666666666666735130e-01
		l2 = 3.999999999940941908e-01
		l3 = 2.857142874366239149e-01
		l4 = 2.222219843214978396e-01
		l5 = 1.818357216161805012e-01
		l6 = 1.531383769920937332e-01
		l7 = 1.479819860511658591e-01
	)
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	f, exponent := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f *= 2
		exponent--
	}
	f--
	k := float64(exponent)
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	odd := float64(s2 * (l1 + float64(s4*(l3+float64(s4*(l5+float64(s4*l7)))))))
	even := float64(s4 * (l2 + float64(s4*(l4+float64(s4*l6)))))
	half := float64(0.5 * f * f)
	return float64(k*ln2Head) - ((half - (float64(s*(half+(odd+even))) + float64(k*ln2Tail))) - f)
}

const (
	piHalfHead = 1.57079632673412561417e+00 // first 33 bits of π/2
	piHalfMid  = 6.07710050630396597660e-11 // next 33 bits
	piHalfTail = 2.02226624879595063154e-21 // the other bits
	maxReduced = 0x1p20                     // up to this angle, quadrant·piHalfHead is exact
	twoPi      = 2 * math.Pi
)

// SinCos returns the sine and the cosine of the angle a, in radians, both in [-1, 1]. The error is
// below 2e-16 if |a| is at most 2^20, and below |a|·1e-16 otherwise. NaN and infinite angles count as
// zero.
//
// Source: the reduction and the polynomials of FreeBSD's msun, k_sin.c and k_cos.c.
func SinCos(a float64) (sin, cos float64) {
	if a-a != 0 {
		return 0, 1
	}
	if math.Abs(a) > maxReduced {
		a = math.Mod(a, twoPi)
	}
	quadrant := math.RoundToEven(a * (2 / math.Pi))
	a -= float64(quadrant * piHalfHead)
	a -= float64(quadrant * piHalfMid)
	a -= float64(quadrant * piHalfTail)

	sin, cos = sinCosReduced(a)
	switch int64(quadrant) & 3 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}

// sinCosReduced is like SinCos, but only for angles up to an eighth of a turn from zero.
func sinCosReduced(a float64) (sin, cos float64) {
	const (
		s1 = -1.66666666666666324348e-01
		s2 = 8.33333333332248946124e-03
		s3 = -1.98412698298579493134e-04
		s4 = 2.75573137070700676789e-06
		s5 = -2.50507602534068634195e-08
		s6 = 1.58969099521155010221e-10

		c1 = 4.16666666666666019037e-02
		c2 = -1.38888888888741095749e-03
		c3 = 2.48015872894767294178e-05
		c4 = -2.75573143513906633035e-07
		c5 = 2.08757232129817482790e-09
		c6 = -1.13596475577881948265e-11
	)
	z := a * a
	ps := s2 + float64(z*(s3+float64(z*(s4+float64(z*(s5+float64(z*s6)))))))
	sin = a + float64(float64(z*a)*(s1+float64(z*ps)))

	pc := c1 + float64(z*(c2+float64(z*(c3+float64(z*(c4+float64(z*(c5+float64(z*c6)))))))))
	half := float64(0.5 * z)
	w := 1 - half
	cos = w + (((1 - w) - half) + float64(float64(z*z)*pc))
	return sin, cos
}

// arctan returns the angle in [0, π/2] whose tangent is y/x. x and y must not be negative, and must not
// both be zero.
//
// Source: the intervals and the polynomial of FreeBSD's msun, s_atan.c.
func arctan(y, x float64) float64 {
	if y > x {
		return math.Pi/2 - arctan(x, y)
	}
	const (
		atanHalf     = 4.63647609000806093515e-01
		atanHalfTail = 2.26987774529616870924e-17
		atanOneTail  = 3.06161699786838301793e-17

		a0  = 3.33333333333329318027e-01
		a1  = -1.99999999998764832476e-01
		a2  = 1.42857142725034663711e-01
		a3  = -1.11111104054623557880e-01
		a4  = 9.09088713343650656196e-02
		a5  = -7.69187620504482999495e-02
		a6  = 6.66107313738753120669e-02
		a7  = -5.83357013379057348645e-02
		a8  = 4.97687799461593236017e-02
		a9  = -3.65315727442169155270e-02
		a10 = 1.62858201153657823623e-02
	)
	var head, tail, t float64
	switch t = y / x; {
	case t >= 11.0/16:
		head, tail = math.Pi/4, atanOneTail
		t = (y - x) / (y + x)
	case t >= 7.0/16:
		head, tail = atanHalf, atanHalfTail
		t = (float64(2*y) - x) / (float64(2*x) + y)
	}
	z := t * t
	w := z * z
	odd := float64(z * (a0 + float64(w*(a2+float64(w*(a4+float64(w*(a6+float64(w*(a8+float64(w*a10)))))))))))
	even := float64(w * (a1 + float64(w*(a3+float64(w*(a5+float64(w*(a7+float64(w*a9)))))))))
	return head - ((float64(t*(odd+even)) - tail) - t)
}

// Wrap returns the coordinate in [0, size) that differs from x by a multiple of size, up to rounding. It
// returns x itself if x or size is NaN or infinite, or if size is not positive.
func Wrap(x, size float64) float64 {
	if x >= 0 && x < size || !(size > 0) || size-size != 0 || x-x != 0 {
		return x
	}
	x = math.Mod(x, size)
	if x < 0 {
		x += size
	}
	// Adding size to a tiny negative x may round up to size.
	if x >= size || x == 0 {
		return 0
	}
	return x
}

// Decay returns 1-e^(-x), the fraction of a difference that has decayed after x time constants, with a
// relative error below 1e-15. The result is 0 if x is negative or NaN.
//
// Source: the rational approximation of FreeBSD's msun, e_exp.c.
func Decay(x float64) float64 {
	const (
		p1 = 1.66666666666666019037e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08

		one = 40 // e^-40 is below half a unit in the last place of 1
	)
	if !(x > 0) {
		return 0
	}
	if x > one {
		return 1
	}
	halvings := math.RoundToEven(x * (1 / math.Ln2))
	r := (x - float64(halvings*ln2Head)) - float64(halvings*ln2Tail)

	// 1-e^(-r) = 2r/(r + r·coth(r/2)), and r·coth(r/2) is 2 + r²/6 - …
	z := r * r
	coth := 2 + float64(z*(p1+float64(z*(p2+float64(z*(p3+float64(z*(p4+float64(z*p5)))))))))
	d := float64(2*r) / (r + coth)
	if halvings == 0 {
		return d
	}
	f := math.Ldexp(1, -int(halvings))
	return (1 - f) + float64(f*d)
}

// opposite is the largest deviation from a half turn, in radians, at which two directions count as opposite.
// Rounding alone can cause such a deviation.
const opposite = 0x1p-51

// bearing returns numbers proportional to the cosine and the sine of the angle from one vector to another.
// The sine is positive if the angle is to the left, and zero if the directions are opposite.
func bearing(from, to r2.Vec) (cos, sin float64) {
	from, to = moderate(from), moderate(to)
	cos, sin = Dot(from, to), Cross(from, to)
	if math.Abs(sin) <= -opposite*cos {
		sin = 0
	}
	return cos, sin
}

// Angle returns the angle in (-π, π], in radians, from one vector to another, positive to the left. It is π
// if the vectors are opposite to within 5e-16, and 0 if either is zero, NaN or infinite. The error is below
// 6e-16.
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

// TurnTowards returns the unit vector h turned toward the direction of d by at most limit radians. If h and d
// are opposite, h turns to the left. TurnTowards returns h if d is zero or limit is not positive, and the
// direction of d if h is zero.
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
	// The sign of sin(limit-|angle|) shows which of the two is larger, without losing digits near zero or a
	// half turn.
	if float64(sinLimit*cos)-float64(cosLimit*math.Abs(sin)) >= 0 {
		return to
	}
	if sin < 0 {
		sinLimit = -sinLimit
	}
	return Unit(Rotate(moderate(h), cosLimit, sinLimit))
}

// TurnShare is like TurnTowards, but turns h by share times the angle between h and d. It returns h if d is
// zero or share is not positive, and the direction of d if share is at least 1 or h is zero.
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
