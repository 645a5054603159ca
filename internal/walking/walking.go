// Package walking computes the velocity that an agent among others prefers, the distance that the agent
// keeps, and the number of neighbors that it avoids. Package orca then avoids collisions.
package walking

import (
	"math"

	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Rules are the parameters of walking. Zero switches a rule off; all but Acceleration need TimeGap.
type Rules struct {
	// TimeGap is the time, in s, that an agent with the usual free speed keeps behind those it follows:
	// see usualSpeed. The preferred speed is at most the gap to them, divided by that time. Source:
	// Tordeux, Chraibi, Seyfried, "Collision-free speed model for pedestrian dynamics", 2016.
	TimeGap float64
	// MaxDensity is the density at which people barely move, in 1/m². The preferred speed is at most that
	// of the fundamental diagram at the density ahead.
	MaxDensity float64
	// Overtaking is the ratio of the sideways speed to the speed lost to people ahead, if all of them are
	// on one side.
	Overtaking float64
	// Right is the tangent of the angle by which the agent turns right when it meets oncoming agents, or
	// left if Right is negative.
	Right float64
	// Acceleration bounds the acceleration toward the preferred velocity, in m/s².
	Acceleration float64
}

// Values of orca.Rule.Keep: fractions of the touching distance. Below 0.15, jams at narrow doors dissolve
// more slowly, except with a time gap.
const (
	Distance  = 0.15
	facing    = 0.07
	following = 0.01
)

// Figures for recorded people, as text, measured like those of measure.TripCount. Source:
// Forschungszentrum Jülich, bottlenecks and corridors.
const (
	RecordedWiggle       = "1.005 when walking freely, 1.02–1.05 in a jam"
	RecordedReversals    = "0.03–0.23 in a jam" // 1/s
	RecordedAcceleration = "about 0.6"          // m/s²
)

// avoided is the maximum number of neighbors that an agent with a TimeGap avoids.
const avoided = 10

// Walker is an agent with rules. I is its number in the solver.
type Walker struct {
	Rules
	Solver   *orca.Solver
	I        int
	Velocity r2.Vec   // m/s
	Account  *Account // receives the effect of the rules, unless nil

	others orca.Neighbors
	front  []uint32 // scratch of ahead
}

// Prefer sets the agent's preferred velocity and the distance it keeps, for a step of dt seconds. goal is the
// preferred velocity without others, and limit is the maximum speed, in m/s. With a TimeGap, the agent avoids
// only the nearest neighbors.
func (w *Walker) Prefer(goal r2.Vec, limit, dt float64) {
	goal, keep := w.prefer(goal, limit, dt)
	if w.TimeGap > 0 {
		w.Solver.KeepNearest(w.I, avoided)
	}
	w.Solver.Prefer(w.I, goal, keep)
}

// prefer returns the preferred velocity, and the fraction of the touching distance that the agent keeps.
func (w *Walker) prefer(goal r2.Vec, limit, dt float64) (v r2.Vec, keep float64) {
	v, keep = goal, Distance
	free := vec.Norm(goal)
	if w.Account != nil {
		*w.Account = Account{Free: free, Speed: free, Gap: math.Inf(1)}
	}
	if w.TimeGap > 0 && free > 0 {
		w.others = w.Solver.Neighbors(w.I)
		v, keep = w.among(vec.Unit(goal), free)
	}
	if most := float64(w.Acceleration * dt); most > 0 {
		change := vec.Sub(v, w.Velocity)
		if w.Account != nil {
			w.Account.Inert = vec.Norm(change) > most
		}
		v = vec.Truncate(vec.Add(w.Velocity, vec.Truncate(change, most)), limit)
	}
	return v, keep
}

// among is like prefer for an agent that, alone, would prefer direction e and speed free. If a neighbor ahead
// comes toward the agent or crosses its path, the agent follows none.
func (w *Walker) among(e r2.Vec, free float64) (v r2.Vec, keep float64) {
	o := &w.others
	leader, nearest := -1, math.Inf(1)
	var beside [2]int64 // presences to the left and to the right
	meets, against := -1, float64(oncoming)
	for _, at := range w.ahead(e) {
		i := int(at)
		way, to := o.Direction(i), r2.Vec{X: o.DX[i], Y: o.DY[i]}
		if way == (r2.Vec{}) {
			continue
		}
		if cos := vec.Dot(way, e); cos < against || cos == against && meets >= 0 && o.ID(i) < o.ID(meets) {
			meets, against = i, cos
		}
		side := vec.Cross(e, to)
		beside[orca.AsInt(side < 0)] += w.presence(i, to, e)
		if g := gap(vec.Dot(to, e), math.Abs(side), o.Reach[i]); g <= nearest && o.Behind(i) {
			if g < nearest || leader >= 0 && o.ID(i) < o.ID(leader) {
				nearest, leader = g, i
			}
		}
	}
	left, right := beside[0], beside[1]
	if meets >= 0 {
		if w.Account != nil {
			w.Account.Why, w.Account.Other = Oncoming, o.ID(meets)
		}
		if against < headOn {
			e = vec.Unit(vec.AddScaled(e, w.Right, vec.Right(e)))
		}
		return vec.Scale(free, e), facing
	}
	timeGap, allowed := ownTimeGap(w.TimeGap, free), w.slowed(free, left+right)
	way, speed, passes := e, covering(nearest, timeGap, allowed), false
	if w.Overtaking > 0 && speed < free {
		way, speed, passes = w.lean(left, right, e, speed, free, timeGap)
	}
	if w.Account != nil {
		if leader >= 0 {
			w.Account.Other = o.ID(leader)
		}
		w.Account.among(nearest, density(left+right), allowed, speed, passes, vec.Cross(e, way))
	}
	return vec.Scale(speed, way), following
}

// ahead returns the indexes of the neighbors ahead in direction e, valid until the next call.
func (w *Walker) ahead(e r2.Vec) []uint32 {
	dx, n := w.others.DX, 0
	dy := w.others.DY[:len(dx)]
	if len(w.front) < len(dx) {
		w.front = make([]uint32, 2*len(dx))
	}
	front := w.front[:len(dx)]
	for i, x := range dx { // a branch would be unpredictable: half of all neighbors are ahead
		front[n] = uint32(i)
		n += orca.AsInt(vec.Dot(r2.Vec{X: x, Y: dy[i]}, e) > 0)
	}
	return front[:n]
}

// Account describes the effect of the rules on what an agent prefers.
type Account struct {
	Free, Speed float64 // m/s, preferred speed alone and among others
	Why         Reason  // reason for Speed
	Other       uint64  // ID of the oncoming agent, or else of the leader if Gap is finite
	Gap         float64 // m, distance to touching the leader: see gap; +Inf: no leader
	Density     float64 // people/m² ahead; 0 if an agent is oncoming
	Inert       bool    // Acceleration limits the change of velocity
}

// Reason is the reason for a preferred speed.
type Reason int

const (
	Free            Reason = iota // nothing slows the agent
	ByGap                         // the gap to the leader
	ByDensity                     // the density ahead
	Oncoming                      // an oncoming agent, passed at full speed
	OvertakingLeft                // the agent leans to the left of those ahead
	OvertakingRight               // the agent leans to the right of those ahead
)

// among records the preference of an agent that meets no oncoming one. walking is the speed that the
// density allows; aside is positive if the agent turns left.
func (x *Account) among(gap, density, walking, speed float64, overtakes bool, aside float64) {
	x.Gap, x.Density, x.Speed = gap, density, speed
	switch {
	case overtakes && aside > 0:
		x.Why = OvertakingLeft
	case overtakes:
		x.Why = OvertakingRight
	case speed < walking:
		x.Why = ByGap
	case speed < x.Free:
		x.Why = ByDensity
	}
}

// usualSpeed is Weidmann's mean free speed of pedestrians, in m/s. An agent with this free speed keeps the
// time gap TimeGap; slower agents keep a longer one.
const usualSpeed = 1.34

// gap returns the distance that an agent can walk before it touches another, divided by
// (1 - (beside/reach)²)^1.5, so that agents beside the path count little. along and beside are the
// distances to the other along the path and across it, and reach is the distance at which the two touch.
// If the two would not touch, gap returns +Inf.
func gap(along, beside, reach float64) float64 {
	if !(beside < reach) {
		return math.Inf(1)
	}
	y := beside / reach
	little := 1 - float64(y*y)
	return (along - float64(reach*math.Sqrt(little))) / float64(little*math.Sqrt(little))
}

func ownTimeGap(timeGap, free float64) float64 {
	return float64(timeGap * math.Sqrt(usualSpeed/free))
}

// covering returns the speed that covers the gap in the given time, but at most free.
func covering(gap, time, free float64) float64 {
	if speed := max(gap, 0) / time; speed < free {
		return speed
	}
	return free
}
