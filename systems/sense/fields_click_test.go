package sense

import (
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

// battlefield has 20 fields in an area of 300 by 200 units, each unit meters long, with 40 buildings.
type battlefield struct {
	o    Obstacles
	f    Fields
	rows FlowFields
	unit float64
	most int // cells processed in a step
}

func newBattlefield(unit float64) *battlefield {
	b := &battlefield{o: Obstacles{reach: 1}, unit: unit}
	b.f.Obstacles, b.f.Cells = &b.o, int(DefaultCells*unit*unit)
	shapes := []space.Shape{{ID: 1, A: xy(0, 0), B: xy(300*unit, 0)}, {ID: 2, A: xy(0, 200*unit), B: xy(300*unit, 200*unit)}}
	for i := range 40 {
		shapes = append(shapes, b.building(uint32(3+i), 20+30*float64(i%8), 20+35*float64(i/8)))
	}
	b.build(shapes)
	for i := range 20 {
		b.rows = append(b.rows, FlowField{Goals: b.goal(float64(10*i+15), 100), Radius: 0.25, Cell: 0.25})
	}
	b.f.Set(b.rows)
	return b
}

func (b *battlefield) goal(x, y float64) []r2.Box { return to(xy(x*b.unit, y*b.unit)) }

func (b *battlefield) building(id uint32, x, y float64) space.Shape {
	x, y = x*b.unit, y*b.unit
	return space.Shape{ID: id, Ring: []r2.Vec{xy(x, y), xy(x+6*b.unit, y), xy(x+6*b.unit, y+8*b.unit), xy(x, y+8*b.unit)}}
}

func (b *battlefield) build(shapes []space.Shape) {
	b.o.shapes = shapes
	b.o.index.Build(shapes, 1, 0)
	b.o.version++
}

func (b *battlefield) click(i int, x float64) { b.rows[i].Goals = b.goal(x, 50) }

func (b *battlefield) step() {
	b.f.Set(b.rows)
	b.f.Update()
	b.most = max(b.most, b.f.Worked())
}

// wait runs steps until agents can use the row of a field, and returns their number.
func (b *battlefield) wait(i int) (steps int) {
	for ; steps == 0 || !b.f.all[i].now.row.same(&b.rows[i]); steps++ {
		b.step()
	}
	return steps
}

func TestFieldsFollowClicks(t *testing.T) {
	const second = 60 // steps
	unit := 0.15
	if *large {
		unit = 1
	}
	b := newBattlefield(unit)
	if b.step(); b.f.Worked() != 0 || !b.f.UpToDate(7) || b.f.UpToDate(20) {
		t.Errorf("new fields: got=%d cells of work, up to date %v, %v, want=0, true, false", b.f.Worked(), b.f.UpToDate(7), b.f.UpToDate(20))
	}
	b.click(7, 90)
	if b.step(); b.f.UpToDate(7) {
		t.Error("a step after a field's goal changed: got it up to date, want not yet")
	}
	if got := 1 + b.wait(7); got > second || !b.f.UpToDate(7) || !b.f.UpToDate(6) {
		t.Errorf("a single click: got=%d steps, want %d or fewer, and all up to date", got, second)
	}
	for _, field := range []int{0, 1, 19} { // the field being recomputed for the building, and others
		b.build(append(slices.Clone(b.o.shapes), b.building(100+uint32(field), 5, float64(10+10*field))))
		for range second / 10 {
			b.step()
		}
		b.click(field, 150)
		if got := b.wait(field); got > second {
			t.Errorf("field %d 0.1 s after a building: got=%d steps, want=%d or fewer", field, got, second)
		}
	}
	swaps, last := make([]int, 20), make([]*solution, 20)
	for step := range 40 * second {
		if step%(second/4) == 0 {
			shapes := slices.Clone(b.o.shapes)
			b.build(append(shapes[:len(shapes)-1], b.building(uint32(200+step), 5, float64(step%150))))
		}
		if step%(second/10) == 0 {
			b.click(3, 30+float64(step%200))
		}
		b.step()
		for i := range last {
			if now := b.f.all[i].now; now != last[i] {
				last[i] = now
				swaps[i]++
			}
		}
	}
	if got := slices.Max(swaps); got != swaps[3] || got < 15 || slices.Min(swaps) < 2 {
		t.Errorf("new fields in 40 s: got=%v, want the most, and 15 or more, of field 3, clicked ten times a second, and 2 or more of each other field", swaps)
	}
	t.Logf("new fields in 40 s, with field 3 clicked ten times a second: %v", swaps)
	for step := 0; slices.ContainsFunc(b.f.all, func(x fieldOf) bool { return x.now.ground != b.f.ground || !x.now.row.same(&x.row) }); step++ {
		if b.step(); step > 24*second {
			t.Fatal("after 24 s: got fields that are out of date, want none")
		}
	}
	if b.most > b.f.Cells+300 {
		t.Errorf("got=%d cells in a step, want at most %d plus the rest of a row", b.most, b.f.Cells)
	}
	fresh := fieldsOf(&b.o, b.rows...)
	for i := range b.rows {
		got, _ := b.f.Grid(uint32(i))
		if want, _ := fresh.Grid(uint32(i)); !slices.Equal(got.Distances, want.Distances) {
			t.Errorf("field %d: distances differ from those of a new field, want the same", i)
		}
	}
}
