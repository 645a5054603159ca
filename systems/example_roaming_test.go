package systems_test

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// If the radius of the circle is half its distance, an agent never steers more than 30 degrees off its
// course.
func ExampleWander() {
	wander := &systems.Wander{Seed: 1}
	most := 0.
	for tick := range 1000 {
		steering := make([]c.Steering, 1)
		wander.Run(frame.BatchOf(frame.Clock{Dt: 0.1, Time: 0.1 * float64(tick)}, wander,
			frame.Over([]c.Velocity{{Vec: r2.Vec{X: 1}}}),
			frame.Over([]c.Limits{{MaxSpeed: 1, MaxForce: 5}}),
			frame.Over([]c.Wander{{Gain: 1, Distance: 2, Radius: 1, Rate: 1}}),
			frame.Over(steering),
		))
		desired := r2.Add(steering[0].Vec, r2.Vec{X: 1})
		most = max(most, math.Atan2(math.Abs(desired.Y), desired.X))
	}
	fmt.Printf("%.0f degrees\n", most*180/math.Pi)
	// Output: 30 degrees
}

// A fish swims straight at the glass. With a horizon of 4·mass/gain, it comes to rest there.
func ExampleContainment() {
	w := ecs.NewWorld()
	fish := w.NewEntity()
	systems.Add(&w, fish, c.Position{Vec: r2.Vec{X: 0.5, Y: 0.3}}, c.Velocity{Vec: r2.Vec{X: 0.4}}, c.Limits{MaxSpeed: 0.5, MaxForce: 9},
		c.Containment{Gain: 8, Horizon: 0.5, Box: r2.Box{Max: r2.Vec{X: 1, Y: 0.6}}})
	f := frame.New(&sense.Obstacles{}, &systems.Containment{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	position := generic.NewMap1[c.Position](&w)
	for range 3 {
		for range 200 {
			f.Step(&w, 0.01)
		}
		fmt.Printf("%.3f\n", position.Get(fish).X)
	}
	// Output:
	// 0.995
	// 1.000
	// 1.000
}

// A guard walks along a wall of 100 m, at a distance of 2 m.
func ExampleWallFollowing() {
	w := ecs.NewWorld()
	wall := w.NewEntity()
	systems.Add(&w, wall, c.Position{}, c.Obstacle{Span: r2.Vec{X: 100}})
	guard := w.NewEntity()
	systems.Add(&w, guard, c.Position{Vec: r2.Vec{X: 10, Y: 5}}, c.Velocity{Vec: r2.Vec{X: 1}}, c.Limits{MaxSpeed: 2, MaxForce: 9},
		c.WallFollowing{Gain: 4, Horizon: 1, Offset: 2, Range: 10})
	f := frame.New(&sense.Obstacles{}, &systems.WallFollowing{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	position := generic.NewMap1[c.Position](&w)
	for range 3 {
		for range 500 {
			f.Step(&w, 0.02)
		}
		fmt.Printf("%.1f\n", position.Get(guard).Vec)
	}
	// Output:
	// {29.1 2.0}
	// {49.1 2.0}
	// {69.1 2.0}
}
