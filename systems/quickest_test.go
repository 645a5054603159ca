package systems_test

import (
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

const people = 150

// hall returns a hall of 20 m by 15 m with people in its left half, and doors of 1.2 m in the lower wall at
// the given x. A field, with the given Every, leads people to the other side of that wall.
func hall(t *testing.T, workers int, seed uint64, every float64, doors ...float64) *world.World {
	t.Helper()
	config := world.Default()
	config.Workers, config.BatchRows, config.Dt = workers, 16, 0.05
	w, err := world.New(config)
	testkit.Must(t, err)
	t.Cleanup(w.Close)
	w.Frame.ShareRows = 1
	walls := [][4]float64{{0, 15, 20, 15}, {0, 0, 0, 15}, {20, 0, 20, 15}} // each from x, y to x, y
	x := 0.
	for _, door := range doors {
		walls = append(walls, [4]float64{x, 0, door - 0.7, 0})
		x = door + 0.7
	}
	for _, wall := range append(walls, [4]float64{x, 0, 20, 0}) {
		from, to := r2.Vec{X: wall[0], Y: wall[1]}, r2.Vec{X: wall[2], Y: wall[3]}
		if _, err := w.AddObstacle(from, c.Obstacle{Span: r2.Sub(to, from), Radius: 0.1}); err != nil {
			t.Fatal(err)
		}
	}
	out, err := w.AddFlowField(sense.FlowField{Goals: []r2.Box{r2.NewBox(-2, -4, 22, -3)}, Radius: 0.25, Every: every})
	testkit.Must(t, err)
	random := rand.New(rand.NewPCG(seed, 1))
	err = w.Spawn(people, []any{
		c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Target{}, c.FlowField{Index: out},
		c.Seek{Gain: 2}, c.Solid{Push: 0.8}, c.Goal{Radius: 0.3, Remove: true},
		c.ORCA{Gain: 2, TimeHorizon: 1, TimeHorizonObst: 0.5, NeighborDist: 3, MaxNeighbors: 10},
	}, func(r *world.Rows) {
		for i, p := 0, world.Column[c.Position](r); i < len(p); i++ {
			p[i].Vec = r2.Vec{X: 3.8 + 0.6*float64(i/15) + 0.09*(random.Float64()-0.5), Y: 0.7 + 0.6*float64(i%15) + 0.09*(random.Float64()-0.5)}
		}
	})
	testkit.Must(t, err)
	return w
}

// empty returns the time until all agents have left the hall, at most 200 s, and the number that left by
// a door beyond x = 11.
func empty(t *testing.T, w *world.World) (seconds float64, far int) {
	t.Helper()
	position := ecs.ComponentID[c.Position](w.ECS)
	filter := ecs.All(position, ecs.ComponentID[c.FlowField](w.ECS))
	seen := map[ecs.Entity]bool{}
	for w.Stats().Arrived < people && w.Clock.Time < 200 {
		run(t, w, 2)
		for q := w.ECS.Query(&filter); q.Next(); {
			if p := (*c.Position)(q.Get(position)); p.Y < 0 && p.X > 11 {
				seen[q.Entity()] = true
			}
		}
	}
	return w.Clock.Time, len(seen)
}

// TestQuickest verifies that a hall empties at least a fifth sooner if agents also use a second, farther
// door because of the jam at the nearer door, and takes at most 3% longer if there is only one
// door. The test compares sums over seeds, because the time of one crowd varies by more than that.
func TestQuickest(t *testing.T) {
	for _, h := range []struct {
		name  string
		doors []float64
		seeds uint64
		most  float64 // maximum, as a share of the time by the nearest door
		far   int     // minimum for each crowd
	}{
		{"a second door four times as far", []float64{4, 18}, 1, 0.8, 40},
		{"one door", []float64{4}, 4, 1.03, 0},
	} {
		nearest, quickest := 0., 0.
		for seed := range h.seeds {
			near, few := empty(t, hall(t, 1, seed, 0, h.doors...))
			quick, many := empty(t, hall(t, 1, seed, 2, h.doors...))
			nearest, quickest = nearest+near, quickest+quick
			t.Logf("%s, seed %d: nearest %.1f s, %d by the far door; quickest %.1f s, %d", h.name, seed, near, few, quick, many)
			if many < h.far {
				t.Errorf("%s, seed %d: by the far door: got=%d, want at least %d", h.name, seed, many, h.far)
			}
		}
		if quickest > h.most*nearest {
			t.Errorf("%s: time by quickest paths: got=%.1f s, want at most %.2f times %.1f s", h.name, quickest, h.most, nearest)
		}
	}
}

// TestQuickestWorkers verifies that a crowd takes the same quickest paths with 1, 2 and 5 workers.
func TestQuickestWorkers(t *testing.T) {
	var want uint64
	for _, workers := range []int{1, 2, 5} {
		w := hall(t, workers, 1, 1, 4, 18)
		run(t, w, 20*8)
		if hash := w.Hash(); want == 0 {
			want = hash
		} else if hash != want {
			t.Errorf("%d workers: hash: got=%x, want=%x", workers, hash, want)
		}
	}
}
