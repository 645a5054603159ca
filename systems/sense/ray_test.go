package sense

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestRay verifies what a ray along the x-axis hits first: bodies by layer, obstacles, and which of both.
func TestRay(t *testing.T) {
	o, n := &Obstacles{}, &Neighbors{Always: true}
	s := newStage(t, 0.1, o, n)
	me := s.Put(c.Agent{ID: 1}, c.Position{}, c.Radius{Meters: 1})
	first := s.Put(c.Agent{ID: 2}, c.Position{Vec: xy(4, 0.3)}, c.Radius{Meters: 0.5}, c.Layers{On: 2})
	twin := s.Put(c.Agent{ID: 4}, c.Position{Vec: xy(8, 0)}, c.Radius{Meters: 1}, c.Layers{On: 4})
	low := s.Put(c.Agent{ID: 3}, c.Position{Vec: xy(8, 0)}, c.Radius{Meters: 1}, c.Layers{On: 4})
	wall := s.Put(c.Position{Vec: xy(12, -5)}, c.Obstacle{Span: xy(0, 10)})
	flush := s.Put(c.Agent{ID: 5}, c.Position{Vec: xy(12.5, 0)}, c.Radius{Meters: 0.5}, c.Layers{On: 8})
	behind := s.Put(c.Agent{ID: 6}, c.Position{Vec: xy(20, 0)}, c.Radius{Meters: 0.5}, c.Layers{On: 8})
	s.Step()
	for _, test := range []struct {
		name   string
		length float64
		asks   ecs.Entity
		layers uint32
		see    *Obstacles
		want   ecs.Entity
		agent  bool
		at, by r2.Vec
	}{
		{"the first body", 50, me, math.MaxUint32, o, first, true, xy(3.6, 0), xy(-0.8, -0.6)},
		{"too far", 3, me, math.MaxUint32, o, ecs.Entity{}, false, xy(0, 0), xy(0, 0)},
		{"of two in one place the lowest id", 50, me, 4, o, low, true, xy(7, 0), xy(-1, 0)},
		{"that one asks itself", 50, low, 4, o, twin, true, xy(7, 0), xy(-1, 0)},
		{"a wall before bodies, one of them flush", 50, me, 8, o, wall, false, xy(12, 0), xy(-1, 0)},
		{"no obstacles", 50, me, 8, nil, flush, true, xy(12, 0), xy(-1, 0)},
		{"nothing but obstacles", 50, me, 0, o, wall, false, xy(12, 0), xy(-1, 0)},
		{"from inside a body", 50, ecs.Entity{}, 1, o, me, true, xy(0, 0), xy(-1, 0)},
	} {
		got, ok := n.Ray(test.see, r2.Vec{}, xy(1, 0), test.length, test.asks, test.layers)
		near := math.Abs(got.Point.X-test.at.X) < 1e-12 && math.Abs(got.Normal.X-test.by.X) < 1e-12 && math.Abs(got.Normal.Y-test.by.Y) < 1e-12
		if ok != !test.want.IsZero() || got.Entity != test.want || got.Agent != test.agent || !near || math.Abs(got.Distance-test.at.X) > 1e-12 {
			t.Errorf("%s: got=%+v %v, want=%v at %v", test.name, got, ok, test.want, test.at)
		}
	}
	if _, ok := n.Ray(o, xy(20, 5), xy(0, -1), 4, me, 8); ok {
		t.Error("a ray that ends before the body hits it")
	}
	if got, ok := n.Ray(o, xy(20, 5), xy(0, -1), 4.5, me, 8); !ok || got.Entity != behind {
		t.Errorf("a ray that ends at the body: got=%+v, want=%v", got, behind)
	}
	for _, length := range []float64{1e9, math.MaxFloat64, math.Inf(1)} {
		if got, ok := n.Ray(o, r2.Vec{}, xy(1, 0), length, me, 8); !ok || got.Entity != wall {
			t.Errorf("a ray of %v m: got=%+v %v, want the wall", length, got, ok)
		}
	}
	for _, length := range []float64{-1, math.NaN()} {
		if got, ok := n.Ray(o, r2.Vec{}, xy(1, 0), length, me, 8); ok {
			t.Errorf("a ray of %v m: got=%+v, want nothing", length, got)
		}
	}
	if allocs := testing.AllocsPerRun(10, func() { n.Ray(o, r2.Vec{}, xy(1, 0), 50, me, 2) }); allocs != 0 {
		t.Errorf("allocations: got=%v, want=0", allocs)
	}
}
