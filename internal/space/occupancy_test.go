package space

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

func TestOccupancy(t *testing.T) {
	at := func(x, y, radius float64) Shape {
		return Shape{A: r2.Vec{X: x, Y: y}, B: r2.Vec{X: x, Y: y}, Radius: radius}
	}
	var apart, heap []Shape
	for i := range 100 {
		apart = append(apart, at(10*float64(i%10), 10*float64(i/10), 1))
		heap = append(heap, at(0, 0, 1))
	}
	square := Shape{Ring: []r2.Vec{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}}}
	for _, c := range []struct {
		name                          string
		shapes                        []Shape
		found, pieces, grids, longest int // the longest list at least
	}{
		{"nothing", nil, 0, 0, 0, 0},
		{"nothing valid", []Shape{at(math.NaN(), 0, 1)}, 0, 0, 0, 0},
		{"one", []Shape{at(3, 3, 1)}, 1, 1, 1, 1},
		{"one is bad", []Shape{at(3, 3, 1), at(0, 0, -1)}, 1, 1, 1, 1},
		{"apart", apart, 100, 100, 1, 1},
		{"heap", heap, 100, 100, 1, 100},
		{"polygon", []Shape{square}, 1, 5, 1, 1},
		{"two sizes", []Shape{at(0, 0, 0.01), at(0, 0, 100)}, 2, 2, 2, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var x Index
			x.Build(c.shapes, 1, 0)
			o := x.Occupancy()
			if o.Shapes != c.found || o.Pieces != c.pieces || o.Grids != c.grids {
				t.Errorf("got=%+v, want=%v shapes in %v pieces and %v grids", o, c.found, c.pieces, c.grids)
			}
			if o.Longest < c.longest || o.Longest > o.Pieces || o.Entries < o.Pieces || o.Taken > min(o.Slots, o.Entries) {
				t.Errorf("got=%+v, want %v or more in the longest list", o, c.longest)
			}
			if got := o.Mean(); got > float64(o.Longest) || (got < 1) != (c.pieces == 0) {
				t.Errorf("mean: got=%v of %+v", got, o)
			}
		})
	}
	if got := new(Index).Occupancy(); got != (Occupancy{}) {
		t.Errorf("never built: got=%+v, want nothing", got)
	}
}
