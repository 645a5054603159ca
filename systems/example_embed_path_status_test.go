package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// One walker goes around a wall; another is sent into a pillar.
func Example_pathStatus() {
	config := world.Default()
	config.Dt = 0.1
	crowd, err := world.New(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer crowd.Close()
	for at, obstacle := range map[r2.Vec]c.Obstacle{{X: -3}: {Span: r2.Vec{X: 6}}, {X: 6}: {Radius: 1}} {
		if _, err := crowd.AddObstacle(at, obstacle); err != nil {
			fmt.Println(err)
			return
		}
	}
	var walkers []ecs.Entity
	goals := []r2.Vec{{Y: 2}, {X: 6}} // behind the wall, and in the middle of the pillar
	walking := []any{
		c.Target{}, c.Destination{}, c.Route{}, c.Goal{Radius: 0.5}, c.Limits{MaxSpeed: 1.4, MaxForce: 10},
		systems.Default[c.Arrival](), systems.Default[c.Solid](),
	}
	err = crowd.Spawn(2, walking, func(r *world.Rows) {
		for i := range r.Len {
			world.Column[c.Position](r)[i].Vec = r2.Vec{Y: -2}
			world.Column[c.Destination](r)[i].Vec = goals[i]
			walkers = append(walkers, r.Entity(i))
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for step := range 101 {
		if step == 0 || step == 20 || step == 100 {
			for _, e := range walkers {
				status, _ := systems.PathStatusOf(crowd.Frame, crowd.ECS, e)
				fmt.Printf("%.0f s: %.1f m, reached %v, waiting %v, unreachable %v\n",
					crowd.Clock.Time, status.Remaining, status.Reached, status.Waiting, status.Unreachable)
			}
		}
		if err := crowd.Step(); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// 0 s: 4.0 m, reached false, waiting true, unreachable false
	// 0 s: 6.3 m, reached false, waiting true, unreachable false
	// 2 s: 5.0 m, reached false, waiting false, unreachable false
	// 2 s: +Inf m, reached false, waiting false, unreachable true
	// 10 s: 0.0 m, reached true, waiting false, unreachable false
	// 10 s: +Inf m, reached false, waiting false, unreachable true
}
