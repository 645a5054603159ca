package walking

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	// oncoming is the cosine of the angle between two ways from which on those ahead are walked around,
	// not followed: 78 degrees.
	oncoming = 0.2

	// headOn is the cosine from which on an agent turns to the right before those that come: 120 degrees.
	// Those that cross or join its way it passes as ORCA does, or all would turn right where streams meet.
	headOn = -0.5

	// overtakes is the tangent of the angle to the side from which on a lean counts as overtaking: 14 degrees.
	overtakes = 0.25
)

// lean returns the direction and speed of an agent that people ahead slow down from free to speed. It
// leans to the side with fewer people ahead, so crowds spread over the room there is:
//
//	v = speed·e + Overtaking·|g|·(free − speed)·side, with g = (right − left)/(right + left)
//
// where left and right are the sums of presences. If a wall blocks that side, it tries the other. It
// goes straight on if people would slow the lean. After Moussaïd, Helbing, Theraulaz, "How simple rules
// determine pedestrian behavior and crowd disasters", 2011, whose agents pick, among all directions,
// the one with most progress.
func (w *Walker) lean(left, right int64, e r2.Vec, speed, free, timeGap float64) (way r2.Vec, fastest float64, passes bool) {
	more, side := right-left, vec.Left(e)
	if more < 0 {
		more, side = -more, vec.Right(e)
	}
	if w.Solver.Blocked(w.I, vec.Scale(free, side)) {
		if side = vec.Scale(-1, side); w.Solver.Blocked(w.I, vec.Scale(free, side)) {
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

// speedAlong returns how fast the agent may walk in a direction, behind all others that are there.
func (w *Walker) speedAlong(way r2.Vec, free, timeGap float64) float64 {
	o := &w.others
	nearest, presences := math.Inf(1), int64(0)
	for i, x := range o.DX {
		to := r2.Vec{X: x, Y: o.DY[i]}
		if along := vec.Dot(to, way); along > 0 {
			nearest = min(nearest, gap(along, math.Abs(vec.Cross(way, to)), o.Reach[i]))
			presences += w.presence(i, to, way)
		}
	}
	return covering(nearest, timeGap, w.slowed(free, presences))
}

const (
	lookout = 2. // m, how far ahead an agent sees how dense the crowd is

	// Those ahead count where they will be after this time, as far as they walk faster or
	// slower than the agent: where a jam dissolves, it is less dense than it looks.
	anticipation = 1. // s

	// People that walk leave more room ahead than around, so it is denser than it looks ahead.
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

// slowed returns the speed of people among presences, who walk at a free speed if they are alone, and
// hardly move at MaxDensity. Source: Weidmann, "Transporttechnik der Fußgänger", 1993.
func (w *Walker) slowed(free float64, presences int64) float64 {
	if d := density(presences); d > 0 && w.MaxDensity > 0 {
		return free * max(creeping, vec.Decay(weidmann*(1/d-1/w.MaxDensity)))
	}
	return free
}
