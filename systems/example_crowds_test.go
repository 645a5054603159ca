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

// steered prints the force of a rule on an agent at the first position, which moves to the right.
// Agents at the other positions move to the left.
func steered(rule, behavior any, bodies ...c.Position) {
	w := ecs.NewWorld()
	var first ecs.Entity
	for i, at := range bodies {
		comps := []any{at, c.Velocity{Vec: r2.Vec{X: 1}}, c.Radius{Meters: 0.5}}
		if i == 0 {
			comps = append(comps, c.Limits{MaxSpeed: 2, MaxForce: 9}, behavior)
		} else {
			comps[1] = c.Velocity{Vec: r2.Vec{X: -1}}
		}
		if e := spawn(&w, comps...); i == 0 {
			first = e
		}
	}
	f := frame.New(&sense.Neighbors{}, rule.(frame.System))
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	force := get[c.Steering](&w, first)
	fmt.Printf("(%.2f, %.2f) N\n", force.X, force.Y)
}

func at(x, y float64) c.Position { return c.Position{Vec: r2.Vec{X: x, Y: y}} }

// Nearer neighbors push harder.
func ExampleSeparation() {
	rule := c.Separation{Gain: 1, NeighborDist: 4}
	steered(&systems.Separation{}, rule, at(0, 0), at(3.2, 0))
	steered(&systems.Separation{}, rule, at(0, 0), at(1, 0), at(-1, 0.5))
	steered(&systems.Separation{}, rule, at(0, 0), at(5, 0))
	// Output:
	// (-0.90, 0.00) N
	// (-0.95, -1.76) N
	// (0.00, 0.00) N
}

// Neighbors move to the left, so the agent turns around.
func ExampleAlignment() {
	steered(&systems.Alignment{}, c.Alignment{Gain: 1, NeighborDist: 4}, at(0, 0), at(3, 0), at(0, 2))
	// Output: (-2.00, 0.00) N
}

// The center of the two neighbors in sight is at (1, 1).
func ExampleCohesion() {
	steered(&systems.Cohesion{}, c.Cohesion{Gain: 1, NeighborDist: 4}, at(0, 0), at(2, 0), at(0, 2), at(9, 9))
	// Output: (0.50, 0.50) N
}

// An agent comes head-on from 10 m away: 1 m to the right within 5 s is enough.
func ExampleUnalignedCollisionAvoidance() {
	rule := c.UnalignedCollisionAvoidance{Gain: 1, Horizon: 8, NeighborDist: 20}
	steered(&systems.UnalignedCollisionAvoidance{}, rule, at(0, 0), at(10, 0))
	// Output: (0.00, -0.20) N
}

// The leader goes north. One follower goes to a point 2 m behind it; the other, ahead, steps aside.
func ExampleLeaderFollowing() {
	leader := c.TrackedEntity{Velocity: r2.Vec{Y: 1}, Seen: true}
	for _, at := range []r2.Vec{{X: 4, Y: -5}, {X: 1, Y: 3}} {
		steering := afterStep[c.Steering](&systems.LeaderFollowing{}, 1, c.Position{Vec: at}, c.Velocity{}, c.Limits{MaxSpeed: 5},
			c.LeaderFollowing{Gain: 1, Leader: leader, Distance: 2, Length: 5, Width: 3})
		fmt.Printf("%.1f N\n", steering.Vec)
	}
	// Output:
	// {-4.0 3.0} N
	// {5.0 0.0} N
}

