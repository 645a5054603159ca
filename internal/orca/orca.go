// Package orca chooses velocities that avoid collisions when all others choose
// alike: optimal reciprocal collision avoidance.
//
// Each other body forbids the velocities that would lead into it within a
// horizon, as long as it keeps its own: a cone with a round tip, the velocity
// obstacle. If the agent's velocity lies in it, both must together change by the
// way to its nearest border, and each takes a share; if it lies outside, there is
// as much room to share out. That leaves to each a half-plane of velocities. The
// answer is the velocity that lies in all half-planes, within the disc of the
// greatest speed, and nearest to the preferred one. Walls forbid the velocities
// that lead into them, of which the agent takes its whole share. If it is too
// crowded for such a velocity, the answer is the one for which the greatest
// violation is least; walls are never violated.
//
// The agents of a block choose together, in three passes over columns: nearest
// (others.go), half-planes (pairs.go, walls.go), and the program of each agent that
// a half-plane hinders (program.go). A kernel does the first two, and finds the
// half-plane that is violated most. Programs are solved by cutting planes: the one
// that the best velocity so far violates most comes next, and those that none
// violates never do. The paper takes all in random order. Of equally violated ones
// the first given comes first.
//
// Three things are ours; without them agents do as the paper says. Agent.Side and
// Sidestep let two agents pass that meet face to face and would stand for ever.
// Agent.Firm keeps bodies apart in a dense crowd, where the least violation makes them
// overlap. Agent.Yield makes the agent behind give way, without which doors are blocked.
//
// Lengths are in meters, times in seconds. Answers are never NaN: what is so large or
// so small that its square is not a number is left out, or gives zero velocity.
//
// Source: van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision
// avoidance", 2011.
package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Agent is the agent that chooses a velocity.
type Agent struct {
	ID        uint64  // tells apart agents at the same place with the same velocity
	Position  r2.Vec  // m
	Velocity  r2.Vec  // m/s, as of the last step
	Preferred r2.Vec  // m/s, what it would choose if it were alone
	Radius    float64 // m
	MaxSpeed  float64 // m/s

	Horizon         float64 // s, for how long it avoids collisions with others; at least a step
	ObstacleHorizon float64 // s, for how long it avoids collisions with walls; at least a step

	// Sight is how far walls count that hide others, in m, from the agent's surface. See Sightlines.
	Sight float64

	// Side turns the preferred velocity to the right, by the angle of this tangent,
	// while other agents are in the way that do not go the same way within 26 degrees.
	// A negative value turns it to the left. With 0, as in the paper, two agents that
	// meet head-on brake, and stand face to face.
	//
	// Sidestep turns it more, in proportion to how much of its speed toward what it prefers it
	// loses if it does not turn, if an agent is in the way that prefers to cross its way or to come
	// toward it. So jams dissolve. Let it differ from agent to agent and from time to time:
	// agents that block one another and turn by the same angle still block one another.
	// See Sides.
	Side, Sidestep float64

	// Way is the direction in which others see the agent prefer to go, a unit vector;
	// zero if they cannot tell. For all agents it should be that of the last step.
	//
	// Yield makes the agent give way to those ahead of it that do not prefer to go against
	// it: it keeps back from them, and does the whole avoidance, and the agent ahead none. Without it, as in the
	// paper, agents that come to a door at the same time block one another.
	Way   r2.Vec
	Yield bool

	// Keep is the share of the distance at which the two would touch that the one behind keeps
	// back, with Yield.
	Keep float64

	// Firm forbids, like a wall, to close more than the agent's share of the gap to
	// another one in one step. If all are firm, and each sees all that it could touch
	// within a step, no two ever touch. The paper has no such rule, and in a jam its
	// agents are pushed into one another.
	Firm bool
}

// Other is an agent to avoid.
type Other struct {
	ID       uint64
	Position r2.Vec  // m
	Velocity r2.Vec  // m/s, as of the last step
	Radius   float64 // m

	Way r2.Vec // as Agent.Way
	// Share is the part of the avoidance that the agent takes: 0.5 if the other
	// does as much, 1 if it does nothing, 0 if the agent ignores it.
	Share float64
}

// Share returns Other.Share for two agents with priorities, zero or more. The
// shares of the two add up to 1. An agent with three times the priority of the
// other does a quarter of the avoidance, one with infinitely more does none.
func Share(own, theirs float64) float64 {
	own, theirs = max(own, 0), max(theirs, 0)
	if own == theirs || own != own || theirs != theirs {
		return 0.5
	}
	if own > theirs {
		return (theirs / own) / (1 + theirs/own)
	}
	return 1 / (1 + own/theirs)
}

const (
	// An agent that goes with a crowd does not turn to the right, or all would do so
	// in front of a door.
	alike = 0.9 // the cosine of 26 degrees

	side = 0.2
	// With 8, a jam between walls dissolves sooner, but an agent that must pass
	// between others that have arrived may turn away for ever.
	patience = 4
)

// Sides returns Agent.Side and Agent.Sidestep for an agent in a crowd: 11 degrees,
// and up to 77 for one that stands. The draw, in [0, 1), says how much of that. Use
// a hash of the agent and of the time in units of two seconds.
func Sides(draw float64) (turn, more float64) { return side, patience * draw }

// Sidesteps returns Agent.Sidestep for people that turn to the right by themselves before those that come, or to the
// left if right is below zero: it is twice as large. They have no Side.
func Sidesteps(draw, right float64) (more float64) {
	return math.Copysign(2*patience*draw, right)
}

