package orca

import (
	"math"

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
	// within a step, no two ever touch. The paper has no such rule, and in a throng its
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
