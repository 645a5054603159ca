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

	// gains is how much faster an agent gets ahead beside its way if it turns by all of Overtaking. With
	// less to gain it turns less, or people in jams would zigzag.
	gains = 0.2 // m/s

	// An agent turns aside only where no half-plane of a wall forbids to walk straight to that side
	// at this speed: beside a long wall, if it is farther away than this times ObstacleHorizon.
	asideSpeed = 0.5 // m/s
)

// pass returns in which direction and how fast the agent gets ahead most, by the laws of gap and density:
// straight on, along e at a speed, or to the right or left, by a tangent of up to Overtaking; of equal ways, on the
// side of the leader that is nearer. So it overtakes, and a crowd before a door fills the gap in its middle. Source:
// Moussaïd, Helbing, Theraulaz, "How simple rules determine pedestrian behavior and crowd disasters",
// 2011, whose agents choose the direction in which they get ahead best among all.
func (w *Walker) pass(leader int, e r2.Vec, speed, free, timeGap float64) (way r2.Vec, fastest float64, passes bool) {
	nearer := vec.Right(e)
	if leader >= 0 && vec.Cross(e, r2.Vec{X: w.others.DX[leader], Y: w.others.DY[leader]}) < 0 {
		nearer = vec.Left(e)
	}
	way, fastest = e, speed
	most, cos := speed, 1/math.Sqrt(1+float64(w.Overtaking*w.Overtaking))
	for _, aside := range [2]r2.Vec{nearer, vec.Scale(-1, nearer)} {
		if !w.roomAside(aside) {
			continue
		}
		past := vec.Scale(cos, vec.AddScaled(e, w.Overtaking, aside))
		if v := w.speedAlong(past, free, timeGap); float64(v*cos) > most && !w.Solver.Blocked(w.I, vec.Scale(v, past)) {
			way, fastest, most, passes = past, v, float64(v*cos), true
		}
	}
	if share := (most - speed) / gains; passes && share < 1 {
		way = vec.Unit(vec.AddScaled(vec.Scale(1-share, e), share, way))
		fastest = speed + float64(share*(fastest-speed))
	}
	return way, fastest, passes
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

// roomAside reports whether walls allow to walk to a side, a unit vector, at asideSpeed.
func (w *Walker) roomAside(side r2.Vec) bool {
	return !w.Solver.Blocked(w.I, vec.Scale(asideSpeed, side))
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
