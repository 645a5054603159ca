package experiment

import (
	"context"
	"math"

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

// WallShare runs the built-in scene evacuation, and returns the share of people in the corridors who are within
// 35 cm of the wall without doors. A recorded corridor has 0.01.
func WallShare(ctx context.Context, by scene.Model, seed uint64) (float64, error) {
	s, err := scene.Named("evacuation")
	if err != nil {
		return 0, err
	}
	s.Seed = seed
	r, err := Record(ctx, by, s, 60)
	at, all := 0., 0.
	for i := range r.People {
		for _, p := range r.People[i].At {
			far := min(math.Abs(p.Y-12.5), math.Abs(p.Y-15.5)) // m, from the walls of the core
			if p.X > 1 && p.X < 53 && far < 3.9 {
				all++
				if far < 0.35 {
					at++
				}
			}
		}
	}
	return at / max(all, 1), err
}
