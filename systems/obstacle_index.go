package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// obstacleIndex finds the obstacles of a system. Embed it.
type obstacleIndex struct {
	found *sense.Obstacles // obstacles of the frame, or given ones; nil if the system runs over plain slices
}

func (x *obstacleIndex) find(f *frame.Frame, system any, given *sense.Obstacles) {
	x.found = sense.ObstaclesOf(f, system, given)
}

func (x *obstacleIndex) Detach(*ecs.World) { x.found = nil }

// index returns the obstacles or, over plain slices, the given ones. It panics if it needs those and they
// are nil.
func (x *obstacleIndex) index(given *sense.Obstacles) *sense.Obstacles {
	if x.found != nil {
		return x.found
	}
	if given == nil {
		panic("crowd: a system that reads obstacles runs over plain slices, but its field Obstacles is nil: set it to the snapshot of a frame")
	}
	return given
}

// obstacleReach is an obstacleIndex for a system that tells the obstacles how far its agents look.
// Embed it.
type obstacleReach struct {
	obstacleIndex
	seen frame.Scratch[farSight]
}

// Observe tells the obstacles how far agents look.
func (x *obstacleReach) Observe(*ecs.World) {
	x.seen.Each(func(f *farSight) { x.found.Expect(f.reach) })
}

// farSight is the maximum range of a worker's agents to either side of the middle of their sweeps, in m.
type farSight struct{ reach float64 }

// look raises f.reach to reach, the range of an agent, if that is larger and finite.
func (f *farSight) look(reach float64) {
	if reach > f.reach && reach-reach == 0 {
		f.reach = reach
	}
}

// ahead returns the first contact with an obstacle, within horizon seconds, of a body at p with velocity v
// and radius body, or false if there is none. A body at rest is tested at its position. ahead records the
// range in seen.
func ahead(obstacles *sense.Obstacles, p, v r2.Vec, horizon, body float64, seen *farSight) (c.Threat, bool) {
	if obstacles.Len() == 0 {
		return c.Threat{}, false
	}
	length := float64(vec.Norm(v) * horizon)
	seen.look(float64(length/2) + body)
	return obstacles.Sweep(p, vec.Unit(v), length, body)
}
