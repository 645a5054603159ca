// Package components defines agents: plain data for arche's archetype storage, without behavior,
// pointers or slices.
//
// The components of an agent determine what it does. Position, Velocity, Mass, Radius, Limits,
// Heading and Agent describe the body. Systems communicate mainly through Target, Steering and Threat.
// Most other components hold the parameters of one behavior, which costs nothing for agents without
// the component. A gain of 0 pauses a behavior without a change of archetype.
//
// Units are meters, seconds, kilograms, newtons and radians. If the time step, the gains and the masses
// are 1, the same code works in the per-frame units of tutorials on steering behaviors.
//
// A zero value means zero; there are no defaults. Limits without MaxForce allow no force, and a
// behavior without Gain is paused. If 0 means no limit, the field says so.
package components
