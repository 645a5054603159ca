package scene

import (
	"fmt"
	"slices"
)

// longSteps finds behaviors that want shorter steps, and says it once for all groups.
func (s *Scene) longSteps() (found []string) {
	for i := range s.Groups {
		if s.Groups[i].Count == 0 {
			continue
		}
		for _, e := range s.known(&s.Groups[i]) {
			line := fmt.Sprintf("dt is %.4g s, longer than the steps of %v s with which %s does what its source says; lower dt", s.Dt, e.MaxDt, e.Name)
			if longer(s.Dt, e.MaxDt) && !slices.Contains(found, line) {
				found = append(found, line)
			}
		}
	}
	return found
}

// longer reports whether a step is longer than the longest, both in s; 0: any are short enough.
func longer(dt, longest float64) bool {
	const rounding = 1e-9
	return longest > 0 && dt > longest*(1+rounding)
}
