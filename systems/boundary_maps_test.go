package systems_test

import (
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// walls returns boxes along a line, with the corners filled.
func walls(thick float64, line ...r2.Vec) (all [][]r2.Vec) {
	for i := range len(line) - 1 {
		a, b := line[i], line[i+1]
		all = append(all, rectangle(min(a.X, b.X)-thick/2, min(a.Y, b.Y)-thick/2, max(a.X, b.X)+thick/2, max(a.Y, b.Y)+thick/2))
	}
	return all
}

// spiral is a wall that winds outward around the origin, with a corridor of 2 m.
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

// TestBoundaryMaps holds that agents find their way out of maps that are made to keep them.
func TestBoundaryMaps(t *testing.T) {
	for _, x := range []struct {
		name        string
		walls       [][]r2.Vec
		start, goal r2.Vec
		most        float64 // m, how long the way may be
	}{
		{"nothing", nil, r2.Vec{X: -8}, r2.Vec{X: 8}, 16},
		{"wall", walls(0.2, r2.Vec{Y: -5}, r2.Vec{Y: 6}), r2.Vec{X: -8}, r2.Vec{X: 8}, 20},
		{"U", walls(0.2, r2.Vec{X: -6, Y: 4}, r2.Vec{Y: 4}, r2.Vec{Y: -4}, r2.Vec{X: -6, Y: -4}), r2.Vec{X: -1}, r2.Vec{X: 8}, 26},
		{"deep U", walls(0.2, r2.Vec{X: -16, Y: 2}, r2.Vec{Y: 2}, r2.Vec{Y: -2}, r2.Vec{X: -16, Y: -2}), r2.Vec{X: -1}, r2.Vec{X: 8}, 46},
		{"hook", walls(0.2, r2.Vec{X: -6, Y: 1}, r2.Vec{X: -6, Y: 4}, r2.Vec{Y: 4}, r2.Vec{Y: -4}, r2.Vec{X: -6, Y: -4}, r2.Vec{X: -6, Y: -1}), r2.Vec{X: -1}, r2.Vec{X: 8}, 32},
		{"out of a spiral", spiral(3), r2.Vec{}, r2.Vec{X: 20}, 160},
		{"into a spiral", spiral(3), r2.Vec{X: 20}, r2.Vec{}, 220},
		{"beside a wall", walls(0.2, r2.Vec{X: -20, Y: 0.2}, r2.Vec{X: 20, Y: 0.2}), r2.Vec{X: -8}, r2.Vec{X: 8}, 17},
		{"goal in a wall", walls(0.2, r2.Vec{X: 8, Y: -9}, r2.Vec{X: 8, Y: 9}), r2.Vec{X: -8}, r2.Vec{X: 8}, 17},
	} {
		for name, steers := range alone {
			tr := trap{polygons: x.walls, goal: x.goal, radius: 0.3, dt: 0.05, steers: steers}
			way, ok := tr.walk(t, x.start, 400, remembers...)
			if !ok || way > x.most {
				t.Errorf("%s, %s: arrives %v after %.1f m, want at most %v", x.name, name, ok, way, x.most)
			}
			t.Logf("%s, %s: %v %.1f", x.name, name, ok, way)
		}
	}
}

// TestBoundaryRandom holds that agents among boxes arrive wherever there is a way, and that their ways
// are not much longer than the shortest.
func TestBoundaryRandom(t *testing.T) {
	maps := 60
	if testing.Short() {
		maps = 10
	}
	for name, steers := range alone {
		t.Run(name, func(t *testing.T) {
			reachable, arrived, routed := 0, 0, 0
			var worst, sum float64
			for seed := range maps {
				rnd := rand.New(rand.NewPCG(uint64(seed), 15))
				tr := trap{goal: r2.Vec{X: 12}, radius: 0.3, dt: 0.05, steers: steers}
				for range 20 + rnd.IntN(60) {
					x, y := 20*rnd.Float64()-10, 20*rnd.Float64()-10
					tr.polygons = append(tr.polygons, rectangle(x, y, x+0.2+2*rnd.Float64(), y+0.2+2*rnd.Float64()))
				}
				start := r2.Vec{X: -12, Y: 4*rnd.Float64() - 2}
				shortest, ok := tr.shortest(t, start, 0.33)
				if !ok {
					continue
				}
				reachable++
				if testing.Verbose() {
					if _, ok := tr.walk(t, start, 300, c.Destination{}, c.Route{}); ok {
						routed++
					} else {
						t.Logf("map %d: no arrival with route", seed)
					}
				}
				way, ok := tr.walk(t, start, 300, remembers...)
				if !ok {
					t.Errorf("map %d: does not arrive, and the shortest way is %.1f m", seed, shortest)
					continue
				}
				arrived++
				factor := way / (shortest - 1.25)
				worst, sum = math.Max(worst, factor), sum+factor
			}
			t.Logf("%d maps, %d have a way, %d arrived (%d with routes), ways are %.3f times as long as the shortest, at most %.2f", maps, reachable, arrived, routed, sum/float64(arrived), worst)
		})
	}
}

// shortest returns how long the shortest way of a body with a radius is.
func (tr *trap) shortest(t *testing.T, start r2.Vec, radius float64) (float64, bool) {
	t.Helper()
	w, err := world.New(world.Default())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, p := range tr.polygons {
		if _, err := w.AddPolygon(p); err != nil {
			t.Fatal(err)
		}
	}
	w.Obstacles.Sense(w.ECS)
	routes := sense.Routes{Obstacles: w.Obstacles}
	_, length, ok := routes.Find(start, tr.goal, radius, nil)
	return length, ok
}

var _ = c.Position{}
