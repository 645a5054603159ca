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
