package systems_test

import (
	"fmt"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/crowdtest"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// A crowd continues the IDs of the agents in its world.
func Example_idsGoOn() {
	w := ecs.NewWorld()
	systems.Add(&w, w.NewEntity(), c.Agent{ID: 41}, c.Position{}, c.Velocity{})
	crowd, err := world.Attach(&w, world.Default())
	check(err)
	defer crowd.Close()

	own := w.NewEntity()
	systems.AddBound(crowd.Frame, &w, own, c.Agent{ID: crowd.NextID()}, c.Position{}, c.Velocity{})
	if err := crowd.SetNextID(crowd.NextID() + 1); err != nil {
		fmt.Println(err)
		return
	}
	check(crowd.Spawn(1, nil, nil))
	fmt.Println("made by hand:", crowd.ID(own))
	_, spawned := crowd.Entity(43)
	fmt.Println("agent 43 is there:", spawned)

	_, err = world.Attach(&w, world.Default())
	fmt.Println(err)
	// Output:
	// made by hand: 42
	// agent 43 is there: true
	// cannot attach: the world already has a crowd; close it first
}

// One walker goes around a wall; another is sent into a pillar.
func Example_pathStatus() {
	config := world.Default()
	config.Dt = 0.1
	crowd, err := world.New(config)
	check(err)
	defer crowd.Close()
	for at, obstacle := range map[r2.Vec]c.Obstacle{{X: -3}: {Span: r2.Vec{X: 6}}, {X: 6}: {Radius: 1}} {
		_, err := crowd.AddObstacle(at, obstacle)
		check(err)
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
	check(err)
	for step := range 101 {
		if step == 0 || step == 20 || step == 100 {
			for _, e := range walkers {
				status, _ := systems.PathStatusOf(crowd.Frame, crowd.ECS, e)
				fmt.Printf("%.0f s: %.1f m, reached %v, waiting %v, unreachable %v\n",
					crowd.Clock.Time, status.Remaining, status.Reached, status.Waiting, status.Unreachable)
			}
		}
		check(crowd.Step())
	}
	// Output:
	// 0 s: 4.0 m, reached false, waiting true, unreachable false
	// 0 s: 6.3 m, reached false, waiting true, unreachable false
	// 2 s: 5.0 m, reached false, waiting false, unreachable false
	// 2 s: +Inf m, reached false, waiting false, unreachable true
	// 10 s: 0.0 m, reached true, waiting false, unreachable false
	// 10 s: +Inf m, reached false, waiting false, unreachable true
}

// A whole crowd uses the game's own types.
func Example_bindOwnTypesInAWorld() {
	w := ecs.NewWorld()
	config := world.Default()
	config.Dt = 1
	config.Bind = []frame.Binding{
		frame.Bound[c.Position, Place](),
		frame.Bound[c.Velocity, Motion](),
	}
	crowd, err := world.Attach(&w, config)
	check(err)
	defer crowd.Close()

	ship := []any{c.Target{Vec: r2.Vec{X: 31, Y: 40}}, c.Limits{MaxSpeed: 5}, c.KinematicSeek{Gain: 1}}
	err = crowd.Spawn(2, append(ship, Motion{X: 1}), func(r *world.Rows) {
		for i, place := 0, world.Column[Place](r); i < r.Len; i++ {
			place[i].X = 1 + 6*float64(i)
		}
	})
	check(err)
	systems.AddBound(crowd.Frame, &w, w.NewEntity(), append(ship, Place{X: 31}, Motion{})...)
	check(crowd.Step())
	for q := generic.NewFilter2[Place, Motion]().Query(&w); q.Next(); {
		place, motion := q.Get()
		fmt.Printf("at %.1f, %.1f with %.1f, %.1f\n", place.X, place.Y, motion.X, motion.Y)
	}
	// Unordered output:
	// at 4.0, 4.0 with 3.0, 4.0
	// at 9.6, 4.3 with 2.6, 4.3
	// at 31.0, 5.0 with 0.0, 5.0
}

func TestSwim(t *testing.T) { crowdtest.Behavior(t, swim) }

// crowdtest cannot generate a Sail.
func TestWind(t *testing.T) {
	sails := crowdtest.Options{
		Agent: func(d *crowdtest.Draw, _ int) []any { return []any{Sail{Area: d.Float64()}} },
	}
	sails.System(t, catalog.Translation|catalog.Finite|catalog.NoAllocation, func() any {
		return &wind{force: r2.Vec{X: 0.25}}
	})
}
