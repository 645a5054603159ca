// Package orca implements optimal reciprocal collision avoidance: it chooses velocities that avoid collisions
// if all agents choose in this way.
//
// Every other body rules out the velocities at which the agent would hit it within a horizon if that body
// kept its velocity. These form the velocity obstacle, a cone with a round tip. If the agent's velocity lies
// inside, the two agents share the smallest change that leads out; if it lies outside, they share the room up
// to the border. Each is left with a half-plane of velocities. The agent takes the velocity nearest to its
// preferred one that lies in all half-planes and does not exceed its maximum speed. Walls rule out velocities
// in the same way, but the agent makes the whole change. If no velocity fits, the agent takes the one with
// the smallest maximum violation. That velocity may violate only the half-planes of other bodies and those
// that lead the agent out of a wall.
//
// The agents of a block choose together, in three passes over columns: nearest neighbors, half-planes, and a
// linear program for each agent that a half-plane hinders. The paper's program adds all half-planes in random
// order. Here, the one that the current velocity violates most is added next, so those that are never
// violated are only tested.
//
// Three rules are not in the paper, and can be switched off. With Rule.Side and Rule.Sidestep, agents that
// meet head-on pass one another. Rule.Firm keeps bodies apart in dense crowds. Rule.Yield makes the agent
// behind give way, so that doors do not jam.
//
// Lengths are in meters, times in seconds. Chosen velocities are always finite.
//
// Source: van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision
// avoidance", 2011.
package orca

import "math"

// Rule sets how agents choose velocities.
type Rule struct {
	Horizon         float64 // s, time ahead in which they avoid other agents; at least one step
	ObstacleHorizon float64 // s, time ahead in which they avoid walls; at least one step

	// Side is the tangent of the angle by which an agent that does half of the avoidance turns its preferred
	// velocity right, or left if Side is negative. It turns while agents whose direction differs by more than
	// 26 degrees are in the way. With 0, as in the paper, two agents that meet head-on brake and stand face
	// to face.
	//
	// Sidestep turns the preferred velocity further while a crossing or oncoming agent is in the way, in
	// proportion to the progress that would be lost by not turning. Choose multiplies it by a draw, random per
	// agent and time, because agents that block one another still do so if all turn by the same angle. See
	// Sides.
	Side, Sidestep float64

	// Yield makes agents that do half of the avoidance give way to agents ahead that do not oppose them. The
	// agent behind does the whole avoidance, and keeps back by Keep, a fraction of the distance at which the
	// two touch. Without Yield, as in the paper, agents that reach a door at the same time block one another.
	Yield bool
	Keep  float64

	// Firm keeps the agent, as strictly as a wall does, from closing more than its part of the gap to another
	// agent in one step. The part is 1 minus its share of the avoidance or, for a share above 0.9, what the
	// other leaves at its present velocity. No two agents start to overlap if all are firm, each sees all
	// neighbors that it could touch within a step, and no share is above 0.9. Without Firm, as in the paper,
	// jams push agents into one another.
	Firm bool
}

// Share returns an agent's share of the avoidance, given its priority and that of the other agent. Their two
// shares add up to 1. With three times the other's priority, an agent does a quarter of the avoidance; with
// infinitely more, none. A negative priority counts as 0. If either is NaN, both shares are 0.5.
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
	// The cosine of 26 degrees. Agents that go the same way do not make one another turn; otherwise all would
	// turn in front of a door.
	alike = 0.9

	side = 0.2
	// With 8, jams between walls dissolve sooner, but an agent that must pass between agents that have
	// arrived may turn away forever.
	patience = 4
)

// Sides returns Rule.Side and Rule.Sidestep for agents in a crowd. With these values, agents turn by 11
// degrees, and by up to 77 if they stand. Pass Choose a draw in [0, 1), a hash of the agent and of the time in
// units of two seconds.
func Sides() (turn, more float64) { return side, patience }

// Sidesteps returns Rule.Sidestep for agents that already turn when they meet oncoming ones, and so need no
// Side. Its sign is that of the parameter right: negative means left.
func Sidesteps(right float64) (more float64) { return math.Copysign(2*patience, right) }
