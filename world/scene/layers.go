package scene

import (
	"fmt"
	"math"
	"math/bits"

	c "github.com/8f878440/crowd/components"
)

// maxLayer is the highest layer.
const maxLayer = 31

// layers is a set of layers, a bit each, as a list of their numbers.
var layers = codec[uint32]{
	read: func(r *reader, n *node) (set uint32) {
		for _, k := range numbered.read(r, n) {
			set |= 1 << k
		}
		return set
	},
	write: func(w *writer, set uint32) {
		var all []uint32
		for ; set != 0; set &= set - 1 {
			all = append(all, uint32(bits.TrailingZeros32(set)))
		}
		numbered.write(w, all)
	},
	schema: numbered.schema,
}

var numbered = listOf(0, maxLayer+1, integer[uint32](0, maxLayer), fmt.Sprintf("a list of layers, each 0 to %d", maxLayer))

func layersKeys(l *c.Layers) []key {
	on, sees := bind("on", &l.On, layers, "the layers on which they are seen; otherwise 0"), bind("sees", &l.Sees, layers, "the layers that they see; otherwise all")
	on.reset = func() { l.On = 1 }
	sees.reset = func() { l.Sees = math.MaxUint32 }
	on.isReset = func() bool { return l.On == 1 }
	sees.isReset = func() bool { return l.Sees == math.MaxUint32 }
	return []key{on, sees}
}
