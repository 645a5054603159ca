package vec

import "math"

const (
	ln2Head = 6.93147180369123816490e-01 // the first 32 bits of the logarithm of 2
	ln2Tail = 1.90821492927058770002e-10 // the rest
)

// Exp returns e to the power of x, with the same bits on every processor. The error is
// below one unit in the last place. It is 0 below about -745, infinite above about 709.8,
// and NaN of NaN.
//
// Source: reduction and polynomial of FreeBSD's msun, e_exp.c.
func Exp(x float64) float64 {
	const (
		most  = 7.09782712893383973096e+02
		least = -7.45133219101941108420e+02

		p1 = 1.66666666666666657415e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08
	)
	switch {
	case x != x:
		return x
	case x > most:
		return math.Inf(1)
	case x < least:
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

// Log returns the natural logarithm of x, with the same bits on every processor. The error
// is below one unit in the last place. It is -Inf of 0, and NaN below that.
//
// Source: reduction and polynomial of FreeBSD's msun, e_log.c.
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
