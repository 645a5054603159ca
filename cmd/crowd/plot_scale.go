package main

import (
	"math"

	"gonum.org/v1/plot"
)

// plotScale is an axis in the making: it learns the values, and then knows where they
// are. Logarithms are of the data, because plot.LogScale leaves room for labels in
// the wrong place.
type plotScale struct {
	log    bool
	zero   bool // begin at 0, unless log
	ticks  int  // how many short labels have room; 0 for eight, one above the other
	lo, hi float64
	known  bool
}

// has tells whether a value can stand on the axis.
func (s *plotScale) has(x float64) bool { return drawable(x) && (!s.log || x > 0) }

// drawable tells whether a number can be drawn at all: differences of larger ones
// may not be finite.
func drawable(x float64) bool { return math.Abs(x) <= 1e300 }

// add makes the axis long enough for values that it can have.
func (s *plotScale) add(values ...float64) {
	for _, x := range values {
		if !s.has(x) {
			continue
		}
		if !s.known {
			s.lo, s.hi, s.known = x, x, true
		}
		s.lo, s.hi = min(s.lo, x), max(s.hi, x)
	}
}

// at returns where a value is on the axis.
func (s *plotScale) at(x float64) float64 {
	if s.log {
		return math.Log10(x)
	}
	return x
}

// axisMargin is the part of an axis beyond the first and last value.
const axisMargin = 0.04

// apply sets the range and the ticks of an axis. All values must have been added.
func (s *plotScale) apply(a *plot.Axis) {
	most := s.ticks
	if most == 0 {
		most = 8
	}
	if s.log {
		if !s.known {
			s.lo, s.hi = 1, 10
		}
		lo, hi := math.Log10(s.lo), math.Log10(s.hi)
		if hi-lo < 0.02 {
			lo, hi = lo-0.1, hi+0.1
		}
		pad := axisMargin * (hi - lo)
		a.Min, a.Max = lo-pad, hi+pad
		ticks := inRange(logTicks(a.Min, a.Max), a.Min, a.Max)
		if s.ticks > 0 {
			thinLabels(ticks, 8*s.ticks)
		}
		a.Tick.Marker = ticks
		a.Label.Text += ", log"
		return
	}
	lo, hi := s.lo, s.hi
	if s.zero {
		lo, hi = min(lo, 0), max(hi, 0)
	}
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) {
		pad := max(1e-3*math.Abs(hi), 1)
		if s.zero {
			hi += pad
		} else {
			if hi += pad; lo >= 0 {
				lo = max(lo-pad, 0) // what cannot be below 0 often is 0
			} else {
				lo -= pad
			}
		}
	}
	pad := axisMargin * (hi - lo)
	if !s.zero || lo < 0 {
		lo -= pad
	}
	if !s.zero || hi > 0 {
		hi += pad
	}
	a.Min, a.Max = lo, hi
	ticks := rangeTicks(lo, hi, most)
	for s.ticks > 0 && most > 2 && len(ticks)*widestLabel(ticks) > 8*s.ticks {
		most--
		ticks = rangeTicks(lo, hi, most)
	}
	a.Tick.Marker = ticks
}

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
