package measure

import "math"

// histogram counts positive numbers in 64 bins an octave, from 2^-20 to 2^24.
// Smaller ones go to the first bin; larger ones are only counted.
type histogram struct {
	bins  [histogramBins]uint64
	total uint64
}

const (
	histogramShift = 46 // leaves 6 bits behind the exponent
	histogramFirst = (1023 - 20) << 6
	histogramBins  = (24 + 20) << 6
)

func (h *histogram) add(x float64) {
	h.total++
	if k := int(math.Float64bits(x)>>histogramShift) - histogramFirst; k < histogramBins {
		h.bins[max(k, 0)]++
	}
}

// quantile returns the number that a share of all are below: the middle of its
// bin, and false if there is none or it is larger than all bins.
func (h *histogram) quantile(share float64) (float64, bool) {
	rank := uint64(share * float64(h.total))
	for k, n := range h.bins {
		if rank < n {
			lo := math.Float64frombits(uint64(k+histogramFirst) << histogramShift)
			hi := math.Float64frombits(uint64(k+1+histogramFirst) << histogramShift)
			return (lo + hi) / 2, true
		}
		rank -= n
	}
	return 0, false
}
