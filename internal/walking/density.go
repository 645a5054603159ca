package walking

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	lookout = 2. // m, how far ahead an agent sees how dense the crowd is

	// Those ahead count where they will be after this time, as far as they walk faster or
	// slower than the agent: where a jam dissolves, it is less dense than it looks.
	anticipation = 1. // s

	// People who walk leave more room ahead than around, so it is denser than it looks ahead.
	roomAhead = 1.23

	weidmann = 1.913 // people a square meter
	creeping = 0.022 // share of the free speed that is left where people stand
)

// exact is the unit of sums: 2^40. Sums over others are of integers, so that their order does not matter.
const exact = 1 << 40

// presence returns how much the i-th other, at an offset, counts for the density ahead in a
// direction: from exact here to 0 at the lookout.
func (w *Walker) presence(i int, to, e r2.Vec) int64 {
	faster := -(float64(w.others.UX[i]*e.X) + float64(w.others.UY[i]*e.Y)) // m/s, than the agent
	to = vec.AddScaled(to, float64(anticipation*faster), e)
	return int64(math.Sqrt(max(0, 1-float64(vec.Norm2(to)*(1/(lookout*lookout))))) * exact)
}

// density returns how many people a square meter there are ahead, by the sum of their
// presences, which for one a square meter is two thirds of the half disc.
func density(presences int64) float64 {
	return float64(presences) / exact * (roomAhead * 3 / (math.Pi * lookout * lookout))
}

// slowed returns the speed of people among presences who walk at a free speed if they are alone, and
// hardly move at MaxDensity. Source: Weidmann, "Transporttechnik der Fußgänger", 1993.
func (w *Walker) slowed(free float64, presences int64) float64 {
	if d := density(presences); d > 0 && w.MaxDensity > 0 {
		return free * max(creeping, vec.Decay(weidmann*(1/d-1/w.MaxDensity)))
	}
	return free
}
