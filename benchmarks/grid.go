package benchmarks

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// cellSide is the width of a grid's cells in meters, by benchmark.
const cellSide = 14.

// grid finds the circle that an agent would hit first. It is made for one
// look-ahead and covers all circles, with a dense array of cells. A cell lists
// the circles that an agent can hit if the middle of its way lies in the cell, so
// that one look-up is enough.
type grid struct {
	low           r2.Vec
	columns, rows int
	first         []uint32 // of each cell, the place in lists where its circles begin
	lists         []circle // of all cells, each in the order of the circles
}

// build rebuilds the grid, in the memory that it has.
func (g *grid) build(circles []circle) {
	if len(circles) == 0 {
		return
	}
	low, high := circles[0].at, circles[0].at
	for _, o := range circles {
		low.X, low.Y = min(low.X, o.at.X), min(low.Y, o.at.Y)
		high.X, high.Y = max(high.X, o.at.X), max(high.Y, o.at.Y)
	}
	g.low = low
	g.columns, g.rows = int((high.X-low.X)/cellSide)+1, int((high.Y-low.Y)/cellSide)+1
	// Counting sort: sizes two places on, then the next free place one place on.
	n := g.columns*g.rows + 2
	if cap(g.first) < n {
		g.first = make([]uint32, n)
	}
	g.first = g.first[:n]
	clear(g.first)
	total := 0
	for i := range circles {
		g.cells(&circles[i], func(cell int) {
			g.first[cell+2]++
			total++
		})
	}
	for i := 1; i < n; i++ {
		g.first[i] += g.first[i-1]
	}
	if cap(g.lists) < total {
		g.lists = make([]circle, total)
	}
	g.lists = g.lists[:total]
	for i := range circles {
		g.cells(&circles[i], func(cell int) {
			g.lists[g.first[cell+1]] = circles[i]
			g.first[cell+1]++
		})
	}
}

// cells calls visit for every cell that lists a circle.
func (g *grid) cells(o *circle, visit func(cell int)) {
	reach := o.radius + lookAhead/2 + 1e-6 // what rounding may make of the middle of a way
	left, bottom := g.column(o.at.X-reach), g.row(o.at.Y-reach)
	right, top := g.column(o.at.X+reach), g.row(o.at.Y+reach)
	for row := bottom; row <= top; row++ {
		for column := left; column <= right; column++ {
			// From the circle's center to the nearest point of the cell.
			x := g.low.X + float64(float64(column)*cellSide)
			y := g.low.Y + float64(float64(row)*cellSide)
			dx := o.at.X - min(max(o.at.X, x), x+cellSide)
			dy := o.at.Y - min(max(o.at.Y, y), y+cellSide)
			if float64(dx*dx)+float64(dy*dy) <= reach*reach {
				visit(row*g.columns + column)
			}
		}
	}
}

// column and row return the nearest ones there are: the middle of a way that is
// outside of the grid is no nearer to a circle than the nearest point of the grid.
func (g *grid) column(x float64) int { return min(max(int((x-g.low.X)*(1/cellSide)), 0), g.columns-1) }
func (g *grid) row(y float64) int    { return min(max(int((y-g.low.Y)*(1/cellSide)), 0), g.rows-1) }

// away returns the direction in which an agent avoids the circle that it would
// hit first within its look-ahead, and whether there is such a circle.
func (g *grid) away(p, v r2.Vec) (away r2.Vec, ok bool) {
	dir := r2.Vec{}
	if v2 := float64(v.X*v.X) + float64(v.Y*v.Y); v2 > 0 {
		scale := 1 / math.Sqrt(v2)
		dir = r2.Vec{X: scale * v.X, Y: scale * v.Y}
	}
	cell := g.row(p.Y+float64(lookAhead/2*dir.Y))*g.columns + g.column(p.X+float64(lookAhead/2*dir.X))
	list := g.lists[g.first[cell]:g.first[cell+1]]
	threat, nearest := -1, lookAhead
	for k := range list {
		o := &list[k]
		wX, wY := o.at.X-p.X, o.at.Y-p.Y
		aside := math.Abs(float64(wX*dir.Y) - float64(wY*dir.X))
		ahead := float64(wX*dir.X) + float64(wY*dir.Y)
		t := 0.
		gap := float64(wX*wX) + float64(wY*wY) - float64(o.radius*o.radius)
		if ahead > 0 && aside <= o.radius {
			t = max(gap, 0) / (ahead + math.Sqrt((o.radius-aside)*(o.radius+aside)))
		} else if gap > 0 {
			continue
		}
		if t < nearest || t == nearest && threat < 0 {
			threat, nearest = k, t
		}
	}
	if threat < 0 {
		return away, false
	}
	return list[threat].aside(p, dir, v, nearest), true
}

// aside returns the direction in which an agent passes a circle that it hits
// after a way along dir: sideways, and straight away if it stands still.
func (o *circle) aside(p, dir, v r2.Vec, way float64) r2.Vec {
	normal := r2.Vec{X: p.X - o.at.X + float64(way*dir.X), Y: p.Y - o.at.Y + float64(way*dir.Y)}
	if n2 := float64(normal.X*normal.X) + float64(normal.Y*normal.Y); n2 > 0 {
		scale := 1 / math.Sqrt(n2)
		normal = r2.Vec{X: scale * normal.X, Y: scale * normal.Y}
	}
	if v == (r2.Vec{}) {
		return normal
	}
	if float64(normal.X*dir.Y)-float64(normal.Y*dir.X) < 0 {
		return r2.Vec{X: -dir.Y, Y: dir.X}
	}
	return r2.Vec{X: dir.Y, Y: -dir.X}
}
