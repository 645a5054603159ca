package scene

import (
	"math"
	"strings"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Spread is a distribution from which each agent's number is drawn. Except with Uniform, a draw below Min or
// above Max is repeated up to 15 times, and then clamped.
type Spread struct {
	Distribution
	Mean, SD     float64 // mean and standard deviation of Normal; for LogNormal, of the logarithm
	Shape, Scale float64 // of Gamma and Weibull; Exponential has the mean Scale
	Min, Max     float64 // limits, possibly infinite; the range of Uniform
}

// Distribution is the kind of a Spread.
type Distribution int

const (
	Uniform     Distribution = iota
	Normal                   // sum of twelve uniform numbers, so within 6 standard deviations of the mean
	LogNormal                // the logarithm is normally distributed
	Exponential              // intervals between independent events
	Gamma
	Weibull
)

const (
	tails    = 6    // maximum of hash.Normal, in standard deviations
	farTails = 8.21 // maximum of normalQuantile
	mostLog  = 36.8 // minus the logarithm of the smallest probability
)

func (d *Spread) draw(seed, id, use uint64) float64 {
	if d.Distribution == Uniform {
		return d.Min + float64((d.Max-d.Min)*frame.HashFloat(seed, id, 0, 4*use))
	}
	numbers := uint64(64) // maximum per try
	if d.Distribution == Normal {
		numbers = hash.NormalDraws
	}
	return hash.Within(d.Min, d.Max, func(try uint64) float64 {
		return d.try(func(k uint64) float64 { return frame.HashFloat(seed, id, try*numbers+k, 4*use) })
	})
}

// try draws a number, ignoring Min and Max. The function uniform returns independent numbers in [0, 1).
func (d *Spread) try(uniform func(k uint64) float64) float64 {
	switch d.Distribution {
	case Normal:
		return d.Mean + float64(d.SD*hash.Normal(uniform))
	case LogNormal:
		return vec.Exp(d.Mean + float64(d.SD*normalQuantile(uniform(0))))
	case Exponential:
		return -d.Scale * vec.Log(1-uniform(0))
	case Gamma:
		return d.Scale * gamma(d.Shape, uniform)
	default:
		return d.Scale * power(-vec.Log(1-uniform(0)), 1/d.Shape)
	}
}

// gamma draws a number from the gamma distribution with a scale of 1.
//
// Source: Marsaglia, Tsang, "A simple method for generating gamma variables", 2000.
func gamma(shape float64, uniform func(k uint64) float64) float64 {
	const tries = 30 // three tries almost always suffice
	if shape < 1 {
		return gamma(shape+1, uniform) * power(1-uniform(2*tries), 1/shape)
	}
	d := shape - 1./3
	c := 1 / math.Sqrt(9*d)
	for k := range uint64(tries) {
		x := normalQuantile(uniform(2 * k))
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if vec.Log(1-uniform(2*k+1)) < float64(x*x/2)+d-float64(d*v)+float64(d*vec.Log(v)) {
			return d * v
		}
	}
	return d
}

// power returns x^y for x ≥ 0 and y > 0.
func power(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return vec.Exp(float64(y * vec.Log(x)))
}

// normalQuantile returns the u-quantile of the standard normal distribution, for 0 ≤ u < 1, with a
// relative error of about 1e-9.
//
// Source: rational approximation by Acklam, 2003.
func normalQuantile(u float64) float64 {
	const tail = 0.02425
	u += 0x1p-55 // a quarter of the smallest step, so u > 0
	if u > 0.5 {
		return -normalQuantile(1 - u)
	}
	if u >= tail {
		q := u - 0.5
		return float64(q*polynomial(q*q, -3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02, 1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00)) /
			polynomial(q*q, -5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01, -1.328068155288572e+01, 1)
	}
	q := math.Sqrt(-2 * vec.Log(u))
	return polynomial(q, -7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00, -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00) /
		polynomial(q, 7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00, 1)
}

// polynomial returns the value of a polynomial at x. Coefficients begin with that of the highest power.
func polynomial(x float64, coefficients ...float64) float64 {
	sum := 0.
	for _, c := range coefficients {
		sum = float64(sum*x) + c
	}
	return sum
}

func (d *Spread) bounds() (low, high float64) {
	switch d.Distribution {
	case Uniform:
		return d.Min, d.Max
	case Normal:
		low, high = d.Mean-float64(tails*d.SD), d.Mean+float64(tails*d.SD)
	case LogNormal:
		high = vec.Exp(d.Mean + float64(farTails*d.SD))
	case Exponential:
		high = d.Scale * mostLog
	case Gamma:
		shape := d.Shape
		if shape < 1 {
			shape++
		}
		root := 1 + farTails/math.Sqrt(9*(shape-1./3))
		high = d.Scale * (shape - 1./3) * float64(root*root*root)
	default:
		high = d.Scale * power(mostLog, 1/d.Shape)
	}
	return max(min(low, d.Max), d.Min), max(min(high, d.Max), d.Min)
}

// mean returns the mean of the distribution without limits, clamped to Min and Max.
func (d *Spread) mean() float64 {
	mean := 0.
	switch d.Distribution {
	case Uniform:
		return d.Min + float64((d.Max-d.Min)/2)
	case Normal:
		mean = d.Mean
	case LogNormal:
		mean = vec.Exp(d.Mean + float64(d.SD*d.SD/2))
	case Exponential:
		mean = d.Scale
	case Gamma:
		mean = d.Shape * d.Scale
	default:
		mean = d.Scale * math.Gamma(1+1/d.Shape)
	}
	return min(max(mean, d.Min), d.Max)
}

type drawn struct {
	uniform, normal, logNormal, gamma, weibull *r2.Vec
	exponential                                *float64
	min, max                                   float64
}

func (d *drawn) keys() []key {
	return []key{
		maybe("uniform", &d.uniform, pair("two numbers, [minimum, maximum]"), "smallest and largest number of a uniform distribution"),
		maybe("normal", &d.normal, pair("two numbers, [mean, deviation]"), "mean and standard deviation; no draw is more than 6 deviations from the mean"),
		maybe("log-normal", &d.logNormal, pair("two numbers, [mean, deviation]"), "mean and standard deviation of the logarithm"),
		maybe("exponential", &d.exponential, positive, "the mean"),
		maybe("gamma", &d.gamma, pair("two numbers, [shape, scale]"), "shape and scale, whose product is the mean"),
		maybe("weibull", &d.weibull, pair("two numbers, [shape, scale]"), "shape and scale"),
		may("min", &d.min, number(anyOrNone), math.Inf(-1), "minimum, not for uniform: smaller draws are repeated"),
		may("max", &d.max, number(anyOrNone), math.Inf(1), "maximum, not for uniform: larger draws are repeated"),
	}
}

func (d *Spread) inFile() drawn {
	in := drawn{min: d.Min, max: d.Max}
	switch d.Distribution {
	case Uniform:
		return drawn{uniform: &r2.Vec{X: d.Min, Y: d.Max}, min: math.Inf(-1), max: math.Inf(1)}
	case Normal:
		in.normal = &r2.Vec{X: d.Mean, Y: d.SD}
	case LogNormal:
		in.logNormal = &r2.Vec{X: d.Mean, Y: d.SD}
	case Exponential:
		in.exponential = &d.Scale
	case Gamma:
		in.gamma = &r2.Vec{X: d.Shape, Y: d.Scale}
	default:
		in.weibull = &r2.Vec{X: d.Shape, Y: d.Scale}
	}
	return in
}

func (d drawn) spread(r *reader, n *node) *Spread {
	s := &Spread{Min: d.min, Max: d.max}
	var are []string
	take := func(name string, of Distribution, numbers *r2.Vec, first, second *float64) {
		if numbers != nil {
			are = append(are, name)
			s.Distribution, *first, *second = of, numbers.X, numbers.Y
		}
	}
	take("uniform", Uniform, d.uniform, &s.Min, &s.Max)
	take("normal", Normal, d.normal, &s.Mean, &s.SD)
	take("log-normal", LogNormal, d.logNormal, &s.Mean, &s.SD)
	take("gamma", Gamma, d.gamma, &s.Shape, &s.Scale)
	take("weibull", Weibull, d.weibull, &s.Shape, &s.Scale)
	if d.exponential != nil {
		are = append(are, "exponential")
		s.Distribution, s.Scale = Exponential, *d.exponential
	}
	const all = "one of uniform, normal, log-normal, exponential, gamma, weibull"
	switch {
	case len(are) == 0:
		r.fault(n.offset, "%s has no distribution, want %s", r.at(), all)
	case len(are) > 1:
		r.fault(n.offset, "%s has %s, want %s", r.at(), strings.Join(are, " and "), all)
	case d.uniform != nil && !(s.Min <= s.Max):
		r.fault(n.offset, "%s.uniform is [%v, %v], want the smaller number first", r.at(), s.Min, s.Max)
	case d.uniform != nil && !(math.IsInf(d.min, -1) && math.IsInf(d.max, 1)):
		r.fault(n.offset, "%s has uniform, and min or max, which only other distributions take", r.at())
	case (d.normal != nil || d.logNormal != nil) && !(s.SD > 0):
		r.fault(n.offset, "%s.%s is [%v, %v], want a standard deviation above 0", r.at(), are[0], s.Mean, s.SD)
	case (d.gamma != nil || d.weibull != nil) && !(s.Shape > 0 && s.Scale > 0):
		r.fault(n.offset, "%s.%s is [%v, %v], want shape and scale above 0", r.at(), are[0], s.Shape, s.Scale)
	case !(s.Min <= s.Max):
		r.fault(n.offset, "%s has min %v and max %v, want min ≤ max", r.at(), s.Min, s.Max)
	default:
		return s
	}
	return nil
}
