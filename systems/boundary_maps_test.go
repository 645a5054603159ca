package systems_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

var full = flag.Bool("full", false, "run the boundary tests in all of their maps, which takes a minute")

type trap struct {
	polygons [][]r2.Vec
	goal     r2.Vec
	radius   float64 // m, of the body
	dt       float64 // s
	steers   []any   // how the agent moves
}

func (tr *trap) world(t *testing.T) *world.World {
	t.Helper()
	config := world.Default()
	config.Workers, config.Dt = 1, tr.dt
	return built(t, config, tr.polygons)
}

func built(t *testing.T, config world.Config, polygons [][]r2.Vec) *world.World {
	t.Helper()
	w := startWorld(t, config)
	for _, p := range polygons {
		_, err := w.AddPolygon(p)
		testkit.Must(t, err)
	}
	return w
}

// walk returns the length of the agent's path, in m, and whether it arrived within the time, in s.
func (tr *trap) walk(t *testing.T, start r2.Vec, time float64) (way float64, arrived bool) {
	t.Helper()
	w := tr.world(t)
	agent := slices.Concat([]any{
		c.Radius{Meters: tr.radius}, c.Limits{MaxSpeed: 1.3, MaxForce: 5}, c.Solid{Push: 0.8}, c.Target{Vec: tr.goal}, c.Goal{Radius: 1.25},
	}, tr.steers, remembers)
	var e ecs.Entity
	testkit.Must(t, w.Spawn(1, agent, func(r *world.Rows) {
		world.Column[c.Position](r)[0].Vec, e = start, r.Entity(0)
		world.Column[c.Destination](r)[0].Vec = tr.goal
	}))
	for last := start; float64(w.Clock.Tick)*tr.dt < time; {
		testkit.Must(t, w.Step())
		p := get[c.Position](w.ECS, e).Vec
		way, last = way+r2.Norm(r2.Sub(p, last)), p
		if w.Stats().ArrivedOnce > 0 {
			return way, true
		}
	}
	return way, false
}

// alone lists ways of moving for a single agent.
var alone = map[string][]any{
	"ORCA":      {c.Seek{Gain: 2}, c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 8}},
	"avoidance": {c.Seek{Gain: 2}, c.ThreatScan{LookAhead: 2}, c.Avoidance{MaxForce: 4}},
	"seek":      {c.Seek{Gain: 2}},
}

var remembers = []any{c.Destination{}, systems.Default[c.BoundaryFollowing]()}

func rectangle(left, low, right, high float64) []r2.Vec {
	return []r2.Vec{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}}
}

func walls(thick float64, line ...r2.Vec) (all [][]r2.Vec) {
	for i := range len(line) - 1 {
		a, b := line[i], line[i+1]
		all = append(all, rectangle(min(a.X, b.X)-thick/2, min(a.Y, b.Y)-thick/2, max(a.X, b.X)+thick/2, max(a.Y, b.Y)+thick/2))
	}
	return all
}

// spiral returns a wall that winds outward, with a corridor 1.8 m wide.
func spiral(turns int) [][]r2.Vec {
	line, at, length := []r2.Vec{{X: -1, Y: -1}}, r2.Vec{X: -1, Y: -1}, 2.
	dir := r2.Vec{X: 1}
	for k := range 4 * turns {
		at = r2.Add(at, r2.Scale(length, dir))
		line, dir = append(line, at), r2.Vec{X: -dir.Y, Y: dir.X}
		if k%2 == 1 {
			length += 2
		}
	}
	return walls(0.2, line...)
}

