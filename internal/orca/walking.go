package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Walking is what people prefer among others, besides avoiding them. A part that is zero is
// left out; all but the acceleration need TimeGap.
type Walking struct {
	// TimeGap keeps the agent this many seconds behind those ahead of it on the same way: it
	// prefers no more speed than its gap to them over TimeGap. Without it, as in the paper,
	// agents prefer full speed in any throng. Source: Tordeux, Chraibi, Seyfried,
	// "Collision-free speed model for pedestrian dynamics", 2016.
	TimeGap float64
	// MaxDensity is how many people a square meter stand: the agent prefers no more speed
	// than people have at the density ahead of it.
	MaxDensity float64
	// Overtaking is the tangent of the angle by which it turns aside to overtake. With it, it
	// also turns away from those ahead at one side, where there is room.
	Overtaking float64
	// Right is the tangent of the angle by which it turns to the right before those who come
	// toward it.
	Right float64
	// Acceleration bounds by how much its aim differs from its velocity, in m/s².
	Acceleration float64
}

// avoided is how many others an agent with a TimeGap avoids: it sees more of them to walk by.
const avoided = 10

// walk returns what the agent prefers in place of goal, and by which share of the distance of
// touching it keeps back from those ahead.
func (s *Solver) walk(a *Agent, others []Other, goal r2.Vec, limit, dt float64) (v r2.Vec, keep float64) {
	v, keep = goal, distance
	free := vec.Norm(goal)
	if s.Account != nil {
		*s.Account = Account{Free: free, Speed: free, Gap: math.Inf(1)}
	}
	if a.TimeGap > 0 && free > 0 {
		v, keep = s.among(a, others, vec.Unit(goal), free, limit)
	}
	if most := float64(a.Acceleration * dt); most > 0 {
		change := vec.Sub(v, a.Velocity)
		if s.Account != nil {
			s.Account.Inert = vec.Norm(change) > most
		}
		v = vec.Truncate(vec.Add(a.Velocity, vec.Truncate(change, most)), limit)
	}
	return v, keep
}

// among returns what an agent prefers among others; alone it would walk in the direction e
// at the speed free. It does not follow if anyone comes toward it: face to face it must pass.
func (s *Solver) among(a *Agent, others []Other, e r2.Vec, free, limit float64) (v r2.Vec, keep float64) {
	var leader *Other
	nearest, presences, atSide, own := math.Inf(1), 0., 0., vec.Dot(a.Velocity, e)
	for i := range others {
		o := &others[i]
		to := vec.Sub(o.Position, a.Position)
		along := vec.Dot(to, e)
		if !(along > 0) || o.Way == (r2.Vec{}) {
			continue
		}
		if vec.Dot(o.Way, e) < oncoming {
			if s.Account != nil {
				s.Account.Why, s.Account.Other = Oncoming, o.ID
			}
			return vec.WithNorm(vec.AddScaled(e, a.Right, vec.Right(e)), free), facing
		}
		there, left := presence(to, e, vec.Dot(o.Velocity, e)-own), vec.Cross(e, to)
		beside := math.Abs(left)
		presences += there
		if there > 0 {
			atSide += float64(there * left / (beside + along))
		}
		if order(a, o, to) == behind {
			if g := gap(along, beside, a.Radius+o.Radius); g < nearest {
				nearest, leader = g, o
			}
		}
	}
	timeGap, dense := ownTimeGap(a.TimeGap, free), density(presences)
	if a.MaxDensity > 0 {
		free = walking(free, dense, a.MaxDensity)
	}
	way, speed, overtakes := e, covering(nearest, timeGap, free), false
	if a.Overtaking > 0 && dense < throng {
		if speed < free {
			way, speed, overtakes = s.overtake(a, others, leader, e, speed, free, timeGap, limit)
		}
		if !overtakes {
			way = s.spread(e, atSide, limit)
		}
	}
	if s.Account != nil {
		s.Account.among(leader, nearest, dense, free, speed, overtakes, vec.Cross(e, way))
	}
	return vec.Scale(speed, way), following
}
