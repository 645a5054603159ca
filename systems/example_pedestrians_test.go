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

// meet lets two pedestrians walk toward each other, not quite head-on. Both follow the given model, with the
// parameters in behavior. It returns, in m, the minimum distance between their centers, and how far one of them
// advances along x in 8 s.
func meet(model any, behavior any) (closest, way float64) {
	w := ecs.NewWorld()
	walk := func(id uint64, from, to r2.Vec) ecs.Entity {
		e := w.NewEntity()
		systems.Add(&w, e, c.Agent{ID: id}, c.Position{Vec: from}, c.Velocity{}, c.Radius{Meters: 0.2},
			c.Target{Vec: to}, c.Limits{MaxSpeed: 1.34}, behavior)
		return e
	}
	a := walk(1, r2.Vec{X: -5, Y: 0.1}, r2.Vec{X: 50, Y: 0.1})
	b := walk(2, r2.Vec{X: 5, Y: -0.1}, r2.Vec{X: -50, Y: -0.1})

	f := frame.New(&sense.Obstacles{}, &sense.Neighbors{}, model, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	position := ecs.ComponentID[c.Position](&w)
	at := func(e ecs.Entity) r2.Vec { return (*c.Position)(w.Get(e, position)).Vec }
	closest = 10
	for range 800 {
		f.Step(&w, 0.01)
		closest = min(closest, r2.Norm(r2.Sub(at(a), at(b))))
	}
	return closest, at(a).X + 5
}

func ExampleSocialForce1995() {
	closest, way := meet(&systems.SocialForce1995{}, c.SocialForce1995{
		RelaxationTime: 0.5, Repulsion: 2.1, Range: 0.3, StepTime: 2, WallRepulsion: 10, WallRange: 0.2,
		FieldOfView: 3.49, WeightBehind: 0.5, SpeedLimit: 1.3, NeighborDist: 5,
	})
	fmt.Printf("%.1f m apart, %.0f m in 8 s\n", closest, way)
	// Output: 1.0 m apart, 10 m in 8 s
}

func ExampleSocialForce2000() {
	closest, way := meet(&systems.SocialForce2000{}, c.SocialForce2000{
		RelaxationTime: 0.5, Repulsion: 2000, Range: 0.08, BodyForce: 1.2e5, Friction: 2.4e5, NeighborDist: 2,
	})
	fmt.Printf("%.1f m apart, %.0f m in 8 s\n", closest, way)
	// Output: 0.4 m apart, 9 m in 8 s
}

func ExampleCollisionFreeSpeed() {
	closest, way := meet(&systems.CollisionFreeSpeed{}, c.CollisionFreeSpeed{
		TimeGap: 1, Repulsion: 5, Range: 0.1, WallRepulsion: 6, WallRange: 0.05, NeighborDist: 3,
	})
	fmt.Printf("%.1f m apart, %.0f m in 8 s\n", closest, way)
	// Output: 0.6 m apart, 10 m in 8 s
}

func ExampleAnticipationVelocity() {
	closest, way := meet(&systems.AnticipationVelocity{}, c.AnticipationVelocity{
		TimeGap: 1.06, Repulsion: 3, Range: 0.1, WallRepulsion: 6, WallRange: 0.05,
		AnticipationTime: 1, ReactionTime: 0.3, NeighborDist: 5,
	})
	fmt.Printf("%.1f m apart, %.0f m in 8 s\n", closest, way)
	// Output: 1.5 m apart, 11 m in 8 s
}
