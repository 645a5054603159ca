package systems

import (
	"reflect"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// tags returns n components without a size, which distinguish archetypes.
func tags(w *ecs.World, n int) []ecs.ID {
	ids := make([]ecs.ID, n)
	for i := range ids {
		ids[i] = ecs.TypeID(w, reflect.ArrayOf(0, reflect.ArrayOf(i+1, reflect.TypeFor[byte]())))
	}
	return ids
}

// arrivalCrowd returns a world with some archetypes, each with the given number of rows. All agents
// stay in motion, so no step is cheaper than another.
func arrivalCrowd(archetypes, rows int) *ecs.World {
	w := ecs.NewWorld(min(rows, 64))
	common := []ecs.ID{
		ecs.ComponentID[c.Agent](&w), ecs.ComponentID[c.Position](&w), ecs.ComponentID[c.Velocity](&w), ecs.ComponentID[c.Target](&w),
		ecs.ComponentID[c.Steering](&w), ecs.ComponentID[c.Limits](&w), ecs.ComponentID[c.Mass](&w), ecs.ComponentID[c.Arrival](&w),
	}
	marks := tags(&w, 14)
	next := uint64(0)
	for i := range archetypes {
		ids := append([]ecs.ID{}, common...)
		for bit, mark := range marks {
			if i>>bit&1 == 1 {
				ids = append(ids, mark)
			}
		}
		q := ecs.NewBuilder(&w, ids...).NewBatchQ(rows)
		for q.Next() {
			d := func(use uint64) float64 { return frame.HashFloat(1, next, 0, use) }
			*(*c.Agent)(q.Get(common[0])) = c.Agent{ID: next}
			*(*c.Position)(q.Get(common[1])) = c.Position{Vec: r2.Vec{X: 1000 * d(0), Y: 1000 * d(1)}}
			*(*c.Velocity)(q.Get(common[2])) = c.Velocity{Vec: r2.Vec{X: 10 * d(4), Y: 10 * d(5)}}
			*(*c.Target)(q.Get(common[3])) = c.Target{Vec: r2.Vec{X: 1e6 * (d(2) - 0.5), Y: 1e6 * (d(3) - 0.5)}}
			*(*c.Limits)(q.Get(common[5])) = c.Limits{MaxSpeed: 10, MaxForce: 5}
			*(*c.Mass)(q.Get(common[6])) = c.Mass{Kilograms: 1}
			*(*c.Arrival)(q.Get(common[7])) = c.Arrival{Gain: 2, SlowingRadius: 50}
			next++
		}
	}
	return &w
}
