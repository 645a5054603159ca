package vec

import "math"

const (
	piHalfHead = 1.57079632673412561417e+00 // the first 33 bits of π/2
	piHalfMid  = 6.07710050630396597660e-11 // the next 33 bits
	piHalfTail = 2.02226624879595063154e-21 // the rest
	maxReduced = 0x1p20                     // up to here a quadrant's number times the head is exact
	twoPi      = 2 * math.Pi
)

// SinCos returns the sine and the cosine of a, in radians. The error is below
// 2e-16 up to |a| = 2^20, and below |a|·1e-16 beyond; neither value leaves
// [-1, 1]. The angle counts as zero if it is NaN or infinite.
//
// Source: reduction and polynomials of FreeBSD's msun, k_sin.c and k_cos.c.
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

// sinCosReduced is SinCos within an eighth of a turn of zero.
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

// arctan returns the angle in [0, π/2] whose tangent is y/x, for y and x that
// are not negative and not both zero.
//
// Source: intervals and polynomial of FreeBSD's msun, s_atan.c.
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

// WrapAngle returns a, in radians, brought into (-π, π] by whole turns of
// 2*math.Pi; a itself if it is NaN or infinite.
func WrapAngle(a float64) float64 {
	if a > -math.Pi && a <= math.Pi || a-a != 0 {
		return a
	}
	switch a = math.Mod(a, twoPi); {
	case a > math.Pi:
		return a - twoPi
	case a <= -math.Pi:
		return a + twoPi
	}
	return a
}

// Wrap returns the coordinate x brought into [0, size) by whole sizes: -0.5 in
// [0, 2π) is 5.783. It returns x itself if x or size is NaN or infinite, or
// size is not above zero.
func Wrap(x, size float64) float64 {
	if x >= 0 && x < size || !(size > 0) || size-size != 0 || x-x != 0 {
		return x
	}
	x = math.Mod(x, size)
	if x < 0 {
		x += size
	}
	// A negative x that is tiny against the size has been rounded up to it.
	if x >= size || x == 0 {
		return 0
	}
	return x
}

// Decay returns 1-e^(-x), the share of a difference that is gone after x time
// constants, in [0, 1] with a relative error below 1e-15; 0 if x is negative
// or NaN.
//
// Source: the rational approximation of FreeBSD's msun, e_exp.c.
func Decay(x float64) float64 {
	const (
		ln2Head = 6.93147180369123816490e-01
		ln2Tail = 1.90821492927058770002e-10

		p1 = 1.66666666666666019037e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08

		one = 40 // e^-40 is below half a bit of 1
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
