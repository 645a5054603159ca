package world_test

import (
	"context"
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// A crowd of one agent walks 30 m at 3 m/s and arrives.
func ExampleNew() {
	config := world.Default()
	config.Dt = 1
	w, err := world.New(config)
	if err != nil {
		panic(err)
	}
	defer w.Close()
	err = w.Spawn(1, []any{
		c.Target{Vec: r2.Vec{X: 30}}, c.Limits{MaxSpeed: 3}, c.KinematicSeek{Gain: 1}, c.Goal{Radius: 0.5},
	}, nil)
	if err != nil {
		panic(err)
	}
	for w.Stats().Arrived == 0 {
		if err := w.Step(); err != nil {
			panic(err)
		}
	}
	fmt.Println("arrived after", w.Stats().MeanArrivalTime, "s")
	// Output: arrived after 10 s
}

// A game has its own world, and its queries see the agents.
func ExampleAttach() {
	game := ecs.NewWorld()
	config := world.Default()
	config.Dt = 0.5
	crowd, err := world.Attach(&game, config)
	if err != nil {
		panic(err)
	}
	defer crowd.Close()

	birds := generic.NewMap2[c.Position, c.Velocity](&game)
	birds.NewWith(&c.Position{}, &c.Velocity{Vec: r2.Vec{X: 4}})
	if err := crowd.Step(); err != nil {
		panic(err)
	}
	query := generic.NewFilter1[c.Position]().Query(&game)
	for query.Next() {
		fmt.Println(query.Get().Vec)
	}
	// Output: {2 0}
}

// Three agents differ only in their position. A fourth is rejected because of its mass.
func ExampleWorld_Spawn() {
	w, err := world.New(world.Default())
	if err != nil {
		panic(err)
	}
	defer w.Close()
	walker := []any{c.Target{Vec: r2.Vec{X: 100}}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Arrival{Gain: 2, SlowingRadius: 3}}
	err = w.Spawn(3, walker, func(r *world.Rows) {
		for i, agent := range world.Column[c.Agent](r) {
			position := &world.Column[c.Position](r)[i]
			position.Y = 2 * float64(i)
			fmt.Println("agent", agent.ID, "at", position.Vec)
		}
	})
	fmt.Println(err)
	err = w.Spawn(1, append(walker, c.Mass{Kilograms: -70}), nil)
	fmt.Println(err)
	// Output:
	// agent 1 at {0 0}
	// agent 2 at {0 2}
	// agent 3 at {0 4}
	// <nil>
	// agent 4: mass is -70 kg, want a finite number above 0
}

// A run ends when the first agent arrives.
func ExampleWorld_Run() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	config := world.Default()
	config.Dt = 1
	config.OnArrived = func(*world.World, systems.Arrived) { cancel() }
	w, err := world.New(config)
	if err != nil {
		panic(err)
	}
	defer w.Close()

	err = w.Spawn(1, []any{
		c.Target{Vec: r2.Vec{X: 9}}, c.Limits{MaxSpeed: 3}, c.KinematicSeek{Gain: 1}, c.Goal{Radius: 0.5},
	}, nil)
	if err != nil {
		panic(err)
	}
	err = w.Run(ctx, 1_000_000)
	fmt.Println(w.Stats().Steps, "steps:", err)
	// Output: 3 steps: context canceled
}

// Agents come through a door: three immediately, and two more after a second. There is room for one at
// a time, so each waits until the previous one has moved on.
func ExampleWorld_AddSource() {
	config := world.Default()
	config.Dt = 0.5
	w, err := world.New(config)
	if err != nil {
		panic(err)
	}
	defer w.Close()
	door := &world.Source{
		Components: []any{c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1}, c.Target{Vec: r2.Vec{X: 50}}, c.KinematicSeek{Gain: 1}},
		Batches:    []world.Batch{{Time: 0, N: 3}, {Time: 1, N: 2}},
		Place:      func(i, try int) (at r2.Vec, radius float64) { return r2.Vec{}, 0.25 },
	}
	if err := w.AddSource(door); err != nil {
		panic(err)
	}
	for range 5 {
		fmt.Printf("%.1f s: %d came, %d wait\n", w.Clock.Time, door.Came(), door.Waiting(w.Clock.Time))
		if err := w.Step(); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 0.0 s: 1 came, 2 wait
	// 0.5 s: 2 came, 1 wait
	// 1.0 s: 3 came, 2 wait
	// 1.5 s: 4 came, 1 wait
	// 2.0 s: 5 came, 0 wait
}

