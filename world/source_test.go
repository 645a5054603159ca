package world

import (
	"errors"
	"fmt"
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestFailedSource(t *testing.T) {
	w := newWorld(t, nil)
	must(t, w.Spawn(1, walkers, nil))
	var asked []int // tries for agent 0
	at := r2.Vec{X: 9}
	fails := &Source{First: 1, Batches: []Batch{{Time: 0.1, N: 2}}, Components: walkers, Place: func(i, try int) (r2.Vec, float64) {
		if i == 0 {
			asked = append(asked, try)
		}
		return at, 1
	}}
	next := &Source{First: 2, Batches: fails.Batches, Components: walkers, Place: func(int, int) (r2.Vec, float64) { return at, 1 }}
	must(t, errors.Join(w.AddSource(fails), w.AddSource(next)))
	WantError(t, w.Step(), "agent 1: another agent has that ID")
	testkit.Equal(t, fmt.Sprint(fails.Came(), next.Came()), "0 1", "agents of the two sources")
	must(t, w.Step())
	testkit.Equal(t, fmt.Sprint(asked[:2]), "[0 0]", "tries in the two steps")
}

func TestSourceAmongChangedObstacles(t *testing.T) {
	var inStep func()
	w := newWorld(t, func(c *Config) { c.Steer = []any{serial(func() { inStep() })} })
	inStep = func() {}
	must(t, w.Step())
	circle := Value(w.AddObstacle(r2.Vec{}, c.Obstacle{Radius: 1}))
	s := &Source{Batches: []Batch{{N: 1}}, Components: walkers, Place: func(int, int) (r2.Vec, float64) { return r2.Vec{}, 0.5 }}
	must(t, w.AddSource(s))
	testkit.Equal(t, s.Came(), 0, "agents in a new obstacle")
	must(t, w.MoveObstacle(circle, r2.Vec{X: 9}))
	inStep = func() { must(t, w.MoveObstacle(circle, r2.Vec{})) }
	must(t, w.Step())
	testkit.Equal(t, s.Came(), 0, "agents in a moved obstacle")
	inStep = func() { must(t, w.MoveObstacle(circle, r2.Vec{X: 9})) }
	must(t, w.Step())
	testkit.Equal(t, s.Came(), 1, "agents after the obstacle has moved away")
}

func TestAddSourceErrors(t *testing.T) {
	w := newWorld(t, nil)
	for _, test := range []struct {
		batches []Batch
		want    string
	}{
		{[]Batch{{Time: 2, N: 1}, {Time: 1, N: 1}}, "source: time of batch 1 is 1 s, want finite times in ascending order"},
		{[]Batch{{Time: math.Inf(-1), N: 1}}, "source: time of batch 0 is -Inf s"},
		{[]Batch{{Time: math.Inf(1), N: 1}}, "source: time of batch 0 is +Inf s"},
		{[]Batch{{Time: math.NaN(), N: 1}}, "source: time of batch 0 is NaN s"},
		{[]Batch{{N: -1}}, "source: batch 0 has -1 agents, want 0 to "},
		{[]Batch{{N: MaxAgents + 1}}, "source: batch 0 has "},
	} {
		WantError(t, w.AddSource(&Source{Batches: test.batches, Place: func(int, int) (r2.Vec, float64) { return r2.Vec{}, 1 }}), test.want)
	}
}
