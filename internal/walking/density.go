package walking

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	lookout = 2. // m, how far ahead an agent sees how dense the crowd is

	// Those ahead count where they will be after this time, as far as they walk faster or
	// slower than the agent: where a throng dissolves, it is less dense than it looks.
	anticipation = 1. // s

	// Who walks leaves more room ahead than around, so it is denser than it looks ahead.
	roomAhead = 1.23

	weidmann = 1.913 // people a square meter
	creeping = 0.022 // share of the free speed that is left where people stand
)

// presence returns how much another one at an offset counts for the density ahead, from 1
// here to 0 at the lookout. It walks so much faster along the way e than the agent.
func presence(to, e r2.Vec, faster float64) float64 {
	to = vec.AddScaled(to, float64(anticipation*faster), e)
	return math.Sqrt(max(0, 1-float64(vec.Norm2(to)*(1/(lookout*lookout)))))
}

// density returns how many people a square meter there are ahead, by the sum of their
// presences, which for one a square meter is two thirds of the half disc.
func density(presences float64) float64 {
	return presences * (roomAhead * 3 / (math.Pi * lookout * lookout))
}

// walking returns the speed of people at a density who walk at a free speed if they are
// alone, and hardly move at the greatest one. Source: Weidmann, "Transporttechnik der
// Fußgänger", 1993.
func walking(free, density, most float64) float64 {
	if !(density > 0) {
		return free
	}
	return free * max(creeping, vec.Decay(weidmann*(1/density-1/most)))
}
