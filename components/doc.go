// Package components says what an agent is: plain data for arche's archetype
// storage, without behavior, pointers or slices.
//
// Which agent does what is which components it has. Position, Velocity, Mass,
// Radius, Limits, Heading and Agent describe the body; Target, Steering and
// Threat are what the systems of a step meet in; the others are the parameters
// of one behavior each, and an agent without such a component pays nothing
// for the behavior. A gain of 0 pauses a behavior without a change of
// archetype.
//
// Units are meters, seconds, kilograms, newtons and radians. With a time step
// of 1, a gain of 1 and a mass of 1 the same code works in the per-frame units
// of the tutorials.
//
// A zero value means zero; nothing is set by default. Limits without MaxForce
// allow no force, a behavior without Gain is paused.
package components
