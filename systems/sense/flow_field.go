// Package sense provides what rules read: the snapshots Obstacles and Neighbors, both taken at the start of
// the step, and the paths of Routes and Fields. Put the snapshots into a frame, whose systems find them.
// Any worker may query a snapshot in Run.
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

// FlowFields is the resource that holds the goals of agents with components.FlowField. Each agent uses one
// entry. Change entries only between steps.
type FlowFields []FlowField

// FlowField leads around obstacles to the nearest of its goals. If Every is above 0, it leads to the goal
// that an agent reaches soonest through the crowd, and is recomputed at that interval. A path is then longer
// where agents walk slowly, so the length of a path is its duration, in m of free walking.
//
// Source: Kretz et al., "Quickest paths in simulations of pedestrians", 2011, here with measured speeds.
type FlowField struct {
	Goals  []r2.Box // m, at least one; a point is a box of size 0
	Radius float64  // m, of the bodies for which paths have room
	Cell   float64  // m, cell width; 0 means Radius or, if that is 0, 1/500 of the area's longer side; a door must be at least 1.5 cells wider than the body, and its flow depends less on its place on the grid with cells of Radius/2
	Every  float64  // s, interval between updates for the quickest path; 0 means the shortest path
	Most   int      // approximate maximum number of cells, beyond which cells become wider; 0 means 4 million
	Costs  []Cost   // areas, such as roads, that paths avoid if detours are not much longer
}

// Cost is the factor, from 1 to 100, by which the length of a path is multiplied in a box:
//
//	r2.Box         // m
//	Factor float64 // factors of overlapping boxes multiply, up to 100
//
// Fields.Read, and agents that slow down at the end of a path, use the increased length.
type Cost = field.Cost

// Check returns an error that describes the first invalid value of a field, or nil.
func (f *FlowField) Check() error {
	if len(f.Goals) == 0 {
		return errors.New("flow field has no goals, want 1 or more")
	}
	for i, g := range f.Goals {
		if !validBox(g) {
			return fmt.Errorf("goal %d of flow field is %v, want finite corners, the lower-left one first", i, g)
		}
	}
	for i, x := range f.Costs {
		if !validBox(x.Box) || !(x.Factor >= 1 && x.Factor <= field.MostCost) {
			return fmt.Errorf("cost %d of flow field is %v, want finite corners, the lower-left one first, and a factor of 1 to %v", i, x, field.MostCost)
		}
	}
	for _, x := range []struct {
		name, unit string
		value      float64
	}{{"radius", "m", f.Radius}, {"every", "s", f.Every}, {"cell", "m", f.Cell}} {
		if !(x.value >= 0 && x.value <= math.MaxFloat64) {
			return fmt.Errorf("%s of flow field is %v %s, want a finite number, 0 or more",
				x.name, x.value, x.unit)
		}
	}
	return nil
}

func validBox(b r2.Box) bool {
	return vec.Finite(b.Min) && vec.Finite(b.Max) && b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y
}

// copy returns a deep copy of a row, or the zero row if it is invalid.
func (f *FlowField) copy() FlowField {
	if f.Check() != nil {
		return FlowField{}
	}
	row := *f
	row.Goals, row.Costs = slices.Clone(f.Goals), slices.Clone(f.Costs)
	return row
}

func (f *FlowField) same(row *FlowField) bool {
	return f.Radius == row.Radius && f.Every == row.Every && f.Cell == row.Cell && f.Most == row.Most && slices.Equal(f.Goals, row.Goals) && slices.Equal(f.Costs, row.Costs)
}

// FieldGrid is a copy of a field: the length of the path from the center of each cell to the goals, row by
// row from the lower-left cell.
type FieldGrid struct {
	Min           r2.Vec  // m, lower-left corner
	Cell          float64 // m, cell width
	Columns, Rows int
	Distances     []float32 // m, by cell; +Inf where there is no path
	Goals         []r2.Box  // m
	Slowed        bool      // lengths are durations, in m of free walking
}

// Len returns the number of computed fields, which may differ from the number of rows in the table.
func (f *Fields) Len() int { return len(f.all) }

// Path returns the points of the path from a position to the goal of a field, in m, without the start but with
// the exits of portals. Path stops after 4,000 cells, and returns no points if there is no path or no such field.
func (f *Fields) Path(index uint32, from r2.Vec) (points []r2.Vec) {
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
		if n := len(points); n > 1 && vec.Dot(toward, last) > 0.99999 { // straight ahead
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

// Changes returns the number of new and recomputed fields. While it is constant, the fields do not change.
func (f *Fields) Changes() uint64 { return f.changes }

// Grid returns a copy of a field as agents see it, or false if the field has not been computed.
func (f *Fields) Grid(index uint32) (FieldGrid, bool) {
	if int(index) >= len(f.all) {
		return FieldGrid{}, false
	}
	x := &f.all[index]
	g := FieldGrid{
		Min: x.now.Min, Cell: x.now.Cell, Columns: x.now.Columns, Rows: x.now.Rows,
		Distances: make([]float32, x.now.Len()), Goals: slices.Clone(x.now.row.Goals), Slowed: x.now.slowed,
	}
	for i := range g.Distances {
		g.Distances[i] = float32(x.now.Distance(i))
	}
	return g, true
}
