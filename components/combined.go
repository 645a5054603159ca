package components

import "gonum.org/v1/gonum/spatial/r2"

// ForceCombination is the part of the behaviors' forces that a step has granted so
// far, where forces are combined by priority or by dithering. The systems that
// combine set it anew in every step.
type ForceCombination struct {
	r2.Vec         // N, granted so far
	Left   float64 // by priority: N, what may still be granted; by dithering: the chance that it came to this behavior; 0: nothing more is granted
}

func (c ForceCombination) MarshalJSON() ([]byte, error)     { return marshal(c) }
func (c *ForceCombination) UnmarshalJSON(data []byte) error { return unmarshal(data, c) }
