package systems_test

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// afterStep returns a component of an agent after a step of a system.
func afterStep[T any](system frame.System, dt float64, components ...any) T {
	w := ecs.NewWorld()
	agent := spawn(&w, components...)
	f := frame.New(system)
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Step(&w, dt)
	return *get[T](&w, agent)
}

func spawn(w *ecs.World, components ...any) ecs.Entity {
	e := w.NewEntity()
	systems.Add(w, e, components...)
	return e
}

func get[T any](w *ecs.World, e ecs.Entity) *T { return (*T)(w.Get(e, ecs.ComponentID[T](w))) }

// The force cancels the motion across the direction to the target.
func ExampleSeek() {
	steering := afterStep[c.Steering](&systems.Seek{}, 1, c.Position{}, c.Velocity{Vec: r2.Vec{Y: 1}},
		c.Target{Vec: r2.Vec{X: 10}}, c.Limits{MaxSpeed: 3, MaxForce: 100}, c.Seek{Gain: 2})
	// The desired velocity (3, 0) minus (0, 1), times 2 kg/s.
	fmt.Println(steering.Vec, "N")
	// Output: {6 -2} N
}

// KinematicSeek sets the velocity itself.
func ExampleKinematicSeek() {
	velocity := afterStep[c.Velocity](&systems.KinematicSeek{}, 1, c.Position{}, c.Velocity{Vec: r2.Vec{X: -5}},
		c.Target{Vec: r2.Vec{X: 30, Y: 40}}, c.Limits{MaxSpeed: 5}, c.KinematicSeek{Gain: 1})
	fmt.Println(velocity.Vec, "m/s")
	// Output: {3 4} m/s
}

// Only the agent in the zone of effect flees.
func ExampleFlee() {
	for _, x := range []float64{3, 6} {
		steering := afterStep[c.Steering](&systems.Flee{}, 1, c.Position{Vec: r2.Vec{X: x}}, c.Velocity{Vec: r2.Vec{Y: 1}},
			c.Limits{MaxSpeed: 2}, c.Flee{From: r2.Vec{}, Gain: 1, Radius: 5})
		fmt.Println(x, "m away:", steering.Vec)
	}
	// Output:
	// 3 m away: {2 -1}
	// 6 m away: {0 0}
}

// Within the slowing radius, the desired speed falls with the distance.
func ExampleArrival() {
	for _, x := range []float64{10, 4, 0} { // at 4 m, desired speed 1 m/s, speed 2 m/s
		steering := afterStep[c.Steering](&systems.Arrival{}, 1, c.Position{}, c.Velocity{Vec: r2.Vec{X: 2}},
			c.Target{Vec: r2.Vec{X: x}}, c.Limits{MaxSpeed: 2}, c.Arrival{Gain: 1, SlowingRadius: 8})
		fmt.Println(x, "m away:", steering.X, "N")
	}
	// Output:
	// 10 m away: 0 N
	// 4 m away: -1 N
	// 0 m away: -2 N
}

// Far from the target, the agent gains speed; within the slowing radius, it brakes.
func ExampleOpposingArrival() {
	for _, x := range []float64{10, 1} { // 2 + 2·dt, and 2 - 2·(1/2)·dt
		velocity := afterStep[c.Velocity](&systems.OpposingArrival{}, 0.5, c.Position{}, c.Velocity{Vec: r2.Vec{X: 2}},
			c.Target{Vec: r2.Vec{X: x}}, c.OpposingArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1})
		fmt.Println(x, "m away:", velocity.X, "m/s")
	}
	// Output:
	// 10 m away: 3 m/s
	// 1 m away: 1.5 m/s
}

// Within the slowing radius, the speed is damped.
func ExampleDampedArrival() {
	for _, x := range []float64{10, 1} { // 2 + 2·dt, and 2 + (-2 - 2)·dt
		velocity := afterStep[c.Velocity](&systems.DampedArrival{}, 0.25, c.Position{}, c.Velocity{Vec: r2.Vec{X: 2}},
			c.Target{Vec: r2.Vec{X: x}}, c.DampedArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1})
		fmt.Println(x, "m away:", velocity.X, "m/s")
	}
	// Output:
	// 10 m away: 2.5 m/s
	// 1 m away: 1 m/s
}

