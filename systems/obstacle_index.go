package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// obstacleIndex is the index of obstacles that a system looks into. Embed it.
type obstacleIndex struct {
	found *sense.Obstacles // in the frame, or given; nil over plain slices
}

// find finds the obstacles, in Attach.
func (x *obstacleIndex) find(f *frame.Frame, system any, given *sense.Obstacles) {
	x.found = sense.ObstaclesOf(f, system, given)
}

// Detach drops them.
func (x *obstacleIndex) Detach(*ecs.World) { x.found = nil }

// index returns the obstacles to look into; over plain slices, those given. It panics if
// there are none.
func (x *obstacleIndex) index(given *sense.Obstacles) *sense.Obstacles {
	if x.found != nil {
		return x.found
	}
	if given == nil {
		panic("crowd: a system that looks at obstacles runs over plain slices, and its field Obstacles is nil: set it to the snapshot of a frame")
	}
	return given
}

// obstacleReach is the obstacleIndex of a system that notes how far its agents look. Embed it.
type obstacleReach struct {
	obstacleIndex
	seen frame.Scratch[farSight]
}

// Observe tells the obstacles the range of the agents.
func (x *obstacleReach) Observe(*ecs.World) {
	x.seen.Each(func(f *farSight) { x.found.Expect(f.reach) })
}

// farSight is how far the agents of a worker looked to either side of the middle
// of what they looked at, in m.
type farSight struct{ reach float64 }

// look notes how far an agent looks, if that is a number.
func (f *farSight) look(reach float64) {
	if reach > f.reach && reach-reach == 0 {
		f.reach = reach
	}
}

// ahead returns what the body of an agent touches first within the horizon. One
// at rest is tested where it is.
func ahead(obstacles *sense.Obstacles, p, v r2.Vec, horizon, body float64, seen *farSight) (c.Threat, bool) {
	if obstacles.Len() == 0 {
		return c.Threat{}, false
	}
	length := float64(vec.Norm(v) * horizon)
	seen.look(float64(length/2) + body)
	return obstacles.Sweep(p, vec.Unit(v), length, body)
}
