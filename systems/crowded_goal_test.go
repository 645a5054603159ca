package systems_test

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

func settling(w *world.World) (all []ecs.Entity) {
	for q := w.ECS.Query(ecs.All(ecs.ComponentID[c.CrowdedGoal](w.ECS))); q.Next(); {
		all = append(all, q.Entity())
	}
	return all
}

// jam returns a crowd that walks to the origin.
func jam(t *testing.T, n, workers int, walls bool) *world.World {
	t.Helper()
	config := world.Default()
	config.Workers, config.BatchRows, config.Dt = workers, 8, 0.05
	w := startWorld(t, config)
	w.Frame.ShareRows = 1
	if walls { // the goal is in a corner
		for _, span := range []r2.Vec{{X: 40}, {Y: 40}} {
			obstruct(t, w, r2.Vec{X: -0.5, Y: -0.5}, c.Obstacle{Span: span, Radius: 0.1})
		}
	}
	values := []any{
		c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.4, MaxForce: 6}, c.Target{}, c.Goal{Radius: 0.3}, c.CrowdedGoal{Share: 0.3, Patience: 2},
		c.Arrival{Gain: 2, SlowingRadius: 3}, c.Solid{Push: 0.8}, c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 5, MaxNeighbors: 10},
	}
	testkit.Must(t, w.Spawn(n, values, func(r *world.Rows) {
		pos := world.Column[c.Position](r)
		for i := range pos {
			pos[i].Vec = r2.Vec{X: 5 + 0.8*float64(i%10), Y: 5 + 0.8*float64(i/10)}
		}
	}))
	return w
}

// The goal has room for one agent.
func TestCrowdedGoal(t *testing.T) {
	const n = 40
	for _, walls := range []bool{false, true} {
		var want uint64
		for _, workers := range []int{1, 3} {
			w := jam(t, n, workers, walls)
			run(t, w, 20*40)
			testkit.Equal(t, w.Stats().ArrivedOnce, n, "walls %v: arrived", walls)
			if workers == 1 {
				want = w.Hash()
			}
			testkit.Equal(t, w.Hash(), want, "walls %v, %d workers: hash", walls, workers)
			if fast, overlaps, _ := unrest(w); fast+overlaps > 0 {
				t.Errorf("walls %v: got=%d faster than 0.1 m/s, %d pairs that overlap, want=0, 0", walls, fast, overlaps)
			}
			farthest := 0.
			for _, e := range settling(w) {
				farthest = max(farthest, r2.Norm(get[c.Position](w.ECS, e).Vec))
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

// unrest counts agents faster than 0.1 m/s, pairs that overlap, and centers in obstacles.
func unrest(w *world.World) (fast, overlaps, inside int) {
	type disc struct {
		at     r2.Vec
		radius float64
	}
	var bodies []disc
	for q := generic.NewFilter3[c.Position, c.Velocity, c.Radius]().Query(w.ECS); q.Next(); {
		p, v, r := q.Get()
		if r2.Norm(v.Vec) > 0.1 {
			fast++
		}
		for _, b := range bodies {
			if r.Meters+b.radius-r2.Norm(r2.Sub(p.Vec, b.at)) > 1e-3 {
				overlaps++
			}
		}
		if _, in := w.Obstacles.Inside(p.Vec); in {
			inside++
		}
		bodies = append(bodies, disc{p.Vec, r.Meters})
	}
	return fast, overlaps, inside
}

func TestCrowdedGoalAgain(t *testing.T) {
	w := jam(t, 20, 1, false)
	run(t, w, 20*30)
	settled := 0
	for _, e := range settling(w) {
		if get[c.CrowdedGoal](w.ECS, e).Settled {
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

func TestCrowdedGoalBadPosition(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		w := jam(t, 1, 1, false)
		e, want := settling(w)[0], c.CrowdedGoal{Share: 0.3, Patience: 2, Settled: true, Place: r2.Vec{X: 5, Y: 5}, Nearest: 1}
		*get[c.CrowdedGoal](w.ECS, e), get[c.Target](w.ECS, e).Vec = want, want.Place
		get[c.Position](w.ECS, e).X = x
		run(t, w, 8)
		testkit.Equal(t, *get[c.CrowdedGoal](w.ECS, e), want, "at %v: its goal", x)
		testkit.Equal(t, get[c.Target](w.ECS, e).Vec, want.Place, "at %v: target", x)
	}
}
