package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// A fox sees the position of a hare at the start of the step, until the hare is gone.
func ExampleTrack() {
	w := ecs.NewWorld()
	hares := generic.NewMap2[c.Position, c.Velocity](&w)
	hare := hares.NewWith(&c.Position{Vec: r2.Vec{X: 5}}, &c.Velocity{Vec: r2.Vec{Y: 2}})
	foxes := generic.NewMap1[c.Quarry](&w)
	fox := foxes.NewWith(&c.Quarry{Entity: hare})
	f := frame.New(&systems.Track{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	f.Update(&w)
	quarry := foxes.Get(fox)
	fmt.Println(quarry.At, quarry.Velocity, quarry.Seen)

	w.RemoveEntity(hare)
	f.Update(&w)
	fmt.Println(quarry.At, quarry.Velocity, quarry.Seen)
	// Output:
	// {5 0} {0 2} true
	// {5 0} {0 2} false
}

// The hare is 8 m to the north and runs east at 3 m/s. The fox, at 5 m/s, can meet it in 2 s, 6 m
// farther east, and runs there.
func ExamplePursuit() {
	pursuit := &systems.Pursuit{}
	steering := make([]c.Steering, 1)
	pursuit.Run(frame.BatchOf(frame.Clock{Dt: 1}, pursuit,
		frame.Over([]c.Position{{}}),
		frame.Over([]c.Velocity{{}}),
		frame.Over([]c.Quarry{{At: r2.Vec{Y: 8}, Velocity: r2.Vec{X: 3}, Seen: true}}),
		frame.Over([]c.Limits{{MaxSpeed: 5, MaxForce: 10}}),
		frame.Over([]c.Pursuit{{Gain: 2, Horizon: 10}}),
		frame.Over(steering),
	))
	fmt.Printf("%.1f N\n", steering[0].Vec)
	// Output: {6.0 8.0} N
}

// The fox is 8 m to the north and runs east at 3 m/s. The hare runs away from the point where they
// could meet.
func ExampleEvasion() {
	evasion := &systems.Evasion{}
	steering := make([]c.Steering, 1)
	evasion.Run(frame.BatchOf(frame.Clock{Dt: 1}, evasion,
		frame.Over([]c.Position{{}}),
		frame.Over([]c.Velocity{{}}),
		frame.Over([]c.Pursuer{{At: r2.Vec{Y: 8}, Velocity: r2.Vec{X: 3}, Seen: true}}),
		frame.Over([]c.Limits{{MaxSpeed: 5, MaxForce: 10}}),
		frame.Over([]c.Evasion{{Gain: 2, Horizon: 10, Radius: 12}}),
		frame.Over(steering),
	))
	fmt.Printf("%.1f N\n", steering[0].Vec)
	// Output: {-6.0 -8.0} N
}

// A lantern is 4 m straight ahead of a drone, which aims 3 m to the right of it.
func ExampleOffsetPursuit() {
	pursuit := &systems.OffsetPursuit{}
	steering := make([]c.Steering, 1)
	pursuit.Run(frame.BatchOf(frame.Clock{Dt: 1}, pursuit,
		frame.Over([]c.Position{{}}),
		frame.Over([]c.Velocity{{Vec: r2.Vec{X: 5}}}),
		frame.Over([]c.Quarry{{At: r2.Vec{X: 4}, Seen: true}}),
		frame.Over([]c.Limits{{MaxSpeed: 5, MaxForce: 10}}),
		frame.Over([]c.OffsetPursuit{{Gain: 1, Horizon: 10, Distance: 3}}),
		frame.Over(steering),
	))
	fmt.Printf("%.1f N\n", steering[0].Vec)
	// Output: {-1.0 -3.0} N
}
