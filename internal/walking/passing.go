package walking

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	// Cosine of 78 degrees. An agent follows those ahead with directions within this angle of its own, and
	// passes others.
	oncoming = 0.2

	// Cosine of 120 degrees. An agent turns right only for directions that differ by more; otherwise all
	// would turn right where streams meet.
	headOn = -0.5

	// Tangent of 14 degrees. A lean above it counts as overtaking.
	overtakes = 0.25

	// A wall blocks a side if the agent, moving to that side at this fraction of its speed, would hit the
	// wall within the horizon for walls. With 1, crowds behind a gate are denser than recorded ones. With a
	// fraction of the free speed, the lanes beside the walls of a corridor stay empty.
	sideways = 0.5
)

// lean returns the direction and speed of an agent that would otherwise walk in direction e at the given
// speed, and whether it overtakes. Alone, it would walk at the speed free. It leans to the side with fewer
// people ahead, so that crowds spread:
//
//	v = speed·e + Overtaking·|g|·(free − speed)·side, with g = (right − left)/(right + left)
//
// where left and right are the sums of presences on each side, and side is the unit vector to the side of the
// lean. If a wall blocks that side, the agent tries the other. It goes straight on if people would slow the
// lean or walls would block it. Source: after Moussaïd, Helbing, Theraulaz, "How simple rules determine
// pedestrian behavior and crowd disasters", 2011.
func (w *Walker) lean(left, right int64, e r2.Vec, speed, free, timeGap float64) (way r2.Vec, fastest float64, passes bool) {
	more, side := right-left, vec.Left(e)
	if more < 0 {
		more, side = -more, vec.Right(e)
	}
	if w.Solver.Blocked(w.I, vec.Scale(sideways*speed, side)) {
		if side = vec.Scale(-1, side); w.Solver.Blocked(w.I, vec.Scale(sideways*speed, side)) {
			return e, speed, false
		}
	}
	aside := float64(w.Overtaking * (free - speed) * (float64(more) / float64(left+right)))
	if !(aside > 0) {
		return e, speed, false
	}
	v := vec.AddScaled(vec.Scale(speed, e), aside, side)
	way = vec.Unit(v)
	fastest = vec.Norm(v)
	if w.speedAlong(way, free, timeGap) < fastest || w.Solver.Blocked(w.I, v) {
		return e, speed, false
	}
	return way, fastest, aside > overtakes*speed
}

// speedAlong returns the speed, at most free, that the gap and the density ahead allow in direction way.
func (w *Walker) speedAlong(way r2.Vec, free, timeGap float64) float64 {
	o := &w.others
	nearest, presences := math.Inf(1), int64(0)
	for _, at := range w.ahead(way) {
		i := int(at)
		to := r2.Vec{X: o.DX[i], Y: o.DY[i]}
		nearest = min(nearest, gap(vec.Dot(to, way), math.Abs(vec.Cross(way, to)), o.Reach[i]))
		presences += w.presence(i, to, way)
	}
	return covering(nearest, timeGap, w.slowed(free, presences))
}

const (
	lookout = 2. // m, range within which people count in the density ahead

	// Agents ahead are weighted by their distance after this time, given their speed relative to the agent.
	// So a jam that dissolves counts as less dense.
	anticipation = 1. // s

	// Walking people leave more room ahead than to the sides, so the half disc ahead underestimates the
	// density.
	roomAhead = 1.23

	weidmann = 1.913 // people/m²
	creeping = 0.022 // fraction of the free speed that remains at MaxDensity
)

// exact is the integer, 2^40, that represents 1 in sums over neighbors. Because the sums are integers, the
// order of neighbors does not matter.
const exact = 1 << 40

// presence returns the weight of the i-th neighbor, at the given offset, in the density ahead in direction
// e. The weight falls from exact at the agent to 0 at distance lookout.
func (w *Walker) presence(i int, to, e r2.Vec) int64 {
	faster := -(float64(w.others.UX[i]*e.X) + float64(w.others.UY[i]*e.Y)) // m/s, how much faster than the agent
	to = vec.AddScaled(to, float64(anticipation*faster), e)
	return int64(math.Sqrt(max(0, 1-float64(vec.Norm2(to)*(1/(lookout*lookout))))) * exact)
}

// density returns the density ahead, in people/m², given the sum of presences. At 1 per m², the sum is two
// thirds of the area of the half disc, in m².
func density(presences int64) float64 {
	return float64(presences) / exact * (roomAhead * 3 / (math.Pi * lookout * lookout))
}

// slowed returns the speed at the density of the given presences, according to Weidmann's fundamental
// diagram, or free if MaxDensity is 0. Source: Weidmann, "Transporttechnik der Fußgänger", 1993.
func (w *Walker) slowed(free float64, presences int64) float64 {
	if d := density(presences); d > 0 && w.MaxDensity > 0 {
		return free * max(creeping, vec.Decay(weidmann*(1/d-1/w.MaxDensity)))
	}
	return free
}
