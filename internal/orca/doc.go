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
// that lead into them, of which the agent takes its whole share.
//
// If there is no such velocity, because it is too crowded, the answer is the one
// for which the greatest violation is least; walls are never violated.
//
// Three things are ours: Agent.Side and Sidestep, without which those who meet
// face to face stand; Agent.Firm, without which a throng is pushed into one
// another; and Agent.Yield, without which a throng blocks itself in doors. Walking is what people
// prefer. With all of them zero, agents do as the paper says.
//
// The rules are functions of plain data. The linear programs are solved by cutting planes:
// the half-plane that the best velocity so far violates most comes next, and those that
// none violates never do. The paper takes all in random order; most agents here violate
// none. Of equally violated ones the first given comes first, so the answer is the same,
// bit for bit, if the order is.
//
// Lengths are meters, times seconds. Answers never hold NaN: what is so large or
// so small that its square is not a number is left out, or gives zero velocity.
//
// Source: van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision
// avoidance", 2011.
package orca
