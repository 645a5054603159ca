package world

import (
	"fmt"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/measure"
)

// checkGauges refuses lines and areas without an extent.
func (c *Config) checkGauges() error {
	if n := len(c.Lines); n > measure.MaxLines {
		return fmt.Errorf("lines are %d, want at most %d", n, measure.MaxLines)
	}
	for i, l := range c.Lines {
		if length := vec.Norm(vec.Sub(l.B, l.A)); !vec.Finite(l.A) || !vec.Finite(l.B) || length == 0 {
			return fmt.Errorf("line %d is from (%v, %v) to (%v, %v), want two finite points", i, l.A.X, l.A.Y, l.B.X, l.B.Y)
		}
	}
	for i, a := range c.Areas {
		if size := vec.Sub(a.Max, a.Min); !(size.X > 0 && size.Y > 0 && vec.Finite(size)) {
			return fmt.Errorf("area %d is %v, want finite sides above 0", i, a)
		}
	}
	return nil
}
