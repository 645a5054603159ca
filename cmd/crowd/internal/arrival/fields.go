package arrival

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
)

// fields are those of a world. Who is led by one has a way; that costs less than to look for it.
type fields struct {
	world *world.World
	of    generic.Map[c.FlowField]
	at    generic.Map[c.Position]
	grids map[uint32]sense.FieldGrid
}

func fieldsOf(w *world.World) *fields {
	return &fields{w, generic.NewMap[c.FlowField](w.ECS), generic.NewMap[c.Position](w.ECS), map[uint32]sense.FieldGrid{}}
}

// lead tells whether an agent follows a field that has a way from where it is.
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
	p := f.at.Get(e)
	column, row := math.Floor((p.X-g.Min.X)/g.Cell), math.Floor((p.Y-g.Min.Y)/g.Cell)
	if !(column >= 0 && row >= 0 && column < float64(g.Columns) && row < float64(g.Rows)) {
		return false
	}
	return g.Ways[int(row)*g.Columns+int(column)] <= math.MaxFloat32
}
