package world_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Agents come through a door: three immediately, and two more after a second. There is room for one
// at a time, so each agent waits until the agent before it has moved on.
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
