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

// Agents with ORCA walk as people do: they keep a distance, slow down in dense crowds, overtake
// slower agents, and take time to change their velocity.
func ExampleORCA_people() {
	w := ecs.NewWorld()
	walk := func(id uint64, x, speed float64, laws ...any) ecs.Entity {
		e := w.NewEntity()
		systems.Add(&w, e, append([]any{
			c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: x}}, c.Velocity{}, c.Radius{Meters: 0.2}, c.Target{Vec: r2.Vec{X: 500}},
			c.Limits{MaxSpeed: speed}, c.Seek{Gain: 2},
			c.ORCA{Gain: 2, TimeHorizon: 1, TimeHorizonObst: 1, NeighborDist: 5, Priority: 1},
		}, laws...)...)
		return e
	}
	stroller := walk(1, 3, 0.6)
	walker := walk(2, 0, 1.4,
		c.FollowingDistance{TimeGap: 0.6},      // s
		c.FundamentalDiagram{MaxDensity: 5.4},  // people per square meter
		c.Passing{Overtaking: 0.8, Right: 0.4}, // turns right before oncoming agents
		c.Inertia{MaxAcceleration: 4})          // m/s²

	f := frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &systems.Seek{}, &systems.ORCA{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	position, velocity := ecs.ComponentID[c.Position](&w), ecs.ComponentID[c.Velocity](&w)
	x := func(e ecs.Entity) float64 { return (*c.Position)(w.Get(e, position)).X }
	for step := range 150 {
		f.Step(&w, 0.1)
		if step == 0 {
			fmt.Printf("after a step it walks at %.1f m/s\n", r2.Norm((*c.Velocity)(w.Get(walker, velocity)).Vec))
		}
	}
	fmt.Printf("after 15 s it has overtaken the stroller: %v\n", x(walker) > x(stroller)+1)
	// Output:
	// after a step it walks at 0.4 m/s
	// after 15 s it has overtaken the stroller: true
}
