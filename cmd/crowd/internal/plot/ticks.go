package plot

import (
	"math"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Ticks marks an axis at multiples of 1, 2 or 5 times a power of ten, as many as have room. Labels
// have commas. plot.DefaultTicks has three labels at any length, and does not end where its steps
// are below the precision of the values.
type Ticks struct {
	Log    bool      // the axis has logarithms to the base of ten
	Whole  bool      // only whole numbers are marked
	Across bool      // the axis is horizontal
	Room   vg.Length // length of the axis
}

// Ticks implements plot.Ticker.
func (t Ticks) Ticks(lo, hi float64) []plot.Tick {
	const letter, line = 5.2, 26
	for coarse := 1; ; coarse *= 2 {
		all := t.mark(lo, hi, coarse)
		labels, letters := 0, 0
		for _, tick := range all {
			if tick.Label != "" {
				labels, letters = labels+1, letters+len(tick.Label)+2
			}
		}
		if labels < 3 || t.Across && vg.Length(letters)*letter <= t.Room || !t.Across && vg.Length(labels)*line <= t.Room {
			return all
		}
	}
}

// mark marks a range. The coarser, the fewer labels.
func (t Ticks) mark(lo, hi float64, coarse int) (all []plot.Tick) {
	switch {
	case t.Log && hi-lo < 0.6:
		for _, tick := range (Ticks{}).mark(math.Pow(10, lo), math.Pow(10, hi), coarse) {
			all = append(all, plot.Tick{Value: math.Log10(tick.Value), Label: tick.Label})
		}
	case t.Log:
		for power := math.Floor(lo); power <= hi; power++ {
			for k := 1.; k < 10; k++ {
				tick := plot.Tick{Value: power + math.Log10(k)}
				if k == 1 && int(power)%max(1, coarse/2) == 0 || coarse == 1 && hi-lo < 2 && (k == 2 || k == 5) {
					tick.Label = label(k*math.Pow(10, power), math.Pow(10, power))
				}
				if lo <= tick.Value && tick.Value <= hi && (k == 1 || coarse == 1) {
					all = append(all, tick)
				}
			}
		}
	default:
		step := NiceStep((hi - lo) / 12 * float64(coarse))
		if t.Whole {
			step = max(step, 1)
		}
		first := math.Ceil(lo/step - 1e-9)
		for i := 0.; i < 100 && (first+i)*step <= hi+1e-9*step; i++ {
			all = append(all, plot.Tick{Value: (first + i) * step, Label: label((first+i)*step, step)})
		}
	}
	return all
}

// NiceStep returns the least of 1, 2 and 5 times a power of ten that is not less than x.
func NiceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if x <= k*power*(1+1e-9) {
			return k * power
		}
	}
	return 10 * power
}

// label writes a multiple of a step.
func label(x, step float64) string {
	if math.Abs(x) >= 1e10 || step < 1e-5 {
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	digits := max(0, int(math.Ceil(-math.Log10(step)+1e-9)))
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	return cli.Commas(strconv.FormatFloat(rounded+0, 'f', -1, 64))
}
