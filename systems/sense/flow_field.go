// Package sense has the snapshots that rules look into: Obstacles and Neighbors, each
// as of the start of the step. Put them into a frame; the systems of the frame find
// them there. Their methods may be called from any worker and allocate nothing.
package sense

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/field"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// FlowFields is the resource that holds the goals of which each agent with FlowField goes to
// one. Append to it and change it between two steps.
type FlowFields []FlowField

// FlowField is where a field leads: to the nearest of some goals, by the way round obstacles. With
// Every, it is worked out anew that often, and leads to the goal that an agent reaches first through
// the crowd: a place is as slow as the agents on it, so a way is as long as it takes, in m of a free
// walk.
// Source: Kretz et al. 2011, "Quickest paths in simulations of pedestrians", with speeds that are measured.
type FlowField struct {
	Goals  []r2.Box // m, at least one; a point is a box without a size
	Radius float64  // m, of the bodies that there is room for on the way
	Cell   float64  // m, width of a cell; 0: Radius, or a 500th of the area if that is 0. In the narrowest door there must be room for one and a half beside a body
	Every  float64  // s, from one look at the crowd to the next, for the quickest way; 0: none, the way is the shortest
	Most   int      // how many cells there are at most: where there would be more, they are wider; 0: 4 million
	Costs  []Cost   // of places that ways avoid where others are not much longer, such as roads
}

// Cost is what a meter of the way costs in a box, as a factor of 1 to 100:
//
//	r2.Box         // m
//	Factor float64 // where several boxes overlap, all count, up to 100 together
//
// A way through it counts for so much longer, for Read and for agents that slow down at the end of it.
type Cost = field.Cost

// Check returns an error that names what is not allowed in a field.
func (f *FlowField) Check() error {
	if len(f.Goals) == 0 {
		return errors.New("flow field has no goals, want 1 or more")
	}
	for i, g := range f.Goals {
		if !vec.Finite(g.Min) || !vec.Finite(g.Max) || !(g.Min.X <= g.Max.X && g.Min.Y <= g.Max.Y) {
			return fmt.Errorf("goal %d of flow field is %v, want finite corners, the first one below and left of the second", i, g)
		}
	}
	for i, x := range f.Costs {
		if !vec.Finite(x.Min) || !vec.Finite(x.Max) || !(x.Min.X <= x.Max.X && x.Min.Y <= x.Max.Y) || !(x.Factor >= 1 && x.Factor <= field.MostCost) {
			return fmt.Errorf("cost %d of flow field is %v, want finite corners, the first one below and left of the second, and a factor of 1 to %v", i, x, field.MostCost)
		}
	}
	switch {
	case !(f.Radius >= 0) || math.IsInf(f.Radius, 1):
		return fmt.Errorf("radius of flow field is %v m, want a finite number, 0 or more", f.Radius)
	case !(f.Every >= 0) || math.IsInf(f.Every, 1):
		return fmt.Errorf("every of flow field is %v s, want a finite number, 0 or more", f.Every)
	case !(f.Cell >= 0) || math.IsInf(f.Cell, 1):
		return fmt.Errorf("cell of flow field is %v m, want a finite number, 0 or more", f.Cell)
	}
	return nil
}

// copy returns a row with goals of its own, or without any if it is not allowed.
func (f *FlowField) copy() FlowField {
	if f.Check() != nil {
		return FlowField{}
	}
	row := *f
	row.Goals, row.Costs = slices.Clone(f.Goals), slices.Clone(f.Costs)
	return row
}

// same reports whether a row is still the same.
func (f *FlowField) same(row *FlowField) bool {
	return f.Radius == row.Radius && f.Every == row.Every && f.Cell == row.Cell && f.Most == row.Most && slices.Equal(f.Goals, row.Goals) && slices.Equal(f.Costs, row.Costs)
}

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
