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
