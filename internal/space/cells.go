package space

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Cells calls visit for each cell that lists a shape and overlaps a box, with the number of shapes
// within its reach, until visit returns false. It visits grid by grid, the finest first, and row by
// row from the lowest. A cell includes its left and lower sides only; the outermost cells of a grid
// are infinite.
//
// Cells scans either all cells that overlap the box or all pieces and the cells that list them,
// whichever are fewer. It allocates, and may run concurrently with queries.
func (x *Index) Cells(box r2.Box, visit func(cell r2.Box, shapes int) bool) {
	if !(box.Min.X <= box.Max.X && box.Min.Y <= box.Max.Y) {
		return
	}
	grids := make([]uint16, len(x.levels))
	for i := range grids {
		grids[i] = uint16(i)
	}
	slices.SortFunc(grids, func(a, b uint16) int { return cmp.Compare(x.levels[a].power, x.levels[b].power) })
	for _, grid := range grids {
		lv := &x.levels[grid]
		w := window{x, grid, lv, lv.cell(box.Min.X), lv.cell(box.Max.X), lv.cell(box.Min.Y), lv.cell(box.Max.Y), visit}
		walk := w.scan
		if (w.right-w.left+1)*(w.top-w.bottom+1) > int64(len(x.lists)) {
			walk = w.gather
		}
		if !walk() {
			return
		}
	}
}

// window is a rectangle of cells of one grid.
type window struct {
	*Index
	grid                     uint16
	level                    *level
	left, right, bottom, top int64
	visit                    func(r2.Box, int) bool
}

// scan visits the cells of the window. It returns false if visit did.
func (w *window) scan() bool {
	for row := w.bottom; row <= w.top; row++ {
		for column := w.left; column <= w.right; column++ {
			shapes, last := 0, uint32(none)
			// Lists are in the order of pieces, and so of shapes.
			for _, e := range w.list(w.slot(w.level, column, row)) {
				if pc := &w.pieces[e.Piece]; pc.rank != last && w.covers(int(e.Piece), column, row) {
					shapes, last = shapes+1, pc.rank
				}
			}
			if shapes > 0 && !w.visit(w.level.box(column, row), shapes) {
				return false
			}
		}
	}
	return true
}

// covers reports whether a cell lists a piece of its slot. Other cells may share the slot.
func (w *window) covers(k int, column, row int64) (is bool) {
	if w.pieces[k].level == w.grid {
		w.runs(k, k+1, func(_ int, at, left, right int64) { is = is || at == row && left <= column && column <= right })
	}
	return is
}

// listing is a cell that lists a shape.
type listing struct {
	row, column int64
	rank        uint32
}

// gather visits the cells of all pieces of the grid. It returns false if visit did.
func (w *window) gather() bool {
	var all []listing
	for k := range w.pieces {
		if w.pieces[k].level != w.grid {
			continue
		}
		w.runs(k, k+1, func(_ int, row, left, right int64) {
			if row >= w.bottom && row <= w.top {
				for column := max(left, w.left); column <= min(right, w.right); column++ {
					all = append(all, listing{row, column, w.pieces[k].rank})
				}
			}
		})
	}
	slices.SortFunc(all, func(a, b listing) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column), cmp.Compare(a.rank, b.rank))
	})
	all = slices.Compact(all)
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].row == all[0].row && all[n].column == all[0].column {
			n++
		}
		if !w.visit(w.level.box(all[0].column, all[0].row), n) {
			return false
		}
		all = all[n:]
	}
	return true
}

// box returns the cell of a column and a row.
func (lv *level) box(column, row int64) r2.Box {
	side := func(n int64) float64 {
		switch {
		case n <= 0:
			return math.Inf(-1)
		case n > 2*edge:
			return math.Inf(1)
		}
		return float64(n-edge) * lv.size
	}
	return r2.Box{
		Min: r2.Vec{X: side(column), Y: side(row)},
		Max: r2.Vec{X: side(column + 1), Y: side(row + 1)},
	}
}
