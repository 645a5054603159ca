package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// A turret finds the two nearest enemies, and aims at each to see what its shot would hit.
func Example_nearestEnemyAndRay() {
	const friend, enemy = 1 << 0, 1 << 1 // layers
	w := ecs.NewWorld()
	names := map[ecs.Entity]string{}
	put := func(name string, x, y float64, components ...any) ecs.Entity {
		e := w.NewEntity()
		systems.Add(&w, e, append(components, c.Position{Vec: r2.Vec{X: x, Y: y}})...)
		names[e] = name
		return e
	}
	turret := put("turret", 0, 0, c.Radius{Meters: 0.5}, c.Layers{On: friend})
	put("wall", 3, -2, c.Obstacle{Span: r2.Vec{Y: 3}})
	put("medic", 0, 4, c.Radius{Meters: 0.3}, c.Layers{On: friend})
	put("scout", 6, 0, c.Radius{Meters: 0.3}, c.Layers{On: enemy})
	put("sniper", 0, 8, c.Radius{Meters: 0.3}, c.Layers{On: enemy})
	put("tank", 90, 0, c.Radius{Meters: 2}, c.Layers{On: enemy})

	obstacles, neighbors := &sense.Obstacles{}, &sense.Neighbors{Always: true}
	f := frame.New(obstacles, neighbors)
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)

	var at r2.Vec // position of the turret
	var found [2]sense.NeighborHit
	for _, near := range found[:neighbors.Nearest(at, 50, turret, enemy, found[:])] {
		target := neighbors.At(near.Index)
		dir := r2.Unit(r2.Sub(target.Position, at))
		hit, ok := neighbors.Ray(obstacles, at, dir, 50, turret, friend|enemy)
		fmt.Printf("at the %s, %.0f m away: hits the %s at %.1f (an agent %v, %v)\n", names[target.Entity], near.Distance, names[hit.Entity], hit.Point, hit.Agent, ok)
	}
	// Output:
	// at the scout, 6 m away: hits the wall at {3.0 0.0} (an agent false, true)
	// at the sniper, 8 m away: hits the medic at {0.0 3.7} (an agent true, true)
}
