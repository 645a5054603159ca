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

func eyesKeys(gain_, radius, view *float64, most *uint32) []key {
	all := []key{gain(gain_), must("radius", radius, notNegative, "m, who is within it is a neighbor, from center to center"), viewKey(view)}
	return append(all, may("most", most, integer[uint32](0, math.MaxUint32), 0, "how many they mind, the nearest; 0: all"))
}

func viewKey(at *float64) key {
	return may("view", at, inDegrees(notNegative), 0, "degrees, width of the field of view about the velocity; 0, or 360 and more: all round")
}

func separationKeys(b *c.Separation) []key {
	return eyesKeys(&b.Gain, &b.NeighborDist, &b.FieldOfView, &b.MaxNeighbors)
}
func alignmentKeys(b *c.Alignment) []key {
	return eyesKeys(&b.Gain, &b.NeighborDist, &b.FieldOfView, &b.MaxNeighbors)
}
func cohesionKeys(b *c.Cohesion) []key {
	return eyesKeys(&b.Gain, &b.NeighborDist, &b.FieldOfView, &b.MaxNeighbors)
}

func unalignedKeys(b *c.UnalignedCollisionAvoidance) []key {
	return []key{
		gain(&b.Gain),
		must("horizon", &b.Horizon, positive, "s, collisions later than that are of no account"),
		must("radius", &b.NeighborDist, notNegative, "m, how far they look, from center to center"),
		viewKey(&b.FieldOfView),
		may("clearance", &b.Clearance, notNegative, 0, "m, between bodies that pass; less is a collision"),
	}
}
