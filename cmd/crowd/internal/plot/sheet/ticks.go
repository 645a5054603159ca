package sheet

import (
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/plot"
)

// NiceStep returns the least of 1, 2 and 5 times a power of ten that is no less
// than x.
func NiceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if x <= k*power*(1+1e-9) {
			return k * power
		}
	}
	return 10 * power
}

// EvenTicks marks 0 to most in about five steps of 1, 2 or 5 times a power of ten.
func EvenTicks(most float64) plot.ConstantTicks {
	step := math.Pow(10, math.Floor(math.Log10(most)))
	switch {
	case most < 2*step:
		step /= 5
	case most < 5*step:
		step /= 2
	}
	return StepTicks(0, most, step)
}

// RangeTicks marks a range in at most a number of steps.
func RangeTicks(lo, hi float64, most int) plot.ConstantTicks {
	return StepTicks(lo, hi, NiceStep((hi-lo)/float64(most)))
}

// StepTicks marks the multiples of a step in a range.
func StepTicks(lo, hi, step float64) plot.ConstantTicks {
	const enough = 100 // where steps are less than the numbers' precision
	var ticks plot.ConstantTicks
	first := math.Ceil(lo/step - 1e-9)
	for i := 0.; i < enough && (first+i)*step <= hi+1e-9*step; i++ {
		x := (first + i) * step
		ticks = append(ticks, plot.Tick{Value: x, Label: tickText(x, step)})
	}
	return ticks
}

// powerTicks marks powers of ten by their logarithms, and unlabeled their
// multiples.
func powerTicks(least, most int) plot.ConstantTicks {
	every := 1 + (most-least-1)/8
	var ticks plot.ConstantTicks
	for power := least; power <= most; power++ {
		tick := plot.Tick{Value: float64(power)}
		if (power-least)%every == 0 {
			x := math.Pow10(power)
			tick.Label = tickText(x, x)
		}
		ticks = append(ticks, tick)
		for k := 2.; k < 10 && power < most && every == 1; k++ {
			ticks = append(ticks, plot.Tick{Value: float64(power) + math.Log10(k)})
		}
	}
	return ticks
}

// logTicks marks a range of logarithms.
func logTicks(lo, hi float64) plot.ConstantTicks {
	switch span := hi - lo; {
	case span > 1.6:
		return powerTicks(int(math.Floor(lo)), int(math.Ceil(hi)))
	case span < 0.6:
		ticks := RangeTicks(math.Pow(10, lo), math.Pow(10, hi), 6)
		for i := range ticks {
			ticks[i].Value = math.Log10(ticks[i].Value)
		}
		return ticks
	}
	var ticks plot.ConstantTicks
	for power := int(math.Floor(lo)); power <= int(math.Ceil(hi)); power++ {
		for k := 1.; k < 10; k++ {
			tick := plot.Tick{Value: float64(power) + math.Log10(k)}
			if k == 1 || k == 2 || k == 5 {
				tick.Label = tickText(k*math.Pow10(power), math.Pow10(power))
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// SizeTicks marks the logarithms of the sizes that were measured, and writes those
// that have room.
func SizeTicks(sizes []float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	room := math.Pow(sizes[len(sizes)-1]/sizes[0], 0.12)
	last := 0.
	for _, x := range sizes {
		tick := plot.Tick{Value: math.Log10(x)}
		if x >= last*room {
			tick.Label, last = numbers.Thousands(int(x)), x
		}
		ticks = append(ticks, tick)
	}
	return ticks
}
