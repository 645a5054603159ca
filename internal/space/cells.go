package space

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Cells calls visit with each cell that lists a shape and overlaps the box, and with the number of shapes in
// its list, until visit returns false. It visits the grids from the finest to the coarsest, and the rows of
// each grid from the lowest up. A cell excludes its right and upper sides. The outermost cells are infinite.
//
// Cells scans all pieces. It allocates, and may run concurrently with queries.
func (x *Index) Cells(box r2.Box, visit func(cell r2.Box, shapes int) bool) {
	if !(box.Min.X <= box.Max.X && box.Min.Y <= box.Max.Y) {
		return
	}
	var grids []uint16
	for i := range x.levels {
		grids = append(grids, uint16(i))
	}
	slices.SortFunc(grids, func(a, b uint16) int { return cmp.Compare(x.levels[a].power, x.levels[b].power) })
	for _, grid := range grids {
		for all := x.listings(grid, box); len(all) > 0; {
			n := 1
			for n < len(all) && all[n].row == all[0].row && all[n].column == all[0].column {
				n++
			}
			if !visit(x.levels[grid].box(all[0].column, all[0].row), n) {
				return
			}
			all = all[n:]
		}
	}
}

type listing struct {
	row, column int64
	rank        uint32
}

// listings returns the listings of a grid in the cells that overlap a box, sorted.
func (x *Index) listings(grid uint16, box r2.Box) (all []listing) {
	lv := &x.levels[grid]
	left, right := lv.cell(box.Min.X), lv.cell(box.Max.X)
	bottom, top := lv.cell(box.Min.Y), lv.cell(box.Max.Y)
	for k := range x.pieces {
		b := &x.bounds[k]
		far := b.radius + lv.reach + float64(3*x.slack) + lv.size // cells farther away do not list the piece
		if x.pieces[k].level != grid || lv.cell(b.x+far) < left || lv.cell(b.x-far) > right ||
			lv.cell(b.y+far) < bottom || lv.cell(b.y-far) > top {
			continue
		}
		x.runs(k, k+1, func(_ int, row, from, to int64) {
			if row < bottom || row > top {
				return
			}
			for column := max(from, left); column <= min(to, right); column++ {
				all = append(all, listing{row, column, x.pieces[k].rank})
			}
		})
	}
	slices.SortFunc(all, func(a, b listing) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column), cmp.Compare(a.rank, b.rank))
	})
	return slices.Compact(all)
}

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