// The speed falls from TopSpeed at 80 m to zero at 20 m.
func ExampleSmoothArrival() {
	for _, x := range []float64{100, 50, 35} { // s is 1, 1/2 and 1/4; at 1/4, s²(3 - 2s) = 5/32
		drive := afterStep[c.Drive](&systems.SmoothArrival{}, 1, c.Position{}, c.Target{Vec: r2.Vec{X: x}},
			c.SmoothArrival{Gain: 1, Min: 20, Max: 80}, c.Drive{TopSpeed: 32})
		fmt.Println(x, "m away:", drive.Speed, "m/s")
	}
	// Output:
	// 100 m away: 32 m/s
	// 50 m away: 16 m/s
	// 35 m away: 5 m/s
}

// A fox sees a hare, until the hare is gone.
func ExampleTrack() {
	w := ecs.NewWorld()
	hare := spawn(&w, c.Position{Vec: r2.Vec{X: 5}}, c.Velocity{Vec: r2.Vec{Y: 2}})
	fox := spawn(&w, c.Quarry{Entity: hare})
	f := frame.New(&systems.Track{})
	f.Initialize(&w)
	defer f.Finalize(&w)

	f.Update(&w)
	quarry := get[c.Quarry](&w, fox)
	fmt.Println(quarry.At, quarry.Velocity, quarry.Seen)

	w.RemoveEntity(hare)
	f.Update(&w)
	fmt.Println(quarry.At, quarry.Velocity, quarry.Seen)
	// Output:
	// {5 0} {0 2} true
	// {5 0} {0 2} false
}

// The hare runs east at 3 m/s. The fox, at 5 m/s, can meet it in 2 s, 6 m farther east.
func ExamplePursuit() {
	steering := afterStep[c.Steering](&systems.Pursuit{}, 1, c.Position{}, c.Velocity{}, c.Limits{MaxSpeed: 5, MaxForce: 10},
		c.Quarry{At: r2.Vec{Y: 8}, Velocity: r2.Vec{X: 3}, Seen: true}, c.Pursuit{Gain: 2, Horizon: 10})
	fmt.Printf("%.1f N\n", steering.Vec)
	// Output: {6.0 8.0} N
}

// The hare runs away from the point where the fox could meet it.
func ExampleEvasion() {
	steering := afterStep[c.Steering](&systems.Evasion{}, 1, c.Position{}, c.Velocity{}, c.Limits{MaxSpeed: 5, MaxForce: 10},
		c.Pursuer{At: r2.Vec{Y: 8}, Velocity: r2.Vec{X: 3}, Seen: true}, c.Evasion{Gain: 2, Horizon: 10, Radius: 12})
	fmt.Printf("%.1f N\n", steering.Vec)
	// Output: {-6.0 -8.0} N
}

// The drone aims 3 m to the right of a lantern straight ahead.
func ExampleOffsetPursuit() {
	steering := afterStep[c.Steering](&systems.OffsetPursuit{}, 1, c.Position{}, c.Velocity{Vec: r2.Vec{X: 5}},
		c.Limits{MaxSpeed: 5, MaxForce: 10}, c.Quarry{At: r2.Vec{X: 4}, Seen: true}, c.OffsetPursuit{Gain: 1, Horizon: 10, Distance: 3})
	fmt.Printf("%.1f N\n", steering.Vec)
	// Output: {-1.0 -3.0} N
}

// A rate of ln 2 halves the angle in a second.
func ExampleFacing() {
	heading := afterStep[c.Heading](&systems.Facing{}, 1, c.Velocity{Vec: r2.Vec{Y: 3}}, c.Heading{Vec: r2.Vec{X: 1}}, c.Facing{Rate: math.Ln2})
	fmt.Printf("%.3f\n", heading.Vec)
	// Output: {0.707 0.707}
}

// At an eighth of a turn per second, a turn of 90 degrees takes two seconds.
func ExampleTurnTowards() {
	heading := afterStep[c.Heading](&systems.TurnTowards{}, 1, c.Position{}, c.Target{Vec: r2.Vec{Y: 10}}, c.Heading{Vec: r2.Vec{X: 1}},
		c.TurnTowards{Rate: math.Pi / 4})
	fmt.Printf("%.3f\n", heading.Vec)
	// Output: {0.707 0.707}
}

// The danger is straight ahead, so the agent turns to the left.
func ExampleTurnAway() {
	heading := afterStep[c.Heading](&systems.TurnAway{}, 1, c.Position{}, c.Flee{From: r2.Vec{X: 10}}, c.Heading{Vec: r2.Vec{X: 1}},
		c.TurnAway{Rate: math.Pi / 4})
	fmt.Printf("%.3f\n", heading.Vec)
	// Output: {0.707 0.707}
}

