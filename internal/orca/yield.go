package orca

import (
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// With Yield, the agent behind keeps back by this share of the distance at which the
// two would touch; if it is nearer, it takes this time, in seconds, to get there.
// With less distance, jams in front of narrow doors take longer to dissolve.
const (
	distance = 0.15
	closing  = 0.5

	// One with a time gap needs less, and least if it follows.
	facing    = 0.07
	following = 0.01
)

// rank is where an agent stands towards another one.
type rank int

const (
	neither rank = iota // they do not prefer to go about the same way
	ahead
	behind
)

// order returns whether a is ahead of o, which is at the given offset, or behind it.
// Of two agents that prefer to go about the same way, the one is behind that has the
// other one farther in front of it; if they are level, the one with the higher id. So
// the two always agree.
func order(a *Agent, o *Other, to r2.Vec) rank {
	if !(vec.Dot(a.Way, o.Way) > 0) {
		return neither
	}
	own, theirs := vec.Dot(to, a.Way), -vec.Dot(to, o.Way)
	if own > theirs || own == theirs && a.ID > o.ID {
		return behind
	}
	return ahead
}
