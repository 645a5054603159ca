package crowdtest

import (
	"fmt"

	"github.com/8f878440/crowd/internal/vec"
)

// scales are how large places and velocities are: all zero, two that only denormal numbers
// tell, and up to where squares overflow.
var scales = []float64{0, 5e-324, 1e-310, 1e-300, 1e-12, 1, 1e12, 1e150, 1e300}

// finite runs crowds of very small and very large sizes.
func (k *kit) finite() string {
	for _, scale := range scales {
		for seed := range uint64(2) {
			if seed > 0 && scale < 1e-300 {
				break // there is next to nothing to draw
			}
			v := plain(seed)
			v.scale = scale
			crowd := k.crowd(v)
			for step := range steps {
				crowd.step()
				if fault := crowd.notFinite(); fault != "" {
					return fmt.Sprintf("lengths of %v m, seed %d, after step %d: %s", scale, seed, step+1, fault)
				}
			}
		}
	}
	return ""
}

// notFinite names an agent that is nowhere, or a number in the world that is none.
func (cr *crowd) notFinite() string {
	for i, s := range cr.states() {
		if !vec.Finite(s.Position) || !vec.Finite(s.Velocity) || !vec.Finite(s.Heading) {
			return fmt.Sprintf("agent %d has %s, want finite numbers", i+1, stateText(s))
		}
	}
	if fault := cr.snapshot().notANumber(); fault != "" {
		return fault + ", want a number"
	}
	return ""
}
