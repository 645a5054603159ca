package world_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

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
