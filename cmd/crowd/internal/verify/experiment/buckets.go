package experiment

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// buckets are points in the cells of a grid, in their order.
type buckets struct {
	side          float64 // m, of a cell
	left, low     int     // the first column and row
	columns, rows int
	begin         []int // of each cell in members, and the end of the last
	members       []int
}

// bucketsOf sorts points into cells.
func bucketsOf(at []r2.Vec, side float64) *buckets {
	b := &buckets{side: side}
	if len(at) == 0 {
		return b
	}
	b.left, b.low = b.cell(at[0])
	right, high := b.left, b.low
	for _, p := range at {
		x, y := b.cell(p)
		b.left, b.low, right, high = min(b.left, x), min(b.low, y), max(right, x), max(high, y)
	}
	b.columns, b.rows = right-b.left+1, high-b.low+1
	b.begin = make([]int, b.columns*b.rows+1)
	index := func(p r2.Vec) int {
		x, y := b.cell(p)
		return (x-b.left)*b.rows + y - b.low
	}
	for _, p := range at {
		b.begin[index(p)+1]++
	}
	for k := range b.columns * b.rows {
		b.begin[k+1] += b.begin[k]
	}
	b.members = make([]int, len(at))
	next := append([]int{}, b.begin...)
	for i, p := range at {
		k := index(p)
		b.members[next[k]] = i
		next[k]++
	}
	return b
}

// cell returns the column and row of a point.
func (b *buckets) cell(p r2.Vec) (x, y int) {
	return int(math.Floor(p.X / b.side)), int(math.Floor(p.Y / b.side))
}

// in returns the points in a cell, none where there is no such cell.
func (b *buckets) in(x, y int) []int {
	x, y = x-b.left, y-b.low
	if x < 0 || y < 0 || x >= b.columns || y >= b.rows {
		return nil
	}
	k := x*b.rows + y
	return b.members[b.begin[k]:b.begin[k+1]]
}
