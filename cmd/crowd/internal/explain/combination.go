package explain

import (
	"fmt"
	"strings"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// combining says what a combination other than the sum made of the forces; nothing
// for the sum.
func combining(x *world.Explanation) string {
	var parts []string
	for _, s := range x.Shares {
		f := s.Force
		if f == nil || f.Granted == nil || f.Newtons == (r2.Vec{}) {
			continue
		}
		switch part := r2.Norm(*f.Granted) / r2.Norm(f.Newtons); {
		case part == 0:
			parts = append(parts, s.Behavior+" dropped")
		case x.Combination == systems.CombineDithering:
			parts = append(parts, fmt.Sprintf("%s drawn, with %.4g times its force", s.Behavior, part))
		case *f.Granted == f.Newtons:
			parts = append(parts, s.Behavior+" granted")
		default:
			parts = append(parts, fmt.Sprintf("%s truncated to %.4g %%", s.Behavior, 100*part))
		}
	}
	switch {
	case x.Combination == systems.CombineSum:
		return ""
	case len(parts) == 0:
		return fmt.Sprintf("by %v: there is no force", x.Combination)
	}
	return fmt.Sprintf("by %v: %s", x.Combination, strings.Join(parts, ", "))
}
