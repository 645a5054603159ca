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

	// An agent overtakes if another one takes this share of its speed or more, but not if
	// it walks at less than a share of it, or in a throng: there is no room.
	slowed = 0.02
	jammed = 0.33
	throng = 1.5 // people a square meter

	// It passes at this part of the distance of touching, and there it accepts this part of
	// its time gap.
	clear = 1.02
	close = 0.55
)

// overtake returns in which direction and how fast the agent gets ahead best: straight on,
// along e at a speed, or past the leader on one of its sides, where neither others nor walls
// are nearer. Source: Moussaïd, Helbing, Theraulaz, "How simple rules determine pedestrian
// behavior and crowd disasters", 2011, whose agents choose the direction in which they get
// ahead best among all.
func (s *Solver) overtake(a *Agent, others []Other, leader *Other, e r2.Vec, speed, free, timeGap, limit float64) (r2.Vec, float64) {
	to := vec.Sub(leader.Position, a.Position)
	d := vec.Norm(to)
	sin := clear * (a.Radius + leader.Radius) / d
	if !(sin < 1) {
		return e, speed
	}
	best, fastest, ahead := e, speed, speed
	at, cos := vec.Scale(1/d, to), math.Sqrt(1-float64(sin*sin))
	for _, side := range [2]float64{-1, 1} {
		past := vec.AddScaled(vec.Scale(cos, at), float64(side*sin), vec.Left(at))
		straight := vec.Dot(past, e)
		if straight < math.Cos(min(a.Overtaking, math.Pi/2)) {
			continue
		}
		nearest := math.Inf(1)
		for i := range others {
			o := &others[i]
			to := vec.Sub(o.Position, a.Position)
			if along := vec.Dot(to, past); along > 0 {
				nearest = min(nearest, gap(along, math.Abs(vec.Cross(past, to)), a.Radius+o.Radius))
			}
		}
		v := covering(nearest, close*timeGap, free)
		if float64(v*straight) > ahead && !blocked(s.planes[:s.fixed], vec.Scale(v, past), limit) {
			best, fastest, ahead = past, v, float64(v*straight)
		}
	}
	return best, fastest
}
