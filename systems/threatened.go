package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
)

// waysAtOnce is how many agents ask the index at a time.
const waysAtOnce = 64

// threatened returns which of at most waysAtOnce agents have a threat. It takes
// no branches, because nothing foretells which they are.
func threatened(threat []c.Threat, rows *[waysAtOnce]uint8) []uint8 {
	k, n := kernel.Threatened(threat, rows)
	for ; k < len(threat); k++ {
		rows[n&(waysAtOnce-1)] = uint8(k)
		n += int((uint64(threat[k].Obstacle.ID()) + math.MaxUint32) >> 32) // 1 if it is not zero
	}
	return rows[:n]
}
