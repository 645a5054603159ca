package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// A fox sees a hare where it was at the start of the step, until it is gone.
func ExampleTrack() {
	w := ecs.NewWorld()
	hares := generic.NewMap2[c.Position, c.Velocity](&w)
	hare := hares.NewWith(&c.Position{Vec: r2.Vec{X: 5}}, &c.Velocity{Vec: r2.Vec{Y: 2}})
	foxes := generic.NewMap1[c.Quarry](&w)
	fox := foxes.NewWith(&c.Quarry{Entity: hare})
	frame := systems.NewFrame(&systems.Track{})
	frame.Initialize(&w)
	defer frame.Finalize(&w)

	frame.Update(&w)
	quarry := foxes.Get(fox)
	fmt.Println(quarry.At, quarry.Velocity, quarry.Seen)

	w.RemoveEntity(hare)
	frame.Update(&w)
	fmt.Println(quarry.At, quarry.Velocity, quarry.Seen)
	// Output:
	// {5 0} {0 2} true
	// {5 0} {0 2} false
}

// The hare is 8 m to the north and runs east at 3 m/s. The fox, at 5 m/s, can meet
// it in 2 s, 6 m further east, and goes there.
func ExamplePursuit() {
	pursuit := &systems.Pursuit{}
	steering := make([]c.Steering, 1)
	pursuit.Run(systems.BatchOf(systems.Clock{Dt: 1}, pursuit,
		systems.Over([]c.Position{{}}),
		systems.Over([]c.Velocity{{}}),
		systems.Over([]c.Quarry{{At: r2.Vec{Y: 8}, Velocity: r2.Vec{X: 3}, Seen: true}}),
		systems.Over([]c.Limits{{MaxSpeed: 5, MaxForce: 10}}),
		systems.Over([]c.Pursuit{{Gain: 2, Horizon: 10}}),
		systems.Over(steering),
	))
	fmt.Printf("%.1f N\n", steering[0].Vec)
	// Output: {6.0 8.0} N
}

// The fox is 8 m to the north and runs east at 3 m/s. The hare runs away from
// where they could meet.
func ExampleEvasion() {
	evasion := &systems.Evasion{}
	steering := make([]c.Steering, 1)
	evasion.Run(systems.BatchOf(systems.Clock{Dt: 1}, evasion,
		systems.Over([]c.Position{{}}),
		systems.Over([]c.Velocity{{}}),
		systems.Over([]c.Pursuer{{At: r2.Vec{Y: 8}, Velocity: r2.Vec{X: 3}, Seen: true}}),
		systems.Over([]c.Limits{{MaxSpeed: 5, MaxForce: 10}}),
		systems.Over([]c.Evasion{{Gain: 2, Horizon: 10, Radius: 12}}),
		systems.Over(steering),
	))
	fmt.Printf("%.1f N\n", steering[0].Vec)
	// Output: {-6.0 -8.0} N
}

// A drone passes a lantern that is dead ahead at 3 m, on the right.
func ExampleOffsetPursuit() {
	pursuit := &systems.OffsetPursuit{}
	steering := make([]c.Steering, 1)
	pursuit.Run(systems.BatchOf(systems.Clock{Dt: 1}, pursuit,
		systems.Over([]c.Position{{}}),
		systems.Over([]c.Velocity{{Vec: r2.Vec{X: 5}}}),
		systems.Over([]c.Quarry{{At: r2.Vec{X: 4}, Seen: true}}),
		systems.Over([]c.Limits{{MaxSpeed: 5, MaxForce: 10}}),
		systems.Over([]c.OffsetPursuit{{Gain: 1, Horizon: 10, Distance: 3}}),
		systems.Over(steering),
	))
	fmt.Printf("%.1f N\n", steering[0].Vec)
	// Output: {-1.0 -3.0} N
}
