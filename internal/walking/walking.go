// Package walking is how people walk among others: what they prefer, besides avoiding collisions. It
// runs before the rule of package orca, on the same neighbors, and changes only the preferred velocity
// and by how much an agent keeps back.
package walking

import (
	"math"

	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Rules are how an agent walks. A part that is zero is left out; all but the acceleration need
// TimeGap.
type Rules struct {
	// TimeGap keeps the agent this many seconds behind those ahead of it on the same way: it
	// prefers no more speed than its gap to them over TimeGap. Source: Tordeux, Chraibi, Seyfried,
	// "Collision-free speed model for pedestrian dynamics", 2016.
	TimeGap float64
	// MaxDensity is how many people a square meter stand: the agent prefers no more speed
	// than people have at the density ahead of it.
	MaxDensity float64
	// Overtaking is the sideways speed, over the speed lost to people ahead, of an agent that has
	// all of them on one side.
	Overtaking float64
	// Right is the tangent of the angle by which it turns to the right before those that come
	// toward it.
	Right float64
	// Acceleration bounds by how much its aim differs from its velocity, in m/s².
	Acceleration float64
}

// Shares of the distance of touching by which an agent keeps back from those ahead of it. With less
// distance, jams in front of narrow doors take longer to dissolve; one with a time gap needs less, and
// least if it follows.
const (
	Distance  = 0.15
	facing    = 0.07
	following = 0.01
)

// What recorded people do, in words, to be read beside figures of measure.TripCount, which are
// measured in the same way. Source: Forschungszentrum Jülich, bottlenecks and corridors.
const (
	RecordedWiggle       = "1.005 freely, 1.02–1.05 in a jam"
	RecordedReversals    = "0.03–0.23 in a jam" // 1/s
	RecordedAcceleration = "about 0.6"          // m/s²
)

// avoided is how many others an agent with a TimeGap avoids: it walks by all that it sees.
const avoided = 10

// Walker is an agent that walks by rules, the one that was added to a solver as number I.
type Walker struct {
	Rules
	Solver   *orca.Solver
	I        int
	Velocity r2.Vec   // m/s
	Account  *Account // nil, or set to what the rules made of what it prefers

	others orca.Neighbors
}

// Prefer sets what the agent prefers in place of a goal within its limit, in m/s, in a step of dt
// seconds.
func (w *Walker) Prefer(goal r2.Vec, limit, dt float64) {
	goal, keep := w.prefer(goal, limit, dt)
	if w.TimeGap > 0 {
		w.Solver.KeepNearest(w.I, avoided)
	}
	w.Solver.Prefer(w.I, goal, keep)
}

// prefer returns what the agent prefers, and by which share of the distance of touching it keeps back.
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

// among returns what an agent prefers among others; alone it would walk in the direction e
// at the speed free. It does not follow if any comes toward it or crosses its way: it must pass.
func (w *Walker) among(e r2.Vec, free float64) (v r2.Vec, keep float64) {
	o := &w.others
	leader, nearest := -1, math.Inf(1)
	left, right := int64(0), int64(0) // presences
	meets, against := -1, float64(oncoming)
	for i, x := range o.DX {
		to := r2.Vec{X: x, Y: o.DY[i]}
		along := vec.Dot(to, e)
		if !(along > 0) {
			continue
		}
		way := o.Way(i)
		if way == (r2.Vec{}) {
			continue
		}
		if cos := vec.Dot(way, e); cos < against || cos == against && meets >= 0 && o.ID(i) < o.ID(meets) {
			meets, against = i, cos
		}
		if vec.Cross(e, to) < 0 {
			right += w.presence(i, to, e)
		} else {
			left += w.presence(i, to, e)
		}
		if o.Behind(i) {
			g := gap(along, math.Abs(vec.Cross(e, to)), o.Reach[i])
			if g < nearest || g == nearest && leader >= 0 && o.ID(i) < o.ID(leader) {
				nearest, leader = g, i
			}
		}
	}
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

// Account is what the rules of walking made of what the agent prefers, and why.
type Account struct {
	Free, Speed float64 // m/s, that it prefers alone, and that it prefers among others
	Why         Reason  // of Speed
	Other       uint64  // of the agent that comes, or else of the leader, if Gap is finite
	Gap         float64 // m, that it may walk before it touches the leader; +Inf: it follows none
	Density     float64 // people a square meter, ahead; 0 if any come toward it: it does not look
	Inert       bool    // whether its acceleration keeps it from aiming at that at once
}

// Reason is why an agent prefers a speed.
type Reason int

const (
	Free            Reason = iota // nothing slows it
	ByGap                         // to the leader
	ByDensity                     // ahead
	Oncoming                      // another comes toward it, which it passes at full speed
	OvertakingLeft                // it walks by the leader, on the leader's left
	OvertakingRight               // on its right
)

// among notes what an agent prefers that none comes toward. walking is the speed that the
// density allows; aside is above zero if it turns to the left.
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

// usualSpeed is the free speed at which the time gap is TimeGap, in m/s: Weidmann's mean of
// pedestrians. Slower ones keep a longer one.
const usualSpeed = 1.34

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

// ownTimeGap returns the time gap of an agent of a free speed.
func ownTimeGap(timeGap, free float64) float64 {
	return float64(timeGap * math.Sqrt(usualSpeed/free))
}

// covering returns the speed at which one covers a gap in a time, at most a free speed.
func covering(gap, time, free float64) float64 {
	if speed := max(gap, 0) / time; speed < free {
		return speed
	}
	return free
}
