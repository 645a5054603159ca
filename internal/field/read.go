package field

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Read returns the distance from p to the goal, in s, and the direction in which the path begins, as a unit
// vector. It returns +Inf and zero if there is no path; the direction may also be zero at the goal. Between
// the centers of open cells, Read interpolates. Beside and in closed cells, it fits a plane to the distances
// of open cells. If it cannot, the path leads to the center of the neighboring cell with the shortest path.
// Outside the grid, everything is free, at 1 s/m.
func (f *Field) Read(p r2.Vec) (way float64, toward r2.Vec) {
	x, y := (p.X-f.Min.X)/f.Cell-0.5, (p.Y-f.Min.Y)/f.Cell-0.5
	if f.beyondGrid(p) {
		return f.beyond(p)
	}
	column, row := lower(x, f.Columns), lower(y, f.Rows)
	i := row*f.Columns + column
	right, up := min(1, f.Columns-1), f.Columns*min(1, f.Rows-1)
	a, b, c, d := f.way[i], f.way[i+right], f.way[i+up], f.way[i+up+right]
	if sum := a + b + c + d; !(sum <= math.MaxFloat64) {
		if way, toward = f.fitted(p); toward != (r2.Vec{}) {
			return way, toward
		}
		return f.beside(p)
	}
	u, v := min(max(x-float64(column), 0), 1), min(max(y-float64(row), 0), 1)
	bottom, top := mix(a, b, u), mix(c, d, u)
	slope := r2.Vec{X: mix(b-a, d-c, v), Y: mix(c-a, d-b, u)}
	if slope == (r2.Vec{}) {
		return f.beside(p)
	}
	return mix(bottom, top, v), vec.Unit(vec.Scale(-1, slope))
}

// lower returns the integer part of x, clamped to the range from 0 to n-2, or 0 if n is 1.
func lower(x float64, n int) int {
	if !(x > 0) {
		return 0
	}
	return max(int(min(math.Floor(x), float64(n-2))), 0)
}

func mix(a, b, share float64) float64 { return a + float64(share*(b-a)) }

// fitted returns the distance and the direction given by the plane that best fits the distances around the
// open cell nearest to p. It uses only cells connected to that cell, because others may be behind a thin
// wall. It returns zeros if there are too few cells, or if paths from two sides meet.
func (f *Field) fitted(p r2.Vec) (way float64, toward r2.Vec) {
	const (
		flat   = 0.5 // smallest slope, as a fraction of the slowness; the slope is less where paths from two sides meet
		inside = 0.9 // cells from the center of the nearest open cell: bodies that touch a wall get no farther
	)
	nearest, out := f.nearestOpen(p)
	if nearest < 0 {
		return 0, r2.Vec{}
	}
	left, below := nearest%f.Columns-1, nearest/f.Columns-1
	together := [3][3]bool{1: {1: true}}
	for range 4 { // at most this many steps lie between two of the cells
		for y := range 3 {
			for x := range 3 {
				together[y][x] = together[y][x] || f.hasWay(left+x, below+y) &&
					(x > 0 && together[y][x-1] || x < 2 && together[y][x+1] || y > 0 && together[y-1][x] || y < 2 && together[y+1][x])
			}
		}
	}
	var sum, x, y, t, xx, xy, yy, xt, yt float64
	for row := range 3 {
		for column := range 3 {
			if !together[row][column] {
				continue
			}
			d := r2.Vec{X: out.X + float64(column-1), Y: out.Y + float64(row-1)} // from p, in cells
			way := f.way[(below+row)*f.Columns+left+column] - f.way[nearest]
			w := 1 / (0.25 + vec.Norm2(d))
			wx, wy := float64(w*d.X), float64(w*d.Y)
			sum, x, y, t = sum+w, x+wx, y+wy, t+float64(w*way)
			xx, xy, yy = xx+float64(wx*d.X), xy+float64(wx*d.Y), yy+float64(wy*d.Y)
			xt, yt = xt+float64(wx*way), yt+float64(wy*way)
		}
	}
	x, y, t = x/sum, y/sum, t/sum
	xx, xy, yy = xx/sum-float64(x*x), xy/sum-float64(x*y), yy/sum-float64(y*y)
	xt, yt = xt/sum-float64(x*t), yt/sum-float64(y*t)
	area := float64(xx*yy) - float64(xy*xy)
	if !(area > 1e-4) {
		return 0, r2.Vec{}
	}
	slope := r2.Vec{X: (float64(yy*xt) - float64(xy*yt)) / area, Y: (float64(xx*yt) - float64(xy*xt)) / area}
	if !(vec.Norm(slope) > float64(flat*f.Cell)*float64(f.slow[nearest]) && vec.Finite(slope)) {
		return 0, r2.Vec{}
	}
	toward = vec.Unit(vec.Scale(-1, slope))
	if max(math.Abs(out.X), math.Abs(out.Y)) > inside {
		out = vec.Unit(out)
		toward = vec.Unit(vec.AddScaled(toward, max(0, -vec.Dot(toward, out)), out))
	}
	return f.way[nearest] + t - float64(slope.X*x) - float64(slope.Y*y), toward
}