// A pillar makes the agent turn away from its target.
func ExampleInspector_Explain() {
	w, err := world.New(world.Default())
	if err != nil {
		panic(err)
	}
	defer w.Close()
	if _, err := w.AddObstacle(r2.Vec{X: 4, Y: 0.5}, c.Obstacle{Radius: 1}); err != nil {
		panic(err)
	}
	err = w.Spawn(1, []any{
		c.Velocity{Vec: r2.Vec{X: 1}}, c.Target{Vec: r2.Vec{X: 10}}, c.Limits{MaxSpeed: 2, MaxForce: 5},
		c.Seek{Gain: 4}, c.ThreatScan{LookAhead: 4}, c.Avoidance{MaxForce: 6},
	}, nil)
	if err != nil {
		panic(err)
	}
	agent, _ := w.Entity(1)
	x, err := w.Inspect().Explain(agent)
	if err != nil {
		panic(err)
	}
	for _, s := range x.Shares {
		if f := s.Force; f != nil {
			fmt.Printf("%-9s %v × %v %s = %v N, of which %.2f is left\n", s.Behavior, f.Raw, f.Gain, f.GainUnit, f.Newtons, f.Truncated)
		}
	}
	fmt.Printf("%s ahead, %.2f m away\n", x.Threat.Kind, x.Threat.Distance)
	// Output:
	// Seek      {1 0} × 4 kg/s = {4 0} N, of which {2.77 0.00} is left
	// Avoidance {0 -1} × 6 N = {0 -6} N, of which {0.00 -4.16} is left
	// circle ahead, 3.13 m away
}

// Desk marks the agents that work at desks.
type Desk struct{}

// Agents go to their desks through a door that is closed from 10 s to 30 s. At 32 s, an alarm sends all
// of them to the exit.
func ExampleWorld_AddDoor() {
	w, err := world.New(world.Default())
	if err != nil {
		panic(err)
	}
	defer w.Close()
	for _, wall := range [][2]r2.Vec{ // start and span; a room with a gap on the left
		{{X: 20, Y: -1}, {Y: 10}}, {{X: 20, Y: 11}, {Y: 10}}, {{X: 20, Y: -1}, {X: 20}}, {{X: 20, Y: 21}, {X: 20}}, {{X: 40, Y: -1}, {Y: 22}},
	} {
		if _, err := w.AddObstacle(wall[0], c.Obstacle{Span: wall[1], Radius: 0.1}); err != nil {
			panic(err)
		}
	}
	door, err := w.AddDoor(r2.Vec{X: 20, Y: 9}, r2.Vec{X: 20, Y: 11}, 0.1, c.Door{Open: true, Closes: 10, Opens: 30}) // half the thickness
	if err != nil {
		panic(err)
	}
	out, err := w.AddFlowField(sense.FlowField{Goals: []r2.Box{r2.NewBox(0, 9, 2, 11)}, Radius: 0.25})
	if err != nil {
		panic(err)
	}
	err = w.Spawn(5, []any{
		Desk{}, c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 2.5, MaxForce: 12}, c.Target{}, c.Route{}, c.Destination{},
		c.Seek{Gain: 2}, c.Solid{Push: 0.5}, c.Goal{Radius: 0.5},
	}, func(r *world.Rows) {
		pos, dest := world.Column[c.Position](r), world.Column[c.Destination](r)
		for i := range pos {
			pos[i].Vec, dest[i].Vec = r2.Vec{X: 15, Y: 8 + float64(i)}, r2.Vec{X: 24 + 2*float64(i), Y: 4 + 3*float64(i)}
		}
	})
	if err != nil {
		panic(err)
	}
	desks, doors := generic.NewFilter2[Desk, c.Goal](), generic.NewMap[c.Door](w.ECS)
	report := func() {
		seated := 0
		for q := desks.Query(w.ECS); q.Next(); {
			if _, goal := q.Get(); goal.Inside {
				seated++
			}
		}
		d := doors.Get(door)
		fmt.Printf("%.0f s: %d of 5 are at their goals; door open: %v\n", w.Clock.Time, seated, d.Open)
	}
	for w.Clock.Tick < 50*60 {
		if err := w.Step(); err != nil {
			panic(err)
		}
		switch w.Clock.Tick {
		case 15 * 60:
			report()
		case 32 * 60: // the alarm
			for id := uint64(1); id <= 5; id++ {
				agent, _ := w.Entity(id)
				systems.Add(w.ECS, agent, c.FlowField{Index: out})
				w.ECS.Remove(agent, ecs.ComponentID[c.Route](w.ECS), ecs.ComponentID[c.Destination](w.ECS))
			}
		case 34 * 60, 50 * 60:
			report()
		}
	}
	// Output:
	// 15 s: 5 of 5 are at their goals; door open: false
	// 34 s: 0 of 5 are at their goals; door open: true
	// 50 s: 5 of 5 are at their goals; door open: true
}
