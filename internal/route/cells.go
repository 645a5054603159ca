package route

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// cells are the squares in which corners lie.
type cells struct {
	low           r2.Vec // m
	size          float64
	columns, rows int
	start         []uint32 // of each square, row by row, where its corners begin; the next begins where they end
}

// perCell is about how many corners are in a square.
const perCell = 2

// sort puts corners into the order of their squares.
func (c *cells) sort(corners []corner) {
	low, high := r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for i := range corners {
		p := corners[i].at
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	n := float64(len(corners))
	width, height := high.X-low.X, high.Y-low.Y
	c.low, c.size, c.columns, c.rows = low, 1, 0, 0
	if n > 0 {
		c.size = max(math.Sqrt(perCell*width/n)*math.Sqrt(height), perCell*max(width, height)/n, math.SmallestNonzeroFloat32)
		c.columns, c.rows = int(width/c.size)+1, int(height/c.size)+1
	}
	slices.SortStableFunc(corners, func(a, b corner) int { return c.cell(a.at) - c.cell(b.at) })
	c.start = slices.Grow(c.start[:0], c.columns*c.rows+1)[:c.columns*c.rows+1]
	clear(c.start)
	for i := range corners {
		c.start[c.cell(corners[i].at)+1]++
	}
	for i := 1; i < len(c.start); i++ {
		c.start[i] += c.start[i-1]
	}
}

// cell returns the number of the square of a corner.
func (c *cells) cell(p r2.Vec) int {
	x, y := c.square(p)
	return min(max(y, 0), c.rows-1)*c.columns + min(max(x, 0), c.columns-1)
}

// square returns the column and the row of a place, which may be beyond all corners.
func (c *cells) square(p r2.Vec) (x, y int) {
	const farthest = 1 << 30
	return int(math.Floor(min(max((p.X-c.low.X)/c.size, -farthest), farthest))),
		int(math.Floor(min(max((p.Y-c.low.Y)/c.size, -farthest), farthest)))
}

// ring calls visit for the squares in a ring around another: those this many columns or rows
// away, row by row, each time with the corners of several squares side by side.
func (c *cells) ring(x, y, away int, visit func(first, end uint32)) {
	for row := max(y-away, 0); row <= min(y+away, c.rows-1); row++ {
		if row == y-away || row == y+away {
			c.run(row, x-away, x+away, visit)
			continue
		}
		c.run(row, x-away, x-away, visit)
		c.run(row, x+away, x+away, visit)
	}
}

// run calls visit for squares of a row.
func (c *cells) run(row, left, right int, visit func(first, end uint32)) {
	left, right = max(left, 0), min(right, c.columns-1)
	if left <= right {
		visit(c.start[row*c.columns+left], c.start[row*c.columns+right+1])
	}
}

// reach returns how many squares away the nearest one with corners can be, and farthest the
// farthest.
func (c *cells) reach(x, y int) (nearest, farthest int) {
	return max(0, -x, x-c.columns+1, -y, y-c.rows+1), max(x, c.columns-1-x, y, c.rows-1-y)
}
