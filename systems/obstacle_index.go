package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

type obstacleIndex struct {
	found *sense.Obstacles // nil if the system runs over plain slices
}

func (x *obstacleIndex) find(f *frame.Frame, system any, given *sense.Obstacles) {
	x.found = sense.ObstaclesOf(f, system, given)
}

func (x *obstacleIndex) Detach(*ecs.World) { x.found = nil }

func (x *obstacleIndex) index(given *sense.Obstacles) *sense.Obstacles {
	if x.found != nil {
		return x.found
	}
	if given == nil {
		panic("crowd: a system that reads obstacles runs over plain slices, but its Obstacles field is nil: set it to the snapshot of a frame")
	}
	return given
}

// obstacleReach is an obstacleIndex that also tells the obstacles how far agents look.
type obstacleReach struct {
	obstacleIndex
	seen frame.Scratch[farSight]
}

func (x *obstacleReach) Observe(*ecs.World) {
	x.seen.Each(func(f *farSight) { x.found.Expect(f.reach) })
}

// farSight is the maximum distance, in m, that a worker's agents look from the middle of their sweeps.
type farSight struct{ reach float64 }

func (f *farSight) look(reach float64) {
	if reach > f.reach && reach-reach == 0 {
		f.reach = reach
	}
}

// ahead returns the first contact within horizon seconds, if any. A body at rest is tested in place.
func ahead(obstacles *sense.Obstacles, p, v r2.Vec, horizon, body float64, seen *farSight) (c.Threat, bool) {
	if obstacles.Len() == 0 {
		return c.Threat{}, false
	}
	length := float64(vec.Norm(v) * horizon)
	seen.look(float64(length/2) + body)
	return obstacles.Sweep(p, vec.Unit(v), length, body)
}
