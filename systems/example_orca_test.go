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

// Two agents on a collision course pass each other; each does half of the avoidance.
func ExampleORCA() {
	w := ecs.NewWorld()
	put := func(id uint64, from, to float64) ecs.Entity {
		e := w.NewEntity()
		systems.Add(&w, e, c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: from}}, c.Velocity{}, c.Radius{Meters: 0.3},
			c.Target{Vec: r2.Vec{X: to}}, c.Limits{MaxSpeed: 1.4}, c.Arrival{Gain: 2, SlowingRadius: 1},
			c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 6, MaxNeighbors: 10, Priority: 1})
		return e
	}
	a, b := put(1, -4, 4), put(2, 4, -4)

	f := frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &systems.Arrival{}, &systems.ORCA{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	position := ecs.ComponentID[c.Position](&w)
	at := func(e ecs.Entity) r2.Vec { return (*c.Position)(w.Get(e, position)).Vec }
	least := 9.
	for range 100 {
		f.Step(&w, 0.1)
		least = min(least, r2.Norm(r2.Sub(at(a), at(b))))
	}
	fmt.Printf("they are at x = %.1f and %.1f, and were never less than %.1f m apart\n", at(a).X, at(b).X, least)
	// Output: they are at x = 4.0 and -4.0, and were never less than 0.7 m apart
}
