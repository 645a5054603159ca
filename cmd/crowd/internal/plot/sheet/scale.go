package sheet

import (
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/plot"
)

// Scale is an axis in the making: it learns the values, and then knows where they
// are. Logarithms are of the data, because plot.LogScale leaves room for labels in
// the wrong place.
type Scale struct {
	Log    bool
	Zero   bool // begin at 0, unless log
	Ticks  int  // how many short labels have room; 0 for eight, one above the other
	Lo, Hi float64
	Known  bool
}

// Has tells whether a value can stand on the axis.
func (s *Scale) Has(x float64) bool { return numbers.Drawable(x) && (!s.Log || x > 0) }

// Add makes the axis long enough for values that it can have.
func (s *Scale) Add(values ...float64) {
	for _, x := range values {
		if !s.Has(x) {
			continue
		}
		if !s.Known {
			s.Lo, s.Hi, s.Known = x, x, true
		}
		s.Lo, s.Hi = min(s.Lo, x), max(s.Hi, x)
	}
}

// At returns where a value is on the axis.
func (s *Scale) At(x float64) float64 {
	if s.Log {
		return math.Log10(x)
	}
	return x
}

// AxisMargin is the part of an axis beyond the first and last value.
const AxisMargin = 0.04

// Apply sets the range and the ticks of an axis. All values must have been added.
func (s *Scale) Apply(a *plot.Axis) {
	most := s.Ticks
	if most == 0 {
		most = 8
	}
	if s.Log {
		if !s.Known {
			s.Lo, s.Hi = 1, 10
		}
		lo, hi := math.Log10(s.Lo), math.Log10(s.Hi)
		if hi-lo < 0.02 {
			lo, hi = lo-0.1, hi+0.1
		}
		pad := AxisMargin * (hi - lo)
		a.Min, a.Max = lo-pad, hi+pad
		ticks := inRange(logTicks(a.Min, a.Max), a.Min, a.Max)
		if s.Ticks > 0 {
			thinLabels(ticks, 8*s.Ticks)
		}
		a.Tick.Marker = ticks
		a.Label.Text += ", log"
		return
	}
	lo, hi := s.Lo, s.Hi
	if s.Zero {
		lo, hi = min(lo, 0), max(hi, 0)
	}
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) {
		pad := max(1e-3*math.Abs(hi), 1)
		if s.Zero {
			hi += pad
		} else {
			if hi += pad; lo >= 0 {
				lo = max(lo-pad, 0) // what cannot be below 0 often is 0
			} else {
				lo -= pad
			}
		}
	}
	pad := AxisMargin * (hi - lo)
	if !s.Zero || lo < 0 {
		lo -= pad
	}
	if !s.Zero || hi > 0 {
		hi += pad
	}
	a.Min, a.Max = lo, hi
	ticks := RangeTicks(lo, hi, most)
	for s.Ticks > 0 && most > 2 && len(ticks)*widestLabel(ticks) > 8*s.Ticks {
		most--
		ticks = RangeTicks(lo, hi, most)
	}
	a.Tick.Marker = ticks
}
