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

// The leader goes north. The follower behind it goes to a point 2 m behind the leader; the follower
// ahead of the leader, to its right, steps aside to the right.
func ExampleLeaderFollowing() {
	follow, steering := &systems.LeaderFollowing{}, make([]c.Steering, 2)
	par := c.LeaderFollowing{Gain: 1, Leader: c.TrackedEntity{Velocity: r2.Vec{Y: 1}, Seen: true}, Distance: 2, Length: 5, Width: 3}
	follow.Run(frame.BatchOf(frame.Clock{Dt: 1}, follow,
		frame.Over([]c.Position{{Vec: r2.Vec{X: 4, Y: -5}}, {Vec: r2.Vec{X: 1, Y: 3}}}),
		frame.Over(make([]c.Velocity, 2)),
		frame.Over([]c.Limits{{MaxSpeed: 5}, {MaxSpeed: 5}}),
		frame.Over([]c.LeaderFollowing{par, par}),
		frame.Over(steering),
	))
	fmt.Printf("%.1f N, %.1f N\n", steering[0].Vec, steering[1].Vec)
	// Output: {-4.0 3.0} N, {5.0 0.0} N
}

// Two agents walk east, a meter apart, and the agent behind is 1 m/s faster. It brakes toward 1 m/s, the
// speed at which closing the gap takes 2 s.
func ExampleQueueing() {
	w := ecs.NewWorld()
	add := func(x, speed float64) ecs.Entity {
		e := w.NewEntity()
		systems.Add(&w, e, c.Position{Vec: r2.Vec{X: x}}, c.Velocity{Vec: r2.Vec{X: speed}}, c.Steering{},
			c.Queueing{Gain: 1, Horizon: 2, NeighborDist: 5, Width: 1})
		return e
	}
	first, second := add(1, 0.5), add(0, 1.5)
	f := frame.New(&sense.Neighbors{}, &systems.Queueing{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	for _, e := range []ecs.Entity{first, second} {
		fmt.Printf("%.1f N\n", (*c.Steering)(w.Get(e, ecs.ComponentID[c.Steering](&w))).Vec)
	}
	// Output:
	// {0.0 0.0} N
	// {-0.5 0.0} N
}

// A pursuer is 10 m west of a pillar. Two agents go to the hiding place on the pillar's east side.
func ExampleHiding() {
	w := ecs.NewWorld()
	add := func(components ...any) ecs.Entity {
		e := w.NewEntity()
		systems.Add(&w, e, components...)
		return e
	}
	add(c.Position{Vec: r2.Vec{X: 10}}, c.Obstacle{Radius: 1})
	pursuer := add(c.Position{Vec: r2.Vec{}})
	var hiders []ecs.Entity
	for _, at := range []r2.Vec{{X: 12, Y: 4}, {X: 8, Y: -3}} {
		hiders = append(hiders, add(c.Position{Vec: at}, c.Velocity{}, c.Limits{MaxSpeed: 5}, c.Steering{},
			c.Hiding{Gain: 1, From: c.TrackedEntity{Entity: pursuer}, Range: 9, Distance: 1}))
	}
	f := frame.New(&sense.Obstacles{}, &systems.Hiding{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	for _, e := range hiders {
		fmt.Printf("%.1f N\n", (*c.Steering)(w.Get(e, ecs.ComponentID[c.Steering](&w))).Vec)
	}
	// Output:
	// {0.0 -5.0} N
	// {4.0 3.0} N
}