// Edge is a wall, or an edge of an outline that is solid on one side, prepared
// by Wall, Ring or Room.
type Edge struct {
	A, B   r2.Vec  // m, its ends; an outline has its free side to the right of the way from A to B
	Radius float64 // m, how thick it is to each side, with round ends

	along         r2.Vec   // unit vector from A to B
	before, after r2.Vec   // unit normals, to the free side, of the edges that end in A and start in B; zero: none
	outline       *outline // of which it is a part, seen from the right only; nil: it is a wall
}

// Wall returns a wall from a to b, which is a disc if they are the same point.
func Wall(a, b r2.Vec, radius float64) Edge {
	e := Edge{A: a, B: b, Radius: radius, along: vec.Unit(vec.Sub(b, a))}
	if a == b {
		e.along = r2.Vec{X: 1}
	}
	return e
}

// Ring appends the edges of a polygon whose inside is solid. Either winding
// will do; corners that are the same as the one before are left out. A polygon
// without an inside becomes walls. An agent in the inside does not see it, and
// walks out freely.
func Ring(edges []Edge, corners []r2.Vec, radius float64) []Edge {
	return appendOutline(edges, corners, radius, 1)
}

// Room appends the edges of a polygon whose outside is solid.
func Room(edges []Edge, corners []r2.Vec, radius float64) []Edge {
	return appendOutline(edges, corners, radius, -1)
}

// outline stands for the outline that edges have in common.
type outline struct{ _ byte }

// appendOutline appends the edges of a polygon so that the solid side is the inside
// if sign is 1, and the outside if it is -1.
func appendOutline(edges []Edge, corners []r2.Vec, radius, sign float64) []Edge {
	first, area := len(edges), 0.
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		area += vec.Cross(vec.Sub(a, corners[0]), vec.Sub(b, corners[0]))
		if a != b {
			edges = append(edges, Wall(a, b, radius))
		}
	}
	ring := edges[first:]
	if !(area*sign > 0) && !(area*sign < 0) {
		return edges
	}
	if area*sign < 0 {
		for i := range ring {
			e := &ring[i]
			e.A, e.B, e.along = e.B, e.A, vec.Scale(-1, e.along)
		}
		for i, j := 0, len(ring)-1; i < j; i, j = i+1, j-1 {
			ring[i], ring[j] = ring[j], ring[i]
		}
	}
	of := new(outline)
	for i := range ring {
		e, next := &ring[i], &ring[(i+1)%len(ring)]
		e.outline = of
		e.after, next.before = vec.Right(next.along), vec.Right(e.along)
	}
	return edges
}

// view is an edge as an agent sees it that stands to its right, with a to the
// left and b to the right.
type view struct {
	a, b          r2.Vec  // m, the ends, from the agent
	along, normal r2.Vec  // unit vectors, from a to b and to the agent's side
	before, after r2.Vec  // normals of the neighbors on that side
	away          float64 // m, of the agent from the line of the edge, zero or more
	reach         float64 // m, within which bodies touch
	distance      float64 // m, of the agent from the edge
	foot          r2.Vec  // the point of the edge nearest to the agent, from the agent
}

// see sets w to the edge as an agent sees it. It reports whether the agent sees it within reach of its
// surface, in meters.
func (w *view) see(e *Edge, a *Agent, reach float64) bool {
	w.a, w.b, w.along, w.normal = vec.Sub(e.A, a.Position), vec.Sub(e.B, a.Position), e.along, vec.Right(e.along)
	if w.away = -vec.Dot(w.normal, w.a); w.away < 0 {
		if e.outline != nil {
			return false
		}
		w.a, w.b, w.away = w.b, w.a, -w.away
		w.along, w.normal = vec.Scale(-1, w.along), vec.Scale(-1, w.normal)
	}
	switch {
	case vec.Dot(w.along, w.a) >= 0:
		w.foot, w.distance = w.a, vec.Norm(w.a)
	case vec.Dot(w.along, w.b) <= 0:
		w.foot, w.distance = w.b, vec.Norm(w.b)
	default:
		w.foot, w.distance = vec.Scale(-w.away, w.normal), w.away
	}
	w.before, w.after, w.reach = e.before, e.after, max(a.Radius+e.Radius, 0)
	return w.distance <= w.reach || w.distance-w.reach < reach
}

// Foot is the point of an obstacle that is nearest to an agent.
type Foot struct {
	Away     r2.Vec  // unit vector from there to the agent; zero: the agent stands on its middle line
	Distance float64 // m, of the agent from the surface; below 0: within it
}

// AppendFeet appends the nearest point of each obstacle, whose edges follow one another. An agent
// inside an outline does not see it.
func AppendFeet(feet []Foot, p r2.Vec, walls []*Edge) []Foot {
	var last *Edge // with the foot that was appended last
	for _, e := range walls {
		if e.outline != nil && vec.Cross(e.along, vec.Sub(p, e.A)) > 0 {
			continue
		}
		from := e.from(p)
		length := vec.Norm(from)
		f := Foot{vec.Unit(from), length - e.Radius}
		switch {
		case last == nil || !last.neighbors(e):
			feet, last = append(feet, f), e
		case f.Distance < feet[len(feet)-1].Distance:
			feet[len(feet)-1] = f
		}
	}
	return feet
}

// neighbors reports whether two edges are of the same outline.
func (e *Edge) neighbors(o *Edge) bool { return e.outline != nil && e.outline == o.outline }

// from returns the way to p from the nearest point of the middle of a wall.
func (e *Edge) from(p r2.Vec) r2.Vec {
	to := vec.Sub(p, e.A)
	along := min(max(vec.Dot(to, e.along), 0), vec.Dot(vec.Sub(e.B, e.A), e.along))
	return vec.AddScaled(to, -along, e.along)
}
