package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	// oncoming is the cosine of the angle between two ways from which on those ahead are
	// walked around, not followed.
	oncoming = 0.4

	// Nobody overtakes in a throng: there is no room.
	throng = 1.5 // people a square meter

	// An agent turns away from those ahead at one side by the sum of their presences times
	// this tangent, but by no more than mostSpread.
	spreading  = 0.1
	mostSpread = 0.35

	// It turns aside only where it might walk straight to that side at this speed without
	// touching a wall: people keep 25 cm from walls.
	asideSpeed = 0.5 // m/s
)

// overtake returns in which direction and how fast the agent gets ahead best: straight on,
// along e at a speed, or a little to the right or left, rather on the leader's nearer side.
// Source: Moussaïd, Helbing, Theraulaz, "How simple rules determine pedestrian
// behavior and crowd disasters", 2011, whose agents choose the direction in which they get
// ahead best among all.
func (s *Solver) overtake(a *Agent, others []Other, leader *Other, e r2.Vec, speed, most, timeGap, limit float64) (way r2.Vec, fastest float64) {
	way, fastest = e, speed
	ahead := speed
	straight := 1 / math.Sqrt(1+float64(a.Overtaking*a.Overtaking)) // the cosine of the angle
	left := vec.Cross(e, vec.Sub(leader.Position, a.Position))
	nearer := vec.Scale(math.Copysign(1, left), vec.Right(e))
	for _, side := range [2]r2.Vec{nearer, vec.Scale(-1, nearer)} {
		if !s.roomAside(side, limit) {
			continue
		}
		past := vec.Scale(straight, vec.AddScaled(e, a.Overtaking, side))
		nearest := math.Inf(1)
		for i := range others {
			o := &others[i]
			to := vec.Sub(o.Position, a.Position)
			if along := vec.Dot(to, past); along > 0 {
				nearest = min(nearest, gap(along, math.Abs(vec.Cross(past, to)), a.Radius+o.Radius))
			}
		}
		v := covering(nearest, timeGap, most)
		if float64(v*straight) > ahead && !blocked(s.planes[:s.fixed], vec.Scale(v, past), limit) {
			way, fastest, ahead = past, v, float64(v*straight)
		}
	}
	return way, fastest
}

// spread returns the way e, turned a little away from those ahead at one side, if there is
// room. They are the more at the left, the greater atSide.
func (s *Solver) spread(e r2.Vec, atSide, limit float64) r2.Vec {
	turn, right := max(-mostSpread, min(float64(spreading*atSide), mostSpread)), vec.Right(e)
	if turn == 0 || !s.roomAside(vec.Scale(math.Copysign(1, turn), right), limit) {
		return e
	}
	return vec.Unit(vec.AddScaled(e, turn, right))
}

// roomAside tells whether no wall is near at a side, a unit vector.
func (s *Solver) roomAside(side r2.Vec, limit float64) bool {
	return !blocked(s.planes[:s.fixed], vec.Scale(asideSpeed, side), limit)
}