// nearestOpen returns the cell nearest to p that has a path, and its center relative to p, in cells. It
// considers the cell of p and the eight cells around it, and returns -1 if none of them has a path.
func (f *Field) nearestOpen(p r2.Vec) (cell int, middle r2.Vec) {
	own, near := f.At(p), math.Inf(1)
	cell = -1
	for y := own/f.Columns - 1; y <= own/f.Columns+1; y++ {
		for x := own%f.Columns - 1; x <= own%f.Columns+1; x++ {
			if !f.hasWay(x, y) {
				continue
			}
			i := y*f.Columns + x
			if to := vec.Scale(1/f.Cell, vec.Sub(f.Center(i), p)); vec.Norm2(to) < near {
				near, cell, middle = vec.Norm2(to), i, to
			}
		}
	}
	return cell, middle
}

// Out returns p unless p is in a closed cell and at least one of the eight cells around it has a path. Then
// it returns the nearest point just inside the nearest such cell.
func (f *Field) Out(p r2.Vec) r2.Vec {
	cell, _ := f.nearestOpen(p)
	if f.beyondGrid(p) || cell < 0 || f.open(f.At(p)) {
		return p
	}
	const within = 0.49 // cell widths, from the center
	middle, most := f.Center(cell), float64(within*f.Cell)
	return r2.Vec{X: min(max(p.X, middle.X-most), middle.X+most), Y: min(max(p.Y, middle.Y-most), middle.Y+most)}
}

func (f *Field) hasWay(x, y int) bool {
	return 0 <= x && x < f.Columns && 0 <= y && y < f.Rows && !math.IsInf(f.way[y*f.Columns+x], 1)
}

// beside returns the distance and the direction of the shortest path that leads straight from p to the center
// of one of the eight cells around p's cell. If none of these is nearer to the goal, it returns the distance
// of p's cell and zero. A path cuts corners only from a closed cell, past an open one. From a closed cell in
// a corner, it leads to the nearest center, because other centers may be behind two touching obstacles.
func (f *Field) beside(p r2.Vec) (way float64, toward r2.Vec) {
	cell := f.At(p)
	column, row := cell%f.Columns, cell/f.Columns
	own, shortest := f.way[cell], math.Inf(1)
	cornered, nearest := own, r2.Vec{X: math.Inf(1)}
	for y := max(row-1, 0); y <= min(row+1, f.Rows-1); y++ {
		for x := max(column-1, 0); x <= min(column+1, f.Columns-1); x++ {
			i := y*f.Columns + x
			if f.way[i] >= own {
				continue
			}
			to := vec.Sub(f.Center(i), p)
			all := f.way[i] + float64(vec.Norm(to)*float64(f.slow[i]))
			beside, above := f.open(row*f.Columns+x), f.open(y*f.Columns+column)
			switch {
			case x == column || y == row || beside && above || !f.open(cell) && (beside || above):
				if all < shortest {
					shortest, toward = all, to
				}
			case !f.open(cell) && vec.Norm2(to) < vec.Norm2(nearest):
				cornered, nearest = all, to
			}
		}
	}
	switch {
	case toward != r2.Vec{}:
		return shortest, vec.Unit(toward)
	case cornered < own:
		return cornered, vec.Unit(nearest)
	}
	return own, toward
}

func (f *Field) open(cell int) bool { return !math.IsInf(float64(f.slow[cell]), 1) }

func (f *Field) beyondGrid(p r2.Vec) bool { return f.besides(p) || f.above(p) }

func (f *Field) besides(p r2.Vec) bool {
	return p.X < f.Min.X || p.X > f.Min.X+float64(float64(f.Columns)*f.Cell)
}

func (f *Field) above(p r2.Vec) bool {
	return p.Y < f.Min.Y || p.Y > f.Min.Y+float64(float64(f.Rows)*f.Cell)
}

// beyond returns the distance and the direction of the shortest path from a point outside the grid: straight
// to a cell on an edge of the grid that faces the point, and on from there.
func (f *Field) beyond(p r2.Vec) (way float64, toward r2.Vec) {
	cell := f.At(p)
	column, row := cell%f.Columns, cell/f.Columns
	best, way := -1, math.Inf(1)
	along := func(first, stride, n int) {
		k := f.entry(p, first, stride, n)
		if all := f.over(p, first+k*stride); all < way {
			best, way = first+k*stride, all
		}
	}
	if f.above(p) {
		along(row*f.Columns, 1, f.Columns)
	}
	if f.besides(p) {
		along(column, f.Columns, f.Rows)
	}
	if !(way <= math.MaxFloat64) {
		return way, r2.Vec{}
	}
	return way, vec.Unit(vec.Sub(f.Center(best), p))
}

// entry returns the number of the cell, among the n cells of an edge, through which the path from a point
// outside leads. It samples the edge more and more finely around the best sample.
func (f *Field) entry(p r2.Vec, first, stride, n int) (best int) {
	const some = 16
	lo, hi := 0, n-1
	for {
		step := max((hi-lo)/some, 1)
		shortest := math.Inf(1)
		for k := lo; k <= hi; k += step {
			if all := f.over(p, first+k*stride); all < shortest {
				best, shortest = k, all
			}
		}
		if step == 1 {
			return best
		}
		lo, hi = max(best-step, lo), min(best+step, hi)
	}
}

// over returns the distance, in s, from a point outside straight to the center of a cell, and on to the goal.
func (f *Field) over(p r2.Vec, cell int) float64 {
	return f.way[cell] + vec.Norm(vec.Sub(f.Center(cell), p))
}