// The maps are designed to trap agents. Without -full, every sixth start is tested.
func TestBoundaryMaps(t *testing.T) {
	every := 6
	if *full {
		every = 1
	}
	far := r2.Vec{X: 8}
	from := func(x, y float64) []r2.Vec { return []r2.Vec{{X: x, Y: y}} }
	twoBoxes := [][]r2.Vec{rectangle(0.61, -1.02, 1.59, -0.04), rectangle(1.81, 0.67, 2.79, 1.65)} // corner to corner, 3/4 of a body apart
	square := [][]r2.Vec{rectangle(-5, 5, 5, 6), rectangle(-5, -6, 5, -5), rectangle(5, -6, 6, 6), rectangle(-6, -6, -5, 6)}
	var beside, above []r2.Vec
	for k := -30; k <= 30; k++ {
		beside = append(beside, r2.Vec{Y: float64(k) / 10})
	}
	for x := -6.; x <= 6; x++ {
		above = append(above, r2.Vec{X: x, Y: 14})
	}
	for _, x := range []struct {
		name   string
		walls  [][]r2.Vec
		starts []r2.Vec
		goal   r2.Vec
		radius float64 // m, of the body
		time   float64 // s
		most   float64 // m, maximum length of the path
	}{
		{"nothing", nil, from(-8, 0), far, 0.3, 400, 16},
		{"wall", walls(0.2, r2.Vec{Y: -5}, r2.Vec{Y: 6}), from(-8, 0), far, 0.3, 400, 20},
		{"U", walls(0.2, r2.Vec{X: -6, Y: 4}, r2.Vec{Y: 4}, r2.Vec{Y: -4}, r2.Vec{X: -6, Y: -4}), from(-1, 0), far, 0.3, 400, 26},
		{"deep U", walls(0.2, r2.Vec{X: -16, Y: 2}, r2.Vec{Y: 2}, r2.Vec{Y: -2}, r2.Vec{X: -16, Y: -2}), from(-1, 0), far, 0.3, 400, 46},
		{"hook", walls(0.2, r2.Vec{X: -6, Y: 1}, r2.Vec{X: -6, Y: 4}, r2.Vec{Y: 4}, r2.Vec{Y: -4}, r2.Vec{X: -6, Y: -4}, r2.Vec{X: -6, Y: -1}), from(-1, 0), far, 0.3, 400, 32},
		{"out of a spiral", spiral(3), from(0, 0), r2.Vec{X: 20}, 0.3, 400, 160},
		{"into a spiral", spiral(3), from(20, 0), r2.Vec{}, 0.3, 400, 220},
		{"beside a wall", walls(0.2, r2.Vec{X: -20, Y: 0.2}, r2.Vec{X: 20, Y: 0.2}), from(-8, 0), far, 0.3, 400, 17},
		{"goal in a wall", walls(0.2, r2.Vec{X: 8, Y: -9}, r2.Vec{X: 8, Y: 9}), from(-8, 0), far, 0.3, 400, 17},
		{"two boxes", twoBoxes, beside, r2.Vec{X: 31.9, Y: -3.7}, 0.5, 60, math.Inf(1)},
		{"square", square, above, r2.Vec{Y: -16}, 0.5, 90, math.Inf(1)},
	} {
		for name, steers := range alone {
			t.Run(x.name+", "+name, func(t *testing.T) {
				t.Parallel()
				tr := trap{polygons: x.walls, goal: x.goal, radius: x.radius, dt: 0.05, steers: steers}
				for i := 0; i < len(x.starts); i += every {
					way, ok := tr.walk(t, x.starts[i], x.time)
					if !ok || way > x.most {
						t.Errorf("from %v: got=arrived: %v after %.1f m, want=arrived after at most %v m and %v s", x.starts[i], ok, way, x.most, x.time)
					}
				}
			})
		}
	}
}

