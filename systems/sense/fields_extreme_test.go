package sense

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// TestFieldsExtreme verifies that a field is no larger than it may be, however large its numbers are, and that it takes no
// time to go through a portal that counts for a very long way.
func TestFieldsExtreme(t *testing.T) {
	box := func(x float64) r2.Box { return r2.Box{Min: xy(-x, -x), Max: xy(x, x)} }
	for _, x := range []FlowField{
		{Goals: []r2.Box{box(1)}, Radius: 1e3, Cell: 0.1},
		{Goals: []r2.Box{box(1)}, Radius: math.MaxFloat64, Cell: 1e-300},
		{Goals: []r2.Box{box(math.MaxFloat64)}, Radius: 1},
		{Goals: []r2.Box{box(0)}, Cell: math.MaxFloat64},
		{Goals: []r2.Box{box(0)}, Cell: math.SmallestNonzeroFloat64},
	} {
		o := &Obstacles{table: Portals{{From: box(0.1), To: box(math.MaxFloat64), Length: 1}}}
		for _, o.portals = range []Portals{nil, o.table} {
			f := Fields{Obstacles: o}
			x.Most = 1000
			f.Set(FlowFields{x})
			if g, _ := f.Grid(0); len(g.Distances) > 6000 {
				t.Errorf("%+v, with %d portals: got=%d cells, want=6000 at most", x, len(o.portals), len(g.Distances))
			}
		}
	}
	for _, length := range []float64{1e6, 1e12, math.MaxFloat64} {
		wall := &Obstacles{reach: 1}
		wall.portals = Portals{{From: r2.Box{Min: xy(-9, 5), Max: xy(-8, 6)}, To: r2.Box{Min: xy(6, 5), Max: xy(7, 6)}, Length: length}}
		f := Fields{Obstacles: wall}
		f.Set(FlowFields{{Goals: []r2.Box{box(1)}, Radius: 0.3}})
		if way, _ := f.Read(0, xy(-3, -7)); !within(way, math.Hypot(2, 6), 0.1) {
			t.Errorf("portal of %v m: got=%v, want=%v", length, way, math.Hypot(2, 6))
		}
	}
}
