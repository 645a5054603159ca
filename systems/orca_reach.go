package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
)

// orcaReach returns how far an agent looks. One that sees only walls must be in the
// snapshot too.
func orcaReach(p c.ORCA) float64 {
	switch {
	case !(p.Gain > 0):
		return 0
	case seesOthers(&p):
		return p.NeighborDist
	}
	return onlyWalls
}

// onlyWalls is how far an agent looks that sees nobody, in meters: any distance will do.
const onlyWalls = 2

func seesOthers(p *c.ORCA) bool {
	return p.MaxNeighbors >= 0 && p.NeighborDist > 0 && p.NeighborDist <= math.MaxFloat64
}

// mostHeeded returns how many others an agent heeds at most.
func mostHeeded(p *c.ORCA) int {
	if p.MaxNeighbors == 0 {
		return math.MaxInt
	}
	return p.MaxNeighbors
}
