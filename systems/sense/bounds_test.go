package sense

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Paths within bounds must be about as long as paths between four walls that keep the centers of bodies in
// the same box.
func TestBoundsAreWalls(t *testing.T) {
	const radius = 0.25
	bounds, inner := r2.NewBox(0, 0, 20, 10), r2.NewBox(1, 1, 19, 9)
	rnd := rand.New(rand.NewPCG(7, 8))
	place := func() r2.Vec { return r2.Vec{X: 20 * rnd.Float64(), Y: 10 * rnd.Float64()} }
	ways, none := 0, 0
	for round := range 100 {
		var held, walled Obstacles
		held.Bounds = bounds
		for _, gap := range []float64{1.5, 0.8, 0.1}[round%3:] { // at the upper edge
			x := 20 * rnd.Float64()
			held.shapes = append(held.shapes, space.Shape{A: r2.Vec{X: x, Y: -1}, B: r2.Vec{X: x + rnd.NormFloat64(), Y: 10 - gap}})
		}
		for range 4 * (round % 2) { // far from the edges
			held.shapes = append(held.shapes, space.Shape{A: vec.Clamp(place(), inner), B: vec.Clamp(place(), inner)})
		}
		walled.shapes = append(walled.shapes, held.shapes...)
		low, high := r2.Vec{X: -radius, Y: -radius}, r2.Vec{X: 20 + radius, Y: 10 + radius}
		for _, w := range [][2]r2.Vec{{low, {X: high.X, Y: low.Y}}, {{X: high.X, Y: low.Y}, high}, {high, {X: low.X, Y: high.Y}}, {{X: low.X, Y: high.Y}, low}} {
			walled.shapes = append(walled.shapes, space.Shape{A: w[0], B: w[1]})
		}
		for _, o := range []*Obstacles{&held, &walled} {
			for k := range o.shapes {
				o.shapes[k].ID = uint32(k)
			}
			o.index.Build(o.shapes, 0, 0)
		}
		in, between := Routes{Obstacles: &held}, Routes{Obstacles: &walled}
		goal := place()
		row := FlowField{Goals: to(goal), Radius: radius, Cell: 0.1}
		field, same := fieldsOf(&held, row), fieldsOf(&walled, row)
		for range 10 {
			from := place()
			path, got, ok := in.Find(from, goal, radius, nil)
			_, want, is := between.Find(from, goal, radius, nil)
			if ok != is || ok && math.Abs(got-want) > 0.002*want {
				t.Errorf("from %v to %v: route: got=%v, %v m, want=%v, %v m", from, goal, ok, got, is, want)
			}
			for _, p := range path {
				if vec.Clamp(p, bounds) != p {
					t.Errorf("from %v to %v: got a route through %v, want all points within the bounds", from, goal, p)
				}
			}
			if ok {
				ways++
			} else {
				none++
			}
			if _, beside := held.index.Nearest(from, radius+0.2); beside || round%2 == 1 {
				continue // the closed cells depend on the start of the grid
			}
			far, _ := field.Read(0, from)
			wide, _ := same.Read(0, from)
			if math.IsInf(far, 1) != math.IsInf(wide, 1) || math.Abs(far-wide) > 0.05*wide+0.3 {
				t.Errorf("from %v to %v: got a field's path of %v m, want %v m", from, goal, far, wide)
			}
		}
	}
	if ways < 100 || none < 100 {
		t.Errorf("got=%d paths and %d positions without a path, want at least 100 of each", ways, none)
	}
}

func TestBoundsGoals(t *testing.T) {
	o := Obstacles{Bounds: r2.NewBox(0, 0, 20, 10)}
	o.index.Build(nil, 0, 0)
	f := fieldsOf(&o, FlowField{Goals: []r2.Box{r2.NewBox(25, 4, 26, 6)}, Cell: 0.5}, FlowField{Goals: []r2.Box{r2.NewBox(3, 4, 26, 6)}, Cell: 0.5})
	for i, want := range []float64{18, 1} {
		if way, toward := f.Read(uint32(i), r2.Vec{X: 2, Y: 5}); math.Abs(way-want) > 0.1 || toward.X < 0.99 {
			t.Errorf("field %d: got=%v m toward %v, want=%v m toward {1 0}", i, way, toward, want)
		}
	}
	if got := len(f.Path(0, r2.Vec{X: 2, Y: 5})); got == 0 {
		t.Error("points of the path to the edge: got=0, want at least one")
	}
	r := Routes{Obstacles: &o}
	for within, want := range map[float64]bool{0: false, 0.9: false, 1.1: true} {
		testkit.Equal(t, r.Reaches(r2.Vec{X: 2, Y: 2}, r2.Vec{X: 21, Y: 5}, 0.2, within), want, "within %v m of a goal 1 m outside", within)
	}
	testkit.Equal(t, r.Place(r2.Vec{X: 2, Y: 2}, r2.Vec{X: 25, Y: 5}, 0.2, 0.5), (r2.Vec{X: 20, Y: 5}), "place of a goal outside")
}