func TestBoundaryRandom(t *testing.T) {
	maps := 10
	if *full {
		maps = 60
	}
	for name, steers := range alone {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ways, arrived, worst, sum := 0, 0, 0., 0.
			for seed := range maps {
				tr, start := randomBoxes(uint64(seed))
				tr.steers = steers
				shortest, ok := tr.shortest(t, start, 0.33)
				if !ok {
					continue
				}
				ways++
				way, ok := tr.walk(t, start, 300)
				if !ok {
					t.Errorf("map %d: got=not arrived, want=arrived: the shortest path is %.1f m", seed, shortest)
					continue
				}
				arrived++
				factor := way / (shortest - 1.25)
				worst, sum = max(worst, factor), sum+factor
			}
			if mean := sum / float64(arrived); mean > 1.3 || worst > 3 {
				t.Errorf("length of paths, divided by the shortest: got=%.3f on average and %.2f at most, want=at most 1.3 and 3", mean, worst)
			}
			t.Logf("%d of %d arrived; paths are %.3f times as long as the shortest on average, %.2f times at most", arrived, ways, sum/float64(arrived), worst)
		})
	}
}

func randomBoxes(seed uint64) (tr trap, start r2.Vec) {
	rnd := rand.New(rand.NewPCG(seed, 15))
	tr = trap{goal: r2.Vec{X: 12}, radius: 0.3, dt: 0.05}
	for range 20 + rnd.IntN(60) {
		x, y := 20*rnd.Float64()-10, 20*rnd.Float64()-10
		tr.polygons = append(tr.polygons, rectangle(x, y, x+0.2+2*rnd.Float64(), y+0.2+2*rnd.Float64()))
	}
	return tr, r2.Vec{X: -12, Y: 4*rnd.Float64() - 2}
}

func (tr *trap) shortest(t *testing.T, start r2.Vec, radius float64) (float64, bool) {
	t.Helper()
	w := tr.world(t)
	w.Obstacles.Sense(w.ECS)
	routes := sense.Routes{Obstacles: w.Obstacles}
	_, length, ok := routes.Find(start, tr.goal, radius, nil)
	return length, ok
}

func TestBoundaryUnreachable(t *testing.T) {
	var want uint64
	for _, workers := range []int{1, 3} {
		config := world.Default()
		config.Workers, config.BatchRows = workers, 4
		room := []r2.Vec{{X: -4, Y: 1}, {X: -4, Y: 3}, {X: 4, Y: 3}, {X: 4, Y: -3}, {X: -4, Y: -3}, {X: -4, Y: -1}}
		w := built(t, config, walls(0.2, room...))
		w.Frame.ShareRows = 1
		door, err := w.AddDoor(room[0], room[5], 0.1, c.Door{})
		testkit.Must(t, err)
		var e ecs.Entity
		err = w.Spawn(20, append([]any{
			c.Radius{Meters: 0.2}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Target{}, c.Seek{Gain: 2}, c.Layers{On: 1}, c.Goal{Radius: 0.5},
		}, remembers...), func(r *world.Rows) {
			e = r.Entity(0)
			for i := range r.Len {
				world.Column[c.Position](r)[i].Vec = r2.Vec{X: -2 + 0.2*float64(i), Y: 0.1 * float64(i%7)}
				world.Column[c.Destination](r)[i].Vec = r2.Vec{X: 9, Y: 1}
			}
		})
		testkit.Must(t, err)
		run(t, w, 60*55)
		p, state, near := get[c.Position](w.ECS, e).Vec, get[c.BoundaryFollowing](w.ECS, e).Memory.State, r2.Vec{X: 3.7, Y: 1}
		if r2.Norm(r2.Sub(p, near)) > 0.4 || state != c.BoundaryUnreachable {
			t.Errorf("%d workers: got=state %v at %.2f, want=state %v within 0.4 m of %v", workers, state, p, c.BoundaryUnreachable, near)
		}
		testkit.Must(t, w.SetDoor(door, true))
		run(t, w, 60*70)
		testkit.Equal(t, w.Stats().ArrivedOnce, 20, "%d workers: arrived after the door opened", workers)
		if workers == 1 {
			want = w.Hash()
		}
		testkit.Equal(t, w.Hash(), want, "%d workers: hash", workers)
	}
}
