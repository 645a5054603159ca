package space

import (
	"math"
	"math/bits"
)

const (
	crowded = 14 // others in a cell from which on narrower cells are worth counting again
	roomy   = 7  // others in a cell, if it is narrower
)

// fitting returns the width of cells that fits how dense the agents are where most
// of them are, in meters, once they are counted; it is that of now if that will do.
//
// It uses the median over all agents of how many others are in their slot. So a heap
// somewhere does not make cells narrow for all.
func (x *Crowd) fitting() float64 {
	var agents, slots [33]int // by the octave of how many share a slot
	all := 0
	for s := range len(x.start) - 1 {
		n := uint32(0)
		for i := range x.builders {
			n += x.builders[i].next[s]
		}
		octave := bits.Len32(n)
		agents[octave] += int(n)
		slots[octave]++
		all += int(n)
	}
	octave, below := 0, 0
	for 2*below < all {
		octave++
		below += agents[octave]
	}
	if octave == 0 {
		return x.size
	}
	others := float64(agents[octave])/float64(slots[octave]) - 1
	if others <= crowded {
		return x.size
	}
	return float64(x.size * math.Sqrt(roomy/others))
}
