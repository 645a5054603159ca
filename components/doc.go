// Package components defines agents as plain data, without pointers or slices, for arche's archetype storage.
//
// The components of an agent determine what it does. Position, Velocity, Mass, Radius, Limits, Heading and
// Agent describe the body. Systems communicate mainly through Target, Steering and Threat. Most other
// components hold the parameters of one behavior, and cost nothing for agents without them. A gain of 0
// pauses a behavior, and the archetype stays the same.
//
// Units are meters, seconds, kilograms, newtons and radians. If the time step, the gains and the masses are
// 1, the same code works in the per-frame units of tutorials on steering behaviors.
//
// There are no defaults: zero means zero, so Limits without MaxForce allow no force. If 0 means no limit, the
// field's comment says so.
package components