func ExampleDrive() {
	drive := &systems.Drive{}
	position, velocity := []c.Position{{}}, []c.Velocity{{}}
	drive.Run(frame.BatchOf(frame.Clock{Dt: 0.5}, drive,
		frame.Over([]c.Heading{{Vec: r2.Vec{Y: 1}}}),
		frame.Over([]c.Drive{{Speed: 3}}),
		frame.Over(position),
		frame.Over(velocity),
	))
	fmt.Println(position[0].Vec, "m,", velocity[0].Vec, "m/s")
	// Output: {0 1.5} m, {0 3} m/s
}

// A force of 10 N is truncated to 4 N, which accelerates 2 kg by 2 m/s².
func ExampleIntegration() {
	integration := &systems.Integration{}
	position, velocity := []c.Position{{}}, []c.Velocity{{}}
	steering := []c.Steering{{Vec: r2.Vec{X: 10}}}
	integration.Run(frame.BatchOf(frame.Clock{Dt: 0.5}, integration,
		frame.Over(position),
		frame.Over(velocity),
		frame.Over(steering),
		frame.Over([]c.Limits{{MaxSpeed: 3, MaxForce: 4}}),
		frame.Over([]c.Mass{{Kilograms: 2}}),
	))
	fmt.Println(velocity[0].Vec, "m/s") // the velocity first
	fmt.Println(position[0].Vec, "m")   // then the position, with the new velocity
	fmt.Println(steering[0].Vec, "N")   // the force is used up
	// Output:
	// {1 0} m/s
	// {0.5 0} m
	// {0 0} N
}

// An agent has left a box of 10 m by 10 m.
func ExampleBounds() {
	for _, mode := range []systems.BoundsMode{
		systems.BoundsNone, systems.BoundsBounce, systems.BoundsFaithful, systems.BoundsWrap, systems.BoundsClamp,
	} {
		bounds := &systems.Bounds{Mode: mode, Box: r2.Box{Max: r2.Vec{X: 10, Y: 10}}}
		position, velocity := []c.Position{{Vec: r2.Vec{X: 12, Y: 5}}}, []c.Velocity{{Vec: r2.Vec{X: 3}}}
		bounds.Run(frame.BatchOf(frame.Clock{Dt: 1}, bounds, frame.Over(position), frame.Over(velocity)))
		fmt.Printf("x = %2v m, %2v m/s\n", position[0].X, velocity[0].X)
	}
	// Output:
	// x = 12 m,  3 m/s
	// x = 10 m, -3 m/s
	// x = 12 m, -3 m/s
	// x =  2 m,  3 m/s
	// x = 10 m,  0 m/s
}

// A walker has 2 N for two forces. In the sum, the force ahead cancels the backward part of the
// evasion. By priority, evasion gets what it needs, and the force ahead gets the rest.
func ExampleCombine() {
	for _, mode := range []systems.Combination{systems.CombineSum, systems.CombinePriority} {
		w := ecs.NewWorld()
		walker := spawn(&w, c.Agent{ID: 1}, c.Position{}, c.Velocity{}, c.ForceCombination{}, c.Limits{MaxSpeed: 1.5, MaxForce: 2},
			c.Flee{From: r2.Vec{X: 4, Y: -3}, Gain: 1}, c.Seek{Gain: 2}, c.Target{Vec: r2.Vec{X: 9}})
		f := frame.New(systems.CombineForces(mode, 1,
			systems.PriorityEntry{System: &systems.Flee{}, Chance: systems.DefaultChance},
			systems.PriorityEntry{System: &systems.Seek{}, Chance: systems.DefaultChance},
		)...)
		f.Initialize(&w)
		f.Update(&w)
		force := get[c.Steering](&w, walker)
		fmt.Printf("(%.2f, %.2f) N\n", force.X, force.Y)
		f.Finalize(&w)
	}
	// Output:
	// (1.80, 0.90) N
	// (-0.70, 0.90) N
}

// Stairs lead up at x = 4; the agent starts after two seconds.
func ExampleFreeSpeed() {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &systems.Zones{{Box: r2.NewBox(4, -1, 8, 1), Speed: 0.75, Up: r2.Vec{X: 1}, SpeedUp: 0.5}})
	agent := spawn(&w, c.Position{Vec: r2.Vec{X: 2}}, c.Velocity{}, c.Limits{MaxForce: 100}, c.Target{Vec: r2.Vec{X: 20}},
		c.KinematicSeek{Gain: 1}, c.FreeSpeed{Speed: 2, Start: 2})
	f := frame.New(&systems.FreeSpeed{}, &systems.KinematicSeek{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 6 {
		f.Step(&w, 1)
		fmt.Print(get[c.Position](&w, agent).X, " ")
	}
	// Output: 2 2 4 5 6 7
}
