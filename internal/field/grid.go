// Package field has how long the way is from every place to a goal, round all that stands
// between: the solution of the eikonal equation |∇T| = slowness over a grid, by fast marching.
package field

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Grid is a rectangle of square cells, row after row.
type Grid struct {
	Min           r2.Vec  // m, the lower left corner
	Cell          float64 // m, the width of a cell
	Columns, Rows int
}

// Len returns the number of cells.
func (g *Grid) Len() int { return g.Columns * g.Rows }

// Center returns where the middle of a cell is.
func (g *Grid) Center(i int) r2.Vec {
	return r2.Vec{
		X: g.Min.X + float64((float64(i%g.Columns)+0.5)*g.Cell),
		Y: g.Min.Y + float64((float64(i/g.Columns)+0.5)*g.Cell),
	}
}

// At returns the cell where a place is, or that is nearest to it.
func (g *Grid) At(p r2.Vec) int {
	return nearest((p.X-g.Min.X)/g.Cell, g.Columns) + nearest((p.Y-g.Min.Y)/g.Cell, g.Rows)*g.Columns
}

// nearest returns the whole number below x that is at least 0 and less than n; 0 for NaN.
func nearest(x float64, n int) int {
	if !(x > 0) {
		return 0
	}
	return int(min(math.Floor(x), float64(n-1)))
}
