package report

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// fields are those of a world. Who is led by one has a way; that costs less than to look for it.
type fields struct {
	world *world.World
	of    generic.Map[c.FlowField]
	at    generic.Map[c.Position]
	body  generic.Map[c.Radius]
	grids map[uint32]sense.FieldGrid
}

func fieldsOf(w *world.World) *fields {
	return &fields{w, generic.NewMap[c.FlowField](w.ECS), generic.NewMap[c.Position](w.ECS), generic.NewMap[c.Radius](w.ECS), map[uint32]sense.FieldGrid{}}
}

// lead reports whether an agent follows a field that has a way from where it is, or from a cell beside
// it to which it gets straight: next to a wall, cells have none.
func (f *fields) lead(e ecs.Entity) bool {
	if !f.of.Has(e) {
		return false
	}
	index := f.of.Get(e).Index
	g, known := f.grids[index]
	if !known {
		g, _ = f.world.FieldGrid(index)
		f.grids[index] = g
	}
	if g.Cell <= 0 {
		return false
	}
	at := f.at.Get(e).Vec
	near := func(at, low float64, n int) int { // beyond the grid are no obstacles
		return int(min(max(math.Floor((at-low)/g.Cell), 0), float64(n-1)))
	}
	column, row := near(at.X, g.Min.X, g.Columns), near(at.Y, g.Min.Y, g.Rows)
	has := func(column, row int) bool {
		return column >= 0 && row >= 0 && column < g.Columns && row < g.Rows && g.Ways[row*g.Columns+column] <= math.MaxFloat32
	}
	if has(column, row) {
		return true
	}
	for i := range 9 {
		column, row := column+i%3-1, row+i/3-1
		middle := r2.Vec{X: g.Min.X + (float64(column)+0.5)*g.Cell, Y: g.Min.Y + (float64(row)+0.5)*g.Cell}
		if has(column, row) && f.free(e, at, middle) {
			return true
		}
	}
	return false
}

// free reports whether the body of an agent gets straight from one place to another.
func (f *fields) free(e ecs.Entity, from, to r2.Vec) bool {
	way, radius := r2.Sub(to, from), 0.
	if f.body.Has(e) {
		radius = f.body.Get(e).Meters
	}
	length := r2.Norm(way)
	if length == 0 {
		return true
	}
	_, hit := f.world.Obstacles.Sweep(from, r2.Scale(1/length, way), length, radius)
	return !hit
}
