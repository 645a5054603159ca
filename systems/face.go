package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// facing returns the direction that agent i faces: its heading, else that of
// its velocity, else +x. It serves an agent that stands on the point it flees
// from, which gives no direction.
func facing(vel []c.Velocity, heading []c.Heading, i int) r2.Vec {
	var h r2.Vec
	if heading != nil {
		h = heading[i].Vec
	}
	if h == (r2.Vec{}) && vel != nil {
		h = vec.Unit(vel[i].Vec)
	}
	if h == (r2.Vec{}) {
		h = r2.Vec{X: 1}
	}
	return h
}

// eastward is the Heading of agents that are given one.
var eastward = c.Heading{Vec: r2.Vec{X: 1}}
