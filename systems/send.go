package systems

import (
	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

// send sets where an agent goes: its Destination, or, if agents of the batch have none, its
// Target.
func send(target []c.Target, dest []c.Destination, i int, to r2.Vec) {
	if dest != nil {
		dest[i].Vec = to
		return
	}
	target[i].Vec = to
}
