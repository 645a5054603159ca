package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// A pillar with a radius of 3 m stands 10 m ahead.
func ExampleObstacles() {
	w := ecs.NewWorld()
	spawn(&w, c.Position{Vec: r2.Vec{X: 10}}, c.Obstacle{Radius: 3})
	obstacles := &sense.Obstacles{}
	f := frame.New(obstacles)
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)

	origin, ahead := r2.Vec{}, r2.Vec{X: 1}
	hit, _ := obstacles.Ray(origin, ahead, 100)
	fmt.Println("a ray goes", hit.Distance, "m")
	hit, _ = obstacles.Sweep(origin, ahead, 100, 0.5)
	fmt.Println("a disc of radius 0.5 m goes", hit.Distance, "m")
	hit, _ = obstacles.Nearest(r2.Vec{X: 9}, 100)
	fmt.Println("the surface is", hit.Distance, "m from a point inside")
	_, found := obstacles.Nearest(origin, 5)
	fmt.Println("within 5 m:", found)
	// Output:
	// a ray goes 7 m
	// a disc of radius 0.5 m goes 6.5 m
	// the surface is -2 m from a point inside
	// within 5 m: false
}

// An agent with a radius of 1 m sees a pillar.
func ExampleThreatScan() {
	w := ecs.NewWorld()
	pillar := spawn(&w, c.Position{Vec: r2.Vec{X: 10}}, c.Obstacle{Radius: 3})
	agent := spawn(&w, c.Position{}, c.Velocity{Vec: r2.Vec{X: 2}}, c.Radius{Meters: 1}, c.ThreatScan{LookAhead: 20}, c.Threat{})
	f := frame.New(&sense.Obstacles{}, &systems.ThreatScan{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)

	threat := get[c.Threat](&w, agent)
	fmt.Println("the pillar:", threat.Obstacle == pillar)
	fmt.Println("in", threat.Distance, "m, at", threat.Contact)
	// Output:
	// the pillar: true
	// in 6 m, at {7 0}
}

// The surface ahead faces back and left, so the agent is pushed to the left.
func ExampleAvoidance() {
	other := ecs.NewWorld()
	threat := c.Threat{Normal: r2.Vec{X: -0.8, Y: 0.6}, Distance: 6, Obstacle: other.NewEntity()}
	steering := afterStep[c.Steering](&systems.Avoidance{}, 1, c.Velocity{Vec: r2.Vec{X: 2}}, threat, c.Avoidance{MaxForce: 4})
	fmt.Println(steering.Vec, "N")
	// Output: {0 4} N
}

func ExampleObstacleCollisions() {
	w := ecs.NewWorld()
	spawn(&w, c.Position{Vec: r2.Vec{X: 10}}, c.Obstacle{Radius: 3})
	agent := spawn(&w, c.Position{}, c.Velocity{}, c.Radius{Meters: 1})
	obstacles := &sense.Obstacles{}
	trips := &measure.TripMetrics{}
	contacts := &measure.ObstacleCollisions{Obstacles: obstacles, TripMetrics: trips}
	f := frame.New(obstacles, contacts, trips)
	f.Initialize(&w)
	defer f.Finalize(&w)
	trips.Begin(&w)

	for _, x := range []float64{0, 6.5, 6.75, 0, 6.5} {
		get[c.Position](&w, agent).X = x
		f.Update(&w)
	}
	count := contacts.Count()
	fmt.Println(count.Collisions, "collisions, at most", count.MaxPenetration, "m deep")
	// Output: 2 collisions, at most 0.75 m deep
}

// A draw depends only on its arguments.
func ExampleHashFloat() {
	const seed, agent, tick = 1, 42, 7
	const forSpeed, forColor = 0, 1
	speed := frame.HashFloat(seed, agent, tick, forSpeed)
	color := frame.HashFloat(seed, agent, tick, forColor)
	fmt.Println(speed == frame.HashFloat(seed, agent, tick, forSpeed))
	fmt.Println(speed == color)
	fmt.Println(0 <= speed && speed < 1)
	// Output:
	// true
	// false
	// true
}

// The order in which agents were created does not matter.
func ExampleHash() {
	sum := func(ids ...uint64) uint64 {
		w := ecs.NewWorld()
		for _, id := range ids {
			spawn(&w, c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: float64(id)}})
		}
		hash := &measure.Hash{}
		f := frame.New(hash)
		f.Initialize(&w)
		defer f.Finalize(&w)
		f.Update(&w)
		return hash.Sum()
	}
	fmt.Println(sum(1, 2, 3) == sum(3, 1, 2))
	fmt.Println(sum(1, 2, 3) == sum(1, 2, 4))
	// Output:
	// true
	// false
}
