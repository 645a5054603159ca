package walking

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	// oncoming is the cosine of the angle between two ways from which on those ahead are
	// walked around, not followed.
	oncoming = 0.4

	// At this density and above there is no room to overtake or spread.
	throng = 1.5 // people a square meter

	// An agent turns away from those ahead at one side by the sum of their presences times
	// this tangent, but by no more than mostSpread.
	spreading  = 0.1
	mostSpread = 0.35

	// It turns aside only where no half-plane of a wall forbids to walk straight to that side
	// at this speed: beside a long wall, if it is farther away than this times ObstacleHorizon.
	asideSpeed = 0.5 // m/s
)

// overtake returns in which direction and how fast the agent gets ahead best: straight on,
// along e at a speed, or to the right or left by the tangent Overtaking; of equal ways, on
// the side of the leader that is nearer. Source: Moussaïd, Helbing, Theraulaz, "How simple
// rules determine pedestrian behavior and crowd disasters", 2011, whose agents choose the
// direction in which they get ahead best among all.
func (w *Walker) overtake(leader int, e r2.Vec, speed, free, timeGap float64) (way r2.Vec, fastest float64, overtakes bool) {
	way, fastest = e, speed
	o, ahead, cos := &w.others, speed, 1/math.Sqrt(1+float64(w.Overtaking*w.Overtaking))
	left := vec.Cross(e, r2.Vec{X: o.DX[leader], Y: o.DY[leader]})
	nearer := vec.Scale(math.Copysign(1, left), vec.Right(e))
	for _, aside := range [2]r2.Vec{nearer, vec.Scale(-1, nearer)} {
		if !w.roomAside(aside) {
			continue
		}
		past := vec.Scale(cos, vec.AddScaled(e, w.Overtaking, aside))
		nearest := math.Inf(1)
		for i, x := range o.DX {
			to := r2.Vec{X: x, Y: o.DY[i]}
			if along := vec.Dot(to, past); along > 0 {
				if g := gap(along, math.Abs(vec.Cross(past, to)), o.Reach[i]); g < nearest {
					nearest = g
				}
			}
		}
		v := covering(nearest, timeGap, free)
		if float64(v*cos) > ahead && !w.Solver.Blocked(w.I, vec.Scale(v, past)) {
			way, fastest, ahead, overtakes = past, v, float64(v*cos), true
		}
	}
	return way, fastest, overtakes
}

// spread returns the way e, turned a little away from those ahead at one side, if there is
// room. atSide is above zero if more of them are at the left.
func (w *Walker) spread(e r2.Vec, atSide float64) r2.Vec {
	turn, right := max(-mostSpread, min(float64(spreading*atSide), mostSpread)), vec.Right(e)
	if turn == 0 || !w.roomAside(vec.Scale(math.Copysign(1, turn), right)) {
		return e
	}
	return vec.Unit(vec.AddScaled(e, turn, right))
}

// roomAside reports whether walls allow to walk to a side, a unit vector, at asideSpeed.
func (w *Walker) roomAside(side r2.Vec) bool {
	return !w.Solver.Blocked(w.I, vec.Scale(asideSpeed, side))
}
