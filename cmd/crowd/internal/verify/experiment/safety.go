package experiment

import (
	"context"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// Safety is what must not happen in a built-in scene.
type Safety struct {
	Collisions int // of people with one another: penetrations of more than 1 mm
	InWalls    int // steps in which the center of somebody is in an obstacle
}

// RunSafety runs a built-in scene to its end.
func RunSafety(ctx context.Context, by scene.Model, name string) (Safety, error) {
	s, err := scene.Named(name)
	if err != nil {
		return Safety{}, err
	}
	count, err := steps(ctx, by, s, scene.Options{Safety: true}, func(*world.World) {})
	return Safety{count.AgentCollisions.Collisions, count.ObstacleCollisions.CentersInside}, err
}
