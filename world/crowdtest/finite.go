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
			v := plain(seed)
			v.scale = scale
			crowd := k.crowd(v)
			for step := range steps {
				crowd.step()
				for i, s := range crowd.states() {
					if !vec.Finite(s.Position) || !vec.Finite(s.Velocity) || !vec.Finite(s.Heading) {
						return fmt.Sprintf("lengths of %v m, seed %d, after %d steps: agent %d has %s, want finite numbers", scale, seed, step+1, i+1, stateText(s))
					}
				}
			}
			if fault := crowd.snapshot().notANumber(); fault != "" {
				return fmt.Sprintf("lengths of %v m, seed %d, after %d steps: %s, want a number", scale, seed, steps, fault)
			}
		}
	}
	return ""
}
