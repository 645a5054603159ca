package systems

import (
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// setFinite sets a vector of the state, unless that would make it not finite.
func setFinite(b *frame.Batch, to *r2.Vec, v r2.Vec) {
	if !vec.Finite(v) {
		b.Skip()
		return
	}
	*to = v
}
