package orca

import (
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// With Yield, who is behind keeps back by this share of the distance at which the
// two would touch, and if it is nearer, takes as long to get there, in seconds.
// With less distance jams before narrow doors take longer to dissolve.
const (
	distance = 0.15
	closing  = 0.5
)

// rank is where an agent stands towards another one.
type rank int

const (
	neither rank = iota // they do not prefer to go about the same way
	ahead
	behind
)

// order returns where a stands towards o, which is at the given offset. Of two who
// prefer to go about the same way, that one is behind who has the other farther
// in front of it; of two who are level, the one with the higher id. So the two
// always agree.
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
