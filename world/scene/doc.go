// Package scene describes crowds as data, builds them into a world, holds the
// built-in scenes and reads those of other people.
//
// A Scene is plain data: who is where, with which behaviors, among which
// obstacles. Build makes a world of it. Every random draw is a hash of the seed
// and the agent, so that the same scene and seed give the same crowd anywhere.
package scene
