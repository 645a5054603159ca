package crowdtest

import (
	"fmt"

	"github.com/8f878440/crowd/internal/vec"
)

// scales are how large places and velocities are: all zero, two that only denormal numbers
// tell, and up to where squares overflow.
var scales = []float64{0, 5e-324, 1e-310, 1e-300, 1e-12, 1, 1e12, 1e150, 1e300}

// finite runs a crowd whose agents are at one place, and crowds of very small and very large sizes.
func (k *kit) finite() string {
	v := plain(0)
	v.together = true
	if fault := k.crowd(v).finite(); fault != "" {
		return "all agents at one place, " + fault
	}
	for _, scale := range scales {
		for seed := range uint64(2) {
			if seed > 0 && scale < 1e-300 {
				break // there is next to nothing to draw
			}
			v := plain(seed)
			v.scale = scale
			if fault := k.crowd(v).finite(); fault != "" {
				return fmt.Sprintf("lengths of %v m, seed %d, %s", scale, seed, fault)
			}
		}
	}
	return ""
}

// finite does steps, and names an agent that is nowhere, or a number that is none.
func (cr *crowd) finite() string {
	for step := range steps {
		cr.step()
		if fault := cr.notFinite(); fault != "" {
			return fmt.Sprintf("after step %d: %s", step+1, fault)
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
	if n := cr.Stats().Skipped; n > 0 {
		return fmt.Sprintf("%d agents are left where they are, because a force or another number of theirs is not finite (Stats.Skipped)", n)
	}
	return ""
}
