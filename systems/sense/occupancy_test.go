package sense

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Where the index has an obstacle within a cell's reach, there is that cell, and
// a look-up within a cell that is not there finds nothing near.
func TestCells(t *testing.T) {
	w := ecs.NewWorld()
	o := &Obstacles{}
	f := frame.New(o)
	f.Initialize(&w)
	defer f.Finalize(&w)
	everywhere := r2.Box{Min: r2.Vec{X: -1e12, Y: -1e12}, Max: r2.Vec{X: 1e12, Y: 1e12}}
	count := func(box r2.Box) (cells, most int) {
		o.Cells(box, func(_ r2.Box, n int) bool { cells, most = cells+1, max(most, n); return true })
		return cells, most
	}
	if cells, _ := count(everywhere); cells != 0 {
		t.Errorf("before the first step: got=%d cells, want=0", cells)
	}
	add := func(x, y float64, ob c.Obstacle) {
		testkit.Add(&w, w.NewEntity(), c.Position{Vec: r2.Vec{X: x, Y: y}}, ob)
	}
	add(3, 3, c.Obstacle{Radius: 1})
	add(4, 3, c.Obstacle{Radius: 1})
	add(40, 30, c.Obstacle{Span: r2.Vec{X: 5, Y: 5}, Radius: 0.1})
	add(0, 0, c.Obstacle{Radius: -1}) // not in the index
	f.Update(&w)
	if cells, most := count(everywhere); cells < 2 || most < 2 || most > 3 {
		t.Errorf("everywhere: got=%d cells with up to %d obstacles, want=some, with 2 or 3", cells, most)
	}
	if cells, _ := count(r2.Box{Min: r2.Vec{X: 1e6, Y: 1e6}, Max: r2.Vec{X: 2e6, Y: 2e6}}); cells != 0 {
		t.Errorf("far away: got=%d cells, want=0", cells)
	}
	for _, tc := range []struct {
		name string
		at   r2.Vec
	}{{"in a circle", r2.Vec{X: 3, Y: 3}}, {"on a wall", r2.Vec{X: 42, Y: 32}}, {"nowhere", r2.Vec{X: -500, Y: 900}}} {
		found := false
		o.Cells(r2.Box{Min: tc.at, Max: tc.at}, func(cell r2.Box, n int) bool {
			found = found || n > 0 && cell.Min.X <= tc.at.X && tc.at.X < cell.Max.X && cell.Min.Y <= tc.at.Y && tc.at.Y < cell.Max.Y
			return !found
		})
		if _, near := o.Nearest(tc.at, math.SmallestNonzeroFloat64); near != found {
			t.Errorf("%s: cell: got=%v, want=%v", tc.name, found, near)
		}
	}
}
