package main

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
)

// sizeTicks marks the logarithms of the sizes that were measured, and writes those
// that have room.
func sizeTicks(sizes []float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	room := math.Pow(sizes[len(sizes)-1]/sizes[0], 0.12)
	last := 0.
	for _, x := range sizes {
		tick := plot.Tick{Value: math.Log10(x)}
		if x >= last*room {
			tick.Label, last = thousands(int(x)), x
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// evenTicks marks 0 to most in about five steps of 1, 2 or 5 times a power of ten.
func evenTicks(most float64) plot.ConstantTicks {
	step := math.Pow(10, math.Floor(math.Log10(most)))
	switch {
	case most < 2*step:
		step /= 5
	case most < 5*step:
		step /= 2
	}
	var ticks plot.ConstantTicks
	for i := 0; float64(i)*step <= most; i++ {
		ticks = append(ticks, plot.Tick{Value: float64(i) * step, Label: fmt.Sprintf("%.6g", float64(i)*step)})
	}
	return ticks
}

// powerTicks marks powers of ten by their logarithms, and unlabelled their
// multiples.
func powerTicks(least, most int) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for power := least; power <= most; power++ {
		ticks = append(ticks, plot.Tick{Value: float64(power), Label: fmt.Sprintf("%.6g", math.Pow10(power))})
		for k := 2.; k < 10 && power < most; k++ {
			ticks = append(ticks, plot.Tick{Value: float64(power) + math.Log10(k)})
		}
	}
	return ticks
}
