package sheet

import (
	"math"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/plot"
)

// thinLabels takes away every second label until the letters have room.
func thinLabels(ticks plot.ConstantTicks, room int) {
	for {
		letters, labels := 0, 0
		for _, t := range ticks {
			if t.Label != "" {
				letters, labels = letters+len(t.Label)+1, labels+1
			}
		}
		if letters <= room || labels < 3 {
			return
		}
		labels = 0
		for i := range ticks {
			if ticks[i].Label != "" {
				if labels%2 == 1 {
					ticks[i].Label = ""
				}
				labels++
			}
		}
	}
}

// widestLabel returns the letters of the longest label and the space after it.
func widestLabel(ticks plot.ConstantTicks) int {
	widest := 0
	for _, t := range ticks {
		widest = max(widest, len(t.Label)+1)
	}
	return widest
}

// inRange returns the ticks that are on an axis: the others would widen it.
func inRange(ticks plot.ConstantTicks, lo, hi float64) plot.ConstantTicks {
	var kept plot.ConstantTicks
	for _, t := range ticks {
		if lo <= t.Value && t.Value <= hi {
			kept = append(kept, t)
		}
	}
	return kept
}

// tickText writes a multiple of a step, with commas.
func tickText(x, step float64) string {
	if math.Abs(x) >= 1e10 || step < 1e-5 {
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	digits := max(0, int(math.Ceil(-math.Log10(step)+1e-9)))
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	return numbers.Commas(strconv.FormatFloat(rounded+0, 'f', -1, 64))
}

// barText writes a figure with three digits, or more where it is whole.
func barText(x float64) string {
	if a := math.Abs(x); a >= 1e-4 && a < 1000 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return numbers.Figure(x)
}

// ValueTicks marks values where they are on an axis, and writes those names that have room among
// so many letters.
func (s *Scale) ValueTicks(values []float64, names []string, room int) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	span, free := s.At(s.Hi)-s.At(s.Lo), math.Inf(-1)
	for i, x := range values {
		tick := plot.Tick{Value: s.At(x)}
		half := span * float64(len(names[i])+1) / float64(2*room)
		if tick.Value-half >= free {
			tick.Label, free = names[i], tick.Value+half
		}
		ticks = append(ticks, tick)
	}
	return ticks
}
