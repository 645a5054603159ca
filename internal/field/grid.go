// Package field computes walking distances around obstacles to a goal. They are in seconds, with 1 s/m where
// nothing slows a path. The package solves the eikonal equation |∇T| = slowness for the distance T, on a
// grid, by fast marching.
package field

import (
	"math"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Grid is a rectangle of square cells, numbered row by row.
type Grid struct {
	Min           r2.Vec  // m, lower-left corner
	Cell          float64 // m
	Columns, Rows int
}

func (g *Grid) Len() int { return g.Columns * g.Rows }

func (g *Grid) Center(i int) r2.Vec {
	return r2.Vec{
		X: g.Min.X + float64((float64(i%g.Columns)+0.5)*g.Cell),
		Y: g.Min.Y + float64((float64(i/g.Columns)+0.5)*g.Cell),
	}
}

// At returns the cell that contains p, or the nearest cell if p is outside the grid.
func (g *Grid) At(p r2.Vec) int {
	return nearest((p.X-g.Min.X)/g.Cell, g.Columns) + nearest((p.Y-g.Min.Y)/g.Cell, g.Rows)*g.Columns
}

func nearest(x float64, n int) int {
	if !(x > 0) {
		return 0
	}
	return int(min(math.Floor(x), float64(n-1)))
}

// Keep saves or restores the progress of closing a floor. To restore it, Keep closes the floor again up to
// the saved row, so the shapes must be the same as when the progress was saved.
func (f *Floor) Keep(a *archive.Archive, shapes *space.Index) {
	to := f.closed
	a.Keep(&to.opened, &to.piece, &to.row)
	if !a.Reading() || a.Err() != nil {
		return
	}
	for f.closed != to && !f.Done(shapes) {
		f.Close(shapes, 1)
	}
	if f.closed != to {
		a.Fail("the floor is closed up to row %d of piece %d, with %d cells opened, want a state that this floor reaches", to.row, to.piece, to.opened)
	}
}

// Cost makes paths through a box longer by a factor of 1 or more.
type Cost struct {
	r2.Box         // m
	Factor float64 // factors of overlapping boxes multiply, up to MostCost
}

// MostCost is the largest factor. Slower cells would be queued again too often.
const MostCost = 100

// Floor records which cells of a grid have room for bodies. Set Grid, Radius and Costs, then call Close until
// the floor is done.
type Floor struct {
	Grid
	Radius float64   // m, of the bodies
	Costs  []Cost    // must not change after the first Close
	Slow   []float32 // s/m, of each cell: 1 without Costs, +Inf without room

	closed
	strips []float64
}

// closed is the progress of closing a floor.
type closed struct {
	opened     int
	piece, row int // to close next
}

// Done reports whether all cells are computed.
func (f *Floor) Done(shapes *space.Index) bool {
	return f.opened == f.Len() && f.piece == shapes.Pieces()
}

// Reach returns the smallest distance, in m, that the center of an open cell may have from a shape. It is at
// least half a cell, because paths would otherwise lead through thin walls.
func (f *Floor) Reach() float64 { return max(f.Radius, f.Cell/2) }

// Numbers of cells set and of edges tested in the time that marching one cell takes.
const (
	setAtOnce  = 32
	seenAtOnce = 8
)

// Close opens all cells, and then closes those without room, piece by piece and row by row. Each call
// continues for about as long as marching the given number of cells takes. It returns the unused part of that
// number, negative if the call took longer. The shapes must not change until the floor is done.
func (f *Floor) Close(shapes *space.Index, cells int) (left int) {
	if f.Slow == nil {
		f.Slow = make([]float32, f.Len())
	}
	if n := f.Len() - f.opened; n > 0 {
		n = min(n, setAtOnce*min(cells, n))
		for i := range f.Slow[f.opened : f.opened+n] {
			f.Slow[f.opened+i] = f.cost(f.opened + i)
		}
		f.opened += n
		cells -= n / setAtOnce
	}
	for f.opened == f.Len() && f.piece < shapes.Pieces() && cells > 0 {
		low, high := shapes.Heights(f.piece, f.Reach())
		first, last := nearest((low-f.Min.Y)/f.Cell-1, f.Rows), nearest((high-f.Min.Y)/f.Cell+1, f.Rows)
		for f.row = max(f.row, first); f.row <= last && cells > 0; f.row++ {
			cells -= f.closeRow(shapes)
		}
		if f.row > last {
			f.piece, f.row = f.piece+1, 0
		}
	}
	return cells
}

func (f *Floor) cost(cell int) float32 {
	slow := 1.
	for i := range f.Costs {
		if c, p := &f.Costs[i], f.Center(cell); vec.Clamp(p, c.Box) == p {
			slow *= c.Factor
		}
	}
	return float32(min(slow, MostCost))
}

// closeRow returns the number of cells that could be marched in the same time.
func (f *Floor) closeRow(shapes *space.Index) (cells int) {
	reach, start := f.Reach(), f.row*f.Columns
	f.strips = shapes.Strips(f.strips[:0], f.piece, f.Center(start).Y, reach)
	near := func(column int) bool { return shapes.Nearer(f.piece, f.Center(start+column), reach) }
	cells = 1 + shapes.Corners(f.piece)/seenAtOnce
	for i := 0; i+1 < len(f.strips); i += 2 {
		from, to := (f.strips[i]-f.Min.X)/f.Cell, (f.strips[i+1]-f.Min.X)/f.Cell
		if !(to >= 0 && from <= float64(f.Columns)) {
			continue
		}
		first, end := nearest(from, f.Columns), nearest(to, f.Columns)+1
		for first < end && !near(first) {
			first++
		}
		for end > first && !near(end-1) {
			end--
		}
		for k := start + first; k < start+end; k++ {
			f.Slow[k] = float32(math.Inf(1))
		}
		cells += (end - first) / setAtOnce
	}
	return cells
}
