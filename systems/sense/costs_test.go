package sense

import (
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestCosts verifies that ways go round a place that costs more, if that is shorter by what it costs,
// and count for so much longer if they lead through it.
func TestCosts(t *testing.T) {
	goal := []r2.Box{{Min: xy(10, 0), Max: xy(10, 0)}}
	box := func(x, y, factor float64) []Cost {
		return []Cost{{Box: r2.Box{Min: xy(-x, -y), Max: xy(x, y)}, Factor: factor}}
	}
	table := FlowFields{
		{Goals: goal, Cell: 0.1},
		{Goals: goal, Cell: 0.1, Costs: box(2, 100, 3)},
		{Goals: goal, Cell: 0.1, Costs: box(2, 3, 10)},
		{Goals: goal, Cell: 0.1, Costs: box(2, 3, 1.01)},
		{Goals: goal, Cell: 0.1, Costs: append(box(2, 100, 3), box(2, 100, 2)...)},
		{Goals: goal, Cell: 0.1, Costs: append(box(2, 100, 90), box(2, 100, 90)...)},
		{Goals: goal, Cell: 0.1, Costs: box(2, 100, 0.5)},
		{Goals: goal, Cell: 0.1, Costs: box(2, 100, 101)},
	}
	o := &Obstacles{reach: 1, shapes: []space.Shape{{A: xy(-12, -12), B: xy(-12, -12), Radius: 0.1}, {ID: 1, A: xy(12, 12), B: xy(12, 12), Radius: 0.1}}}
	o.index.Build(o.shapes, o.reach, 0)
	f := Fields{Obstacles: o}
	f.Set(table)
	for i, want := range []float64{20, 16 + 4*3, 2*math.Hypot(8, 3) + 4, 16 + 4*1.01, 16 + 4*6, 16 + 4*100} {
		if got, _ := f.Read(uint32(i), xy(-10, 0)); !(math.Abs(got-want) <= 0.02*want) {
			t.Errorf("field %d: got=%v m, want=%v m", i, got, want)
		}
	}
	if _, toward := f.Read(2, xy(-10, 0.5)); !(toward.Y > 0.2) {
		t.Errorf("a place that costs ten times as much: the way leads to %v, want past its upper side", toward)
	}
	for i := uint32(6); i < 8; i++ {
		if got, _ := f.Read(i, xy(-10, 0)); !math.IsInf(got, 1) || table[i].Check() == nil {
			t.Errorf("a factor of %v: got=%v m, want no field, and an error", table[i].Costs[0].Factor, got)
		}
	}
	table[0].Costs = table[1].Costs // a row that changes
	f.Set(table)
	for range 1000 {
		f.Update()
	}
	if got, _ := f.Read(0, xy(-10, 0)); !(math.Abs(got-28) <= 0.5) {
		t.Errorf("a row with new costs: got=%v m, want=28 m", got)
	}
}
