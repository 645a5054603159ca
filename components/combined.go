package components

import "gonum.org/v1/gonum/spatial/r2"

// ForceCombination is what a step has granted so far of the forces that the behaviors
// of an agent ask for, where these are combined by priority or by dithering. The
// systems that combine set it anew in every step.
type ForceCombination struct {
	r2.Vec         // N, granted so far
	Left   float64 // by priority: N, what may still be granted; by dithering: the chance that it came to this behavior; 0: nothing is granted any more
}