// The agent behind is 1 m/s faster. It brakes toward 1 m/s: closing the gap of 1 m then takes 2 s.
func ExampleQueueing() {
	w := ecs.NewWorld()
	add := func(x, speed float64) ecs.Entity {
		return spawn(&w, c.Position{Vec: r2.Vec{X: x}}, c.Velocity{Vec: r2.Vec{X: speed}}, c.Steering{},
			c.Queueing{Gain: 1, Horizon: 2, NeighborDist: 5, Width: 1})
	}
	first, second := add(1, 0.5), add(0, 1.5)
	f := frame.New(&sense.Neighbors{}, &systems.Queueing{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	for _, e := range []ecs.Entity{first, second} {
		fmt.Printf("%.1f N\n", get[c.Steering](&w, e).Vec)
	}
	// Output:
	// {0.0 0.0} N
	// {-0.5 0.0} N
}

// Two agents hide on the east side of a pillar from a pursuer in the west.
func ExampleHiding() {
	w := ecs.NewWorld()
	spawn(&w, c.Position{Vec: r2.Vec{X: 10}}, c.Obstacle{Radius: 1})
	pursuer := spawn(&w, c.Position{Vec: r2.Vec{}})
	var hiders []ecs.Entity
	for _, at := range []r2.Vec{{X: 12, Y: 4}, {X: 8, Y: -3}} {
		hiders = append(hiders, spawn(&w, c.Position{Vec: at}, c.Velocity{}, c.Limits{MaxSpeed: 5}, c.Steering{},
			c.Hiding{Gain: 1, From: c.TrackedEntity{Entity: pursuer}, Range: 9, Distance: 1}))
	}
	f := frame.New(&sense.Obstacles{}, &systems.Hiding{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	for _, e := range hiders {
		fmt.Printf("%.1f N\n", get[c.Steering](&w, e).Vec)
	}
	// Output:
	// {0.0 -5.0} N
	// {4.0 3.0} N
}

// Two agents pass each other; each does half of the avoidance.
func ExampleORCA() {
	w := ecs.NewWorld()
	put := func(id uint64, from, to float64) ecs.Entity {
		return spawn(&w, c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: from}}, c.Velocity{}, c.Radius{Meters: 0.3},
			c.Target{Vec: r2.Vec{X: to}}, c.Limits{MaxSpeed: 1.4}, c.Arrival{Gain: 2, SlowingRadius: 1},
			c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 6, MaxNeighbors: 10, Priority: 1})
	}
	a, b := put(1, -4, 4), put(2, 4, -4)

	f := frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &systems.Arrival{}, &systems.ORCA{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	at := func(e ecs.Entity) r2.Vec { return get[c.Position](&w, e).Vec }
	least := 9.
	for range 100 {
		f.Step(&w, 0.1)
		least = min(least, r2.Norm(r2.Sub(at(a), at(b))))
	}
	fmt.Printf("they are at x = %.1f and %.1f, and were never less than %.1f m apart\n", at(a).X, at(b).X, least)
	// Output: they are at x = 4.0 and -4.0, and were never less than 0.7 m apart
}

// Four more components make agents with ORCA walk as people do.
func ExampleORCA_people() {
	w := ecs.NewWorld()
	walk := func(id uint64, x, speed float64, laws ...any) ecs.Entity {
		return spawn(&w, append([]any{
			c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: x}}, c.Velocity{}, c.Radius{Meters: 0.2}, c.Target{Vec: r2.Vec{X: 500}},
			c.Limits{MaxSpeed: speed}, c.Seek{Gain: 2},
			c.ORCA{Gain: 2, TimeHorizon: 1, TimeHorizonObst: 1, NeighborDist: 5, Priority: 1},
		}, laws...)...)
	}
	stroller := walk(1, 3, 0.6)
	walker := walk(2, 0, 1.4,
		c.FollowingDistance{TimeGap: 0.6},      // s
		c.FundamentalDiagram{MaxDensity: 5.4},  // people per square meter
		c.Passing{Overtaking: 0.8, Right: 0.4}, // turns right when it meets oncoming agents
		c.Inertia{MaxAcceleration: 4})          // m/s²

	f := frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &systems.Seek{}, &systems.ORCA{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	x := func(e ecs.Entity) float64 { return get[c.Position](&w, e).X }
	for step := range 150 {
		f.Step(&w, 0.1)
		if step == 0 {
			fmt.Printf("after a step it walks at %.1f m/s\n", r2.Norm(get[c.Velocity](&w, walker).Vec))
		}
	}
	fmt.Printf("after 15 s it has overtaken the stroller: %v\n", x(walker) > x(stroller)+1)
	// Output:
	// after a step it walks at 0.4 m/s
	// after 15 s it has overtaken the stroller: true
}

// meet lets two pedestrians walk toward each other, not quite head-on. It prints the minimum distance
// between their centers, and how far one advances in 8 s.
func meet(model any, behavior any) {
	w := ecs.NewWorld()
	walk := func(id uint64, from, to r2.Vec) ecs.Entity {
		return spawn(&w, c.Agent{ID: id}, c.Position{Vec: from}, c.Velocity{}, c.Radius{Meters: 0.2},
			c.Target{Vec: to}, c.Limits{MaxSpeed: 1.34}, behavior)
	}
	a := walk(1, r2.Vec{X: -5, Y: 0.1}, r2.Vec{X: 50, Y: 0.1})
	b := walk(2, r2.Vec{X: 5, Y: -0.1}, r2.Vec{X: -50, Y: -0.1})

	f := frame.New(&sense.Obstacles{}, &sense.Neighbors{}, model, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	at := func(e ecs.Entity) r2.Vec { return get[c.Position](&w, e).Vec }
	closest := 10.
	for range 800 {
		f.Step(&w, 0.01)
		closest = min(closest, r2.Norm(r2.Sub(at(a), at(b))))
	}
	fmt.Printf("%.1f m apart, %.0f m in 8 s\n", closest, at(a).X+5)
}

func ExampleSocialForce1995() {
	meet(&systems.SocialForce1995{}, c.SocialForce1995{
		RelaxationTime: 0.5, Repulsion: 2.1, Range: 0.3, StepTime: 2, WallRepulsion: 10, WallRange: 0.2,
		FieldOfView: 3.49, WeightBehind: 0.5, SpeedLimit: 1.3, NeighborDist: 5,
	})
	// Output: 1.0 m apart, 10 m in 8 s
}

func ExampleSocialForce2000() {
	meet(&systems.SocialForce2000{}, c.SocialForce2000{
		RelaxationTime: 0.5, Repulsion: 2000, Range: 0.08, BodyForce: 1.2e5, Friction: 2.4e5, NeighborDist: 2,
	})
	// Output: 0.4 m apart, 9 m in 8 s
}

func ExampleCollisionFreeSpeed() {
	meet(&systems.CollisionFreeSpeed{}, c.CollisionFreeSpeed{
		TimeGap: 1, Repulsion: 5, Range: 0.1, WallRepulsion: 6, WallRange: 0.05, NeighborDist: 3,
	})
	// Output: 0.6 m apart, 10 m in 8 s
}

func ExampleAnticipationVelocity() {
	meet(&systems.AnticipationVelocity{}, c.AnticipationVelocity{
		TimeGap: 1.06, Repulsion: 3, Range: 0.1, WallRepulsion: 6, WallRange: 0.05,
		AnticipationTime: 1, ReactionTime: 0.3, NeighborDist: 5,
	})
	// Output: 1.5 m apart, 11 m in 8 s
}

// An agent slides along a wall, and stops in the corner.
func ExampleSlide() {
	w := ecs.NewWorld()
	spawn(&w, c.Position{Vec: r2.Vec{X: -10}}, c.Obstacle{Span: r2.Vec{X: 20}})
	spawn(&w, c.Position{Vec: r2.Vec{X: 5, Y: -10}}, c.Obstacle{Span: r2.Vec{Y: 20}})
	agent := spawn(&w, c.Position{Vec: r2.Vec{Y: 3}}, c.Velocity{Vec: r2.Vec{X: 1, Y: -1.5}}, c.Radius{Meters: 0.5}, c.Solid{})

	f := frame.New(&sense.Obstacles{}, &systems.PreviousPosition{}, &systems.Integration{}, &systems.Slide{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 6 {
		f.Step(&w, 1)
		p, v := get[c.Position](&w, agent), get[c.Velocity](&w, agent)
		fmt.Printf("at (%.2f, %.2f), velocity (%.1f, %.1f)\n", p.X, p.Y, v.X, v.Y)
	}
	// Output:
	// at (1.00, 1.50), velocity (1.0, -1.5)
	// at (2.00, 0.50), velocity (1.0, 0.0)
	// at (3.00, 0.50), velocity (1.0, 0.0)
	// at (4.00, 0.50), velocity (1.0, 0.0)
	// at (4.50, 0.50), velocity (0.0, 0.0)
	// at (4.50, 0.50), velocity (0.0, 0.0)
}

// Two bodies overlap by a meter. In each step, each moves by half of its half of the overlap.
func ExampleResolveOverlaps() {
	w := ecs.NewWorld()
	var bodies []ecs.Entity
	for id, x := range []float64{0, 1} {
		bodies = append(bodies, spawn(&w, c.Agent{ID: uint64(id)}, c.Position{Vec: r2.Vec{X: x}}, c.Radius{Meters: 1}, c.Solid{Push: 0.5}))
	}
	f := frame.New(&sense.Neighbors{}, &systems.ResolveOverlaps{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 3 {
		f.Update(&w)
		fmt.Println(get[c.Position](&w, bodies[0]).X, get[c.Position](&w, bodies[1]).X)
	}
	// Output:
	// -0.25 1.25
	// -0.375 1.375
	// -0.4375 1.4375
}

func ExamplePreviousPosition() {
	w := ecs.NewWorld()
	agent := spawn(&w, c.Position{Vec: r2.Vec{X: 1, Y: 2}}, c.Velocity{Vec: r2.Vec{X: 4}}, c.PreviousPosition{})
	f := frame.New(&systems.PreviousPosition{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Step(&w, 0.5)
	fmt.Println("from", get[c.PreviousPosition](&w, agent).Vec, "to", get[c.Position](&w, agent).Vec)
	// Output: from {1 2} to {3 2}
}
