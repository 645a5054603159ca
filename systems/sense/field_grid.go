package sense

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// FieldGrid is a copy of a field: how long the way to the nearest goal is from the middle of each
// cell, row after row from the lower left.
type FieldGrid struct {
	Min           r2.Vec    // m, the lower left corner
	Cell          float64   // m, width of a cell
	Columns, Rows int       // how many cells there are
	Ways          []float32 // m, of each cell; +Inf where there is no way
	Goals         []r2.Box  // m
	Slowed        bool      // by the crowd: ways are as long as they take, in m of a free walk
}

// Len returns how many fields have been worked out. Those beyond are new in the table.
func (f *Fields) Len() int { return len(f.all) }

// Way returns the points of the way that a field leads from a place to its goal, in m, those where it
// leads into a portal and out of it among them; as far as 4,000 cells, and none if there is no way.
func (f *Fields) Way(index uint32, from r2.Vec) (points []r2.Vec) {
	const most = 4000
	if int(index) >= len(f.all) {
		return nil
	}
	cell, last := f.all[index].now.Cell, r2.Vec{}
	for range most {
		way, toward, straight := f.all[index].now.read(from)
		if !(way <= math.MaxFloat64) {
			return points
		}
		if out, ok := f.Obstacles.Portals().Through(from); ok {
			from, last = out, r2.Vec{}
			points = append(points, out)
			continue
		}
		if straight {
			from = vec.AddScaled(from, way, toward)
		} else { // not across the corner of an obstacle
			from = f.all[index].now.Out(vec.AddScaled(from, cell, toward))
		}
		if n := len(points); n > 1 && vec.Dot(toward, last) > 0.99999 { // straight on
			points[n-1] = from
		} else {
			points = append(points, from)
		}
		if last = toward; straight {
			break
		}
	}
	return points
}

// Changes counts how often fields were new or were worked out anew: while it stays as it is, so
// do all fields.
func (f *Fields) Changes() uint64 { return f.changes }

// Grid returns a copy of a field as agents see it now; false if it is not worked out.
func (f *Fields) Grid(index uint32) (FieldGrid, bool) {
	if int(index) >= len(f.all) {
		return FieldGrid{}, false
	}
	x := &f.all[index]
	g := FieldGrid{
		Min: x.now.Min, Cell: x.now.Cell, Columns: x.now.Columns, Rows: x.now.Rows,
		Ways: make([]float32, x.now.Len()), Goals: slices.Clone(x.now.row.Goals), Slowed: x.now.slowed,
	}
	for i := range g.Ways {
		g.Ways[i] = float32(x.now.Way(i))
	}
	return g, true
}
