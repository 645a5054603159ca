package systems_test

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// jam returns a crowd that walks to the origin, in the open or in a corner between two walls.
func jam(t *testing.T, n, workers int, walls bool, share float64) *world.World {
	t.Helper()
	config := world.Default()
	config.Workers, config.BatchRows, config.Dt = workers, 8, 0.05
	w, err := world.New(config)
	testkit.Must(t, err)
	t.Cleanup(w.Close)
	w.Frame.ShareRows = 1
	if walls { // the goal is in a corner
		for _, span := range []r2.Vec{{X: 40}, {Y: 40}} {
			if _, err := w.AddObstacle(r2.Vec{X: -0.5, Y: -0.5}, c.Obstacle{Span: span, Radius: 0.1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	values := []any{
		c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.4, MaxForce: 6}, c.Target{}, c.Goal{Radius: 0.3}, c.CrowdedGoal{Share: share, Patience: 2},
		c.Arrival{Gain: 2, SlowingRadius: 3}, c.Solid{Push: 0.8}, c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 5, MaxNeighbors: 10},
	}
	if err := w.Spawn(n, values, func(r *world.Rows) {
		pos := world.Column[c.Position](r)
		for i := range pos {
			pos[i].Vec = r2.Vec{X: 5 + 0.8*float64(i%10), Y: 5 + 0.8*float64(i/10)}
		}
	}); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestCrowdedGoal verifies that a whole jam arrives at a point with room for one agent, in the open
// and in a corner, and then stands still without overlaps.
func TestCrowdedGoal(t *testing.T) {
	const n = 40
	for _, walls := range []bool{false, true} {
		var want uint64
		for _, workers := range []int{1, 3} {
			w := jam(t, n, workers, walls, 0.3)
			run(t, w, 20*40)
			testkit.Equal(t, w.Stats().ArrivedOnce, n, "walls %v: arrived", walls)
			if hash := w.Hash(); want == 0 {
				want = hash
			} else if hash != want {
				t.Errorf("walls %v, %d workers: hash: got=%x, want=%x", walls, workers, hash, want)
			}
			if fast, overlaps, _ := unrest(w); fast+overlaps > 0 {
				t.Errorf("walls %v: got=%d faster than 0.1 m/s, %d pairs that overlap, want=0, 0", walls, fast, overlaps)
			}
			farthest := 0.
			f := ecs.All(ecs.ComponentID[c.Position](w.ECS), ecs.ComponentID[c.CrowdedGoal](w.ECS))
			for q := w.ECS.Query(&f); q.Next(); {
				farthest = max(farthest, r2.Norm((*c.Position)(q.Get(ecs.ComponentID[c.Position](w.ECS))).Vec))
			}
			most := 0.25 * math.Sqrt(n/0.08) // radius of a disc that the bodies cover to 8%
			if walls {
				most *= 2 // for a quarter of a disc
			}
			if farthest > most {
				t.Errorf("walls %v: farthest agent from the goal: got=%.2f m, want=%.2f m or less", walls, farthest, most)
			}
		}
	}
}

// unrest returns the numbers of agents faster than 0.1 m/s, of pairs that overlap, and of centers in obstacles.
func unrest(w *world.World) (fast, overlaps, inside int) {
	var at []r2.Vec
	var radius []float64
	pos, vel, body := ecs.ComponentID[c.Position](w.ECS), ecs.ComponentID[c.Velocity](w.ECS), ecs.ComponentID[c.Radius](w.ECS)
	for q := w.ECS.Query(ecs.All(pos, vel, body)); q.Next(); {
		if r2.Norm((*c.Velocity)(q.Get(vel)).Vec) > 0.1 {
			fast++
		}
		p, r := (*c.Position)(q.Get(pos)).Vec, (*c.Radius)(q.Get(body)).Meters
		for i := range at {
			if r+radius[i]-r2.Norm(r2.Sub(p, at[i])) > 1e-3 {
				overlaps++
			}
		}
		if _, in := w.Obstacles.Inside(p); in {
			inside++
		}
		at, radius = append(at, p), append(radius, r)
	}
	return fast, overlaps, inside
}

// TestCrowdedGoalAgain verifies that an agent that has stopped moves on when it gets another target.
func TestCrowdedGoalAgain(t *testing.T) {
	w := jam(t, 20, 1, false, 0.3)
	run(t, w, 20*30)
	var who []ecs.Entity
	f := ecs.All(ecs.ComponentID[c.CrowdedGoal](w.ECS))
	for q := w.ECS.Query(&f); q.Next(); {
		who = append(who, q.Entity())
	}
	settled := 0
	for _, e := range who {
		if (*c.CrowdedGoal)(w.ECS.Get(e, ecs.ComponentID[c.CrowdedGoal](w.ECS))).Settled {
			settled++
		}
		w.SetDestination(e, r2.Vec{X: 20})
	}
	if settled < 10 {
		t.Errorf("agents that stay around the goal: got=%d of 20, want=10 or more", settled)
	}
	run(t, w, 20*40)
	if got := w.Stats().Arrived; got < 40 {
		t.Errorf("arrived: got=%d times, want=40 or more", got)
	}
}
