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
// Three things are ours; without them agents do as the paper says. Rule.Side and
// Sidestep let two agents pass that meet face to face and would stand for ever.
// Rule.Firm keeps bodies apart in a dense crowd, where the least violation makes them
// overlap. Rule.Yield makes the agent behind give way, without which doors are blocked.
//
// Lengths are in meters, times in seconds. Answers are never NaN: what is so large or
// so small that its square is not a number is left out, or gives zero velocity.
//
// Source: van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision
// avoidance", 2011.
package orca

import "math"

// Rule is how agents choose velocities.
type Rule struct {
	Horizon         float64 // s, for how long they avoid collisions with others; at least a step
	ObstacleHorizon float64 // s, for how long they avoid collisions with walls; at least a step

	// Side turns the preferred velocity to the right, by the angle of this tangent,
	// while other agents are in the way that do not go the same way within 26 degrees.
	// A negative value turns it to the left. With 0, as in the paper, two agents that
	// meet head-on brake, and stand face to face.
	//
	// Sidestep turns it more, in proportion to how much of its speed toward what it prefers an agent
	// loses if it does not turn, if another one is in the way that prefers to cross its way or to come
	// toward it. So jams dissolve. Its draw should differ from agent to agent and from time to time:
	// agents that block one another and turn by the same angle still block one another.
	// See Sides.
	Side, Sidestep float64

	// Yield makes agents give way to those ahead of them that do not prefer to go against
	// them: the one behind keeps back by Keep, a share of the distance at which the two would touch, and does the
	// whole avoidance, and the one ahead none. Without it, as in the paper, agents that come to a door at the
	// same time block one another.
	Yield bool
	Keep  float64

	// Firm forbids, like a wall, to close more than the agent's share of the gap to
	// another one in one step. If all are firm, and each sees all that it could touch
	// within a step, no two ever touch. The paper has no such rule, and in a jam its
	// agents are pushed into one another.
	Firm bool
}

// Share returns the share of the avoidance that falls to an agent, of two with priorities, zero or more. The
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

// Sides returns Rule.Side and Rule.Sidestep for agents in a crowd: 11 degrees, and up to 77 for one that
// stands, by its draw in [0, 1). Draw a hash of the agent and of the time in units of two seconds.
func Sides() (turn, more float64) { return side, patience }

// Sidesteps returns Rule.Sidestep for people that turn to the right by themselves before those that come, or to the
// left if right is below zero: it is twice as large. They have no Side.
func Sidesteps(right float64) (more float64) { return math.Copysign(2*patience, right) }
