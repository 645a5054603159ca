//go:build !amd64 || noasm

package kernel

import (
	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

// Stay returns 0: the caller goes through all rows.
func Stay([]c.Position, []c.Target, []c.Goal) int { return 0 }

// Within returns 0: the caller goes through all rows.
func Within([]c.Position, *r2.Box) int { return 0 }
