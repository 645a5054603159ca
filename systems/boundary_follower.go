package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	boundaryRolls = 8  // maximum number of rolls per check and side
	boundaryLost  = 16 // maximum number of checks without a view of the boundary
	boundaryRetry = 30 // s, wait after which an agent that found no path tries again
)

type boundaryFollower struct {
	boundaryBody
	*c.BoundaryMemory
	dest r2.Vec
}

func (f *boundaryFollower) urgent(p r2.Vec) bool {
	switch f.State {
	case c.BoundaryChoosing:
		return true
	case c.BoundaryFollowed:
		return vec.Norm2(vec.Sub(f.Aim, p)) < float64(4*f.radius*f.radius)
	}
	return false
}

func (f *boundaryFollower) look(p r2.Vec, dt float64) {
	switch f.State {
	case c.BoundaryStraight:
		f.straight(p)
	case c.BoundaryChoosing:
		f.choose()
	default:
		f.follow(p, dt)
	}
}

func (f *boundaryFollower) straight(p r2.Vec) {
	q, ok := f.fit(p, f.dest)
	if !ok {
		return
	}
	if ahead := f.ahead(q, f.dest); !ahead.free {
		f.State, f.To, f.Hit = c.BoundaryChoosing, f.dest, ahead.first
		f.Sides = [2]c.BoundaryPoint{ahead.first, ahead.first}
	}
}

func (f *boundaryFollower) choose() {
	right, left := &f.Sides[0], &f.Sides[1]
	for range boundaryRolls {
		if !f.explore(right, false) || !f.explore(left, true) {
			f.State = c.BoundaryStraight // the obstacle is gone
			return
		}
		// The explored part plus the straight rest is a lower bound on the length of the path.
		toRight, toLeft := right.Along+f.rest(right.At), left.Along+f.rest(left.At)
		if right.Known && (left.Known || toRight <= toLeft) || left.Known && toLeft <= toRight {
			f.begin(toLeft < toRight || toLeft == toRight && f.Left)
			return
		}
	}
}

// explore rolls once along an unknown side. It returns false if there is nothing to roll on.
func (f *boundaryFollower) explore(side *c.BoundaryPoint, left bool) (ok bool) {
	if side.Known {
		return true
	}
	if *side, ok = f.roll(*side, left); !ok {
		return false
	}
	side.Known = side.Along > f.sight || f.leaves(side.At, f.rest(f.Hit.At), side.Normal)
	return true
}

func (f *boundaryFollower) rest(p r2.Vec) float64 { return vec.Norm(vec.Sub(f.dest, p)) }

// leaves reports whether an agent at q should leave a boundary. The parameter nearest is the shortest
// known distance, in m, from that boundary to the destination. The normal at q, if not zero, may save a
// query.
func (f *boundaryFollower) leaves(q r2.Vec, nearest float64, normal r2.Vec) bool {
	if normal != (r2.Vec{}) && !(vec.Dot(normal, vec.Sub(f.dest, q)) > 0) {
		return false
	}
	ahead := f.ahead(q, f.dest)
	return ahead.free && ahead.rest == 0 || ahead.rest < nearest-f.step
}

func (f *boundaryFollower) begin(left bool) {
	f.State, f.Left, f.Lost, f.Waited = c.BoundaryFollowed, left, 0, 0
	f.Hit.Known = false
	*marker(f.BoundaryMemory), f.Aim = f.Hit, f.beside(&f.Hit)
	f.Nearest, f.NearAt = f.Hit.At, 0
}

// follow moves the marker on, unless the agent may leave the boundary or has lost it.
func (f *boundaryFollower) follow(p r2.Vec, dt float64) {
	q, ok := f.fit(p, f.dest)
	if ok && f.leaves(q, f.rest(f.Nearest), r2.Vec{}) {
		f.State = c.BoundaryStraight
		return
	}
	if f.State == c.BoundaryUnreachable {
		if f.Waited += dt; f.Waited > boundaryRetry {
			f.State, f.Tight = c.BoundaryStraight, false
			return
		}
	}
	goal := marker(f.BoundaryMemory)
	if !f.sees(q, f.Aim, boundarySight) {
		if !f.back(q, goal) {
			if f.Lost++; f.Lost > boundaryLost {
				f.State = c.BoundaryStraight
			}
		}
		return
	}
	f.Lost = 0
	for range boundaryRolls {
		if f.arrived(goal) {
			return
		}
		next, ok := f.roll(*goal, f.Left)
		if !ok {
			f.State = c.BoundaryStraight
			return
		}
		aim := f.beside(&next)
		if vec.Norm(vec.Sub(aim, q)) > f.sight || !f.sees(q, aim, boundarySight) {
			return
		}
		*goal, f.Aim = next, aim
		if f.note(goal); f.State == c.BoundaryStraight {
			return
		}
	}
}

// back moves the marker back to a point that an agent at q sees, and reports whether there is one.
func (f *boundaryFollower) back(q r2.Vec, goal *c.BoundaryPoint) (ok bool) {
	at := *goal
	for range boundaryRolls {
		before := at.Along
		if at, ok = f.roll(at, !f.Left); !ok {
			return false
		}
		at.Along = before - (at.Along - before)
		if aim := f.beside(&at); f.sees(q, aim, boundarySight) {
			*goal, f.Aim = at, aim
			return true
		}
	}
	return false
}

func (f *boundaryFollower) arrived(goal *c.BoundaryPoint) bool {
	return f.State == c.BoundaryUnreachable && f.same(goal.At, f.Nearest)
}

func (f *boundaryFollower) same(a, b r2.Vec) bool { return vec.Norm(vec.Sub(a, b)) < 0.75*f.step }

// note records the nearest point. After a tour, the agent tries narrow gaps, or gives up if it has already
// tried them.
func (f *boundaryFollower) note(goal *c.BoundaryPoint) {
	if f.State == c.BoundaryUnreachable {
		return
	}
	if f.rest(goal.At) < f.rest(f.Nearest) {
		f.Nearest, f.NearAt = goal.At, goal.Along
	}
	if goal.Along > 3*f.step && f.same(goal.At, f.Hit.At) && vec.Dot(goal.Normal, f.Hit.Normal) > 0 {
		if !f.Tight {
			f.State, f.Tight = c.BoundaryStraight, true
			return
		}
		f.State, f.Waited = c.BoundaryUnreachable, 0
		if f.NearAt > goal.Along/2 { // the other way around is shorter
			at := *goal
			f.Left = !f.Left
			*marker(f.BoundaryMemory) = at
		}
	}
}

// marker returns the point that an agent heads for: the farthest that it has seen.
func marker(x *c.BoundaryMemory) *c.BoundaryPoint {
	if x.Left {
		return &x.Sides[1]
	}
	return &x.Sides[0]
}

func roomOf(x *c.BoundaryMemory) float64 {
	if x.Tight {
		return boundaryTight
	}
	return boundaryRoom
}
