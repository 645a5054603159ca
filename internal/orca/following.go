package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// usualSpeed is the free speed at which the time gap is TimeGap, in m/s: Weidmann's mean of
// pedestrians. Slower ones keep a longer one.
const usualSpeed = 1.34

// oncoming is the cosine of the angle between two ways from which on those ahead are walked
// around, not followed.
const oncoming = 0.1

// follow returns the goal at the speed at which the agent keeps its time gap to those ahead
// of it on the same way, and whether it follows at all: not among those who come toward it.
func follow(a *Agent, others []Other, goal r2.Vec) (v r2.Vec, follows bool) {
	free := vec.Norm(goal)
	if !(a.TimeGap > 0 && free > 0) {
		return goal, false
	}
	e, nearest := vec.Scale(1/free, goal), math.Inf(1)
	for i := range others {
		o := &others[i]
		to := vec.Sub(o.Position, a.Position)
		along, way := vec.Dot(to, e), vec.Dot(o.Way, e)
		if !(along > 0) || o.Way == (r2.Vec{}) {
			continue
		}
		if way < oncoming {
			return goal, false
		}
		if order(a, o, to) == behind {
			nearest = min(nearest, gap(along, math.Abs(vec.Cross(e, to)), a.Radius+o.Radius))
		}
	}
	allowed := max(nearest, 0) / float64(a.TimeGap*math.Sqrt(usualSpeed/free))
	if allowed < free {
		goal = vec.Scale(allowed, e)
	}
	return goal, true
}

// gap returns how far one may walk before it touches another, that is so far along its way
// and beside it; those to the side count little.
func gap(along, beside, reach float64) float64 {
	if !(beside < reach) {
		return math.Inf(1)
	}
	y := beside / reach
	little := 1 - float64(y*y)
	return (along - float64(reach*math.Sqrt(little))) / float64(little*math.Sqrt(little))
}
