package field

import (
	"math"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Field holds the distance from every cell of a grid to a goal. The zero value is empty; call Reset to start
// a field.
type Field struct {
	Grid
	way   []float64 // s; +Inf if there is no path or none is known yet
	slow  []float32 // s/m; +Inf means closed
	state []state

	exits []Exit
	queue buckets
	width float64 // s, of a bucket of the queue
	steps int
}

// Exit is the cell to which a portal leads.
type Exit struct {
	Cell    int
	Reached func(way float64) // called when the cell's distance, in s, is known, to call Start at the entrance
}

type state uint8

const (
	unknown state = iota // tentative
	given                // set by Start
	known
)

// Copy sets the field to a copy of another one, which must be complete. The two share the slowness.
func (f *Field) Copy(o *Field) {
	f.Grid, f.slow, f.exits, f.width, f.steps = o.Grid, o.slow, f.exits[:0], o.width, o.steps
	f.way, f.state = append(f.way[:0], o.way...), append(f.state[:0], o.state...)
	f.queue.reset(f.width)
}

// Reset starts a new field on grid g. slow holds the slowness of each cell, in s/m: 1 makes a distance in s
// equal to its length in m, and +Inf closes the cell. least is the smallest slowness. Reset does not copy
// slow, which must not change while the field is in use.
func (f *Field) Reset(g Grid, slow []float32, least float64) {
	f.Grid, f.slow, f.steps, f.exits = g, slow, 0, f.exits[:0]
	f.way, f.state = space.Resized(f.way, g.Len()), space.Resized(f.state, g.Len())
	for i := range f.way {
		f.way[i] = math.Inf(1)
	}
	clear(f.state)
	f.width = g.Cell * least * 0.25
	f.queue.reset(f.width)
}

// Lead adds an exit. Call it after Reset.
func (f *Field) Lead(x Exit) { f.exits = append(f.exits, x) }

// Start sets the distance of a cell's center, in s. It does nothing if the cell is closed, if its distance is
// already as short, or if the given distance exceeds longest. Call it for the cells of the goal, or see
// StartAround.
func (f *Field) Start(cell int, way float64) {
	if f.way[cell] > way && float64(way*f.queue.per) <= longest && !math.IsInf(float64(f.slow[cell]), 1) {
		f.way[cell], f.state[cell] = way, given
		f.queue.put(cell, way)
	}
}

// March expands up to the given number of cells, and reports whether the field is complete.
//
// It takes cells in order of distance, like Dijkstra's algorithm, but computes the distance of a cell from
// the slope of a plane through the known distances of its neighbors. This is Sethian's fast marching, with
// his second-order differences if two successive neighbors are known. A queue of buckets replaces a heap,
// because cells whose distances differ by less than a quarter of a cell width need no order.
//
// Source: Sethian, "A fast marching level set method for monotonically advancing fronts", 1996;
// Sethian, "Fast marching methods", 1999; Kim, "An O(N) level set method for eikonal equations",
// 2001.
func (f *Field) March(cells int) (over bool) {
	for ; cells > 0; cells-- {
		cell, ok := f.queue.take(f)
		if !ok {
			return true
		}
		f.state[cell] = known
		f.steps++
		for i := range f.exits {
			if x := &f.exits[i]; x.Cell == cell {
				x.Reached(f.way[cell])
			}
		}
		column, row := cell%f.Columns, cell/f.Columns
		if column > 0 {
			f.reach(cell-1, column-1, row)
		}
		if column < f.Columns-1 {
			f.reach(cell+1, column+1, row)
		}
		if row > 0 {
			f.reach(cell-f.Columns, column, row-1)
		}
		if row < f.Rows-1 {
			f.reach(cell+f.Columns, column, row+1)
		}
	}
	return f.queue.n == 0
}

func (f *Field) reach(cell, column, row int) {
	if f.state[cell] != unknown || math.IsInf(float64(f.slow[cell]), 1) {
		return
	}
	x := f.along(cell, 1, column, f.Columns)
	y := f.along(cell, f.Columns, row, f.Rows)
	way := solve(x, y, float64(f.Cell*float64(f.slow[cell])))
	if way < f.way[cell] {
		f.way[cell] = way
		f.queue.put(cell, way)
	}
}

// slope is the slope of the distance T along an axis, times the cell width: by·(T - at).
type slope struct{ at, by float64 }

// along returns the slope along an axis between a cell and its neighbor that is nearer to the goal. The
// slope's by is 0 if the distance of neither neighbor is known.
func (f *Field) along(cell, stride, i, n int) (s slope) {
	near, step := math.Inf(1), 0
	if i > 0 && f.state[cell-stride] == known {
		near, step = f.way[cell-stride], -stride
	}
	if i < n-1 && f.state[cell+stride] == known && f.way[cell+stride] < near {
		near, step = f.way[cell+stride], stride
	}
	if step == 0 {
		return s
	}
	if k := i + 2*sign(step); k >= 0 && k < n {
		if far := cell + 2*step; f.state[far] == known && f.way[far] <= near {
			return slope{(float64(4*near) - f.way[far]) / 3, 1.5}
		}
	}
	return slope{near, 1}
}

func sign(step int) int {
	if step < 0 {
		return -1
	}
	return 1
}

// solve returns the distance T at which both slopes together have the given length:
//
//	(x.by·(T - x.at))² + (y.by·(T - y.at))² = length²
//
// Slopes that are not uphill do not count.
func solve(x, y slope, length float64) float64 {
	switch {
	case x.by == 0:
		return y.at + length/y.by
	case y.by == 0:
		return x.at + length/x.by
	}
	a2, b2 := float64(x.by*x.by), float64(y.by*y.by)
	a := a2 + b2
	b := float64(a2*x.at) + float64(b2*y.at)
	c := float64(float64(a2*x.at)*x.at) + float64(float64(b2*y.at)*y.at) - float64(length*length)
	if root := float64(b*b) - float64(a*c); root >= 0 {
		if t := (b + math.Sqrt(root)) / a; t >= max(x.at, y.at) {
			return t
		}
	}
	return min(x.at+length/x.by, y.at+length/y.by)
}

// Distance returns the distance from the center of a cell to the goal, in s, or +Inf if no path is known.
func (f *Field) Distance(cell int) float64 { return f.way[cell] }

// Steps returns the number of cells expanded since Reset.
func (f *Field) Steps() int { return f.steps }

// StartAround calls Start for each cell whose center is within the given distance, in m, of a box, if the
// function sees reports a free straight path between the two. way is the distance from the box to the goal,
// in s. Distances are then exact near the box, where the field curves most.
func (f *Field) StartAround(box r2.Box, distance, way float64, sees func(from, to r2.Vec) bool) {
	lo, hi := f.At(r2.Vec{X: box.Min.X - distance, Y: box.Min.Y - distance}), f.At(r2.Vec{X: box.Max.X + distance, Y: box.Max.Y + distance})
	for row := lo / f.Columns; row <= hi/f.Columns; row++ {
		for column := lo % f.Columns; column <= hi%f.Columns; column++ {
			cell := row*f.Columns + column
			p := f.Center(cell)
			to := vec.Clamp(p, box)
			if d := vec.Norm(vec.Sub(p, to)); d <= distance && sees(p, to) {
				f.Start(cell, way+float64(d*float64(f.slow[cell])))
			}
		}
	}
}

// buckets is a queue of cells by distance. The order within a bucket does not matter. A cell with a new
// distance is added again, and take skips outdated entries.
type buckets struct {
	lists [][]uint32
	first int     // index of the current list
	from  float64 // start of the current list, in widths
	per   float64 // 1/s, inverse width
	n     int     // entries in all lists
}

// most is the number of buckets, which together are as wide as 16 of the fastest cells. The distances of
// neighboring cells differ by less, except in slow cells: see put.
const most = 64

func (q *buckets) reset(width float64) {
	if q.lists == nil {
		q.lists = make([][]uint32, most)
	}
	for i := range q.lists {
		q.lists[i] = q.lists[i][:0]
	}
	q.first, q.from, q.per, q.n = 0, 0, 1/width, 0
}

// put adds a cell beyond all buckets to the last one.
func (q *buckets) put(cell int, way float64) {
	k := int(min(max(float64(way*q.per)-q.from, 0), most-1))
	k = (q.first + k) % most
	q.lists[k] = append(q.lists[k], uint32(cell))
	q.n++
}

// take removes and returns a cell that is not yet known, from the first bucket that contains one. ok is false
// if there is none.
func (q *buckets) take(f *Field) (cell int, ok bool) {
	for q.n > 0 {
		list := q.lists[q.first]
		if len(list) == 0 {
			q.first = (q.first + 1) % most
			q.from++
			continue
		}
		cell = int(list[len(list)-1])
		q.lists[q.first] = list[:len(list)-1]
		q.n--
		if f.state[cell] == known {
			continue
		}
		if ahead := float64(f.way[cell]*q.per) - q.from; ahead >= 1 { // the cell waited in the last bucket
			if len(q.lists[q.first]) == q.n {
				q.leap(f, ahead)
			}
			q.put(cell, f.way[cell])
			continue
		}
		return cell, true
	}
	return 0, false
}

// farAhead is the number of widths beyond which the queue leaps.
const farAhead = 1 << 16

// longest is the largest distance that Start accepts, in widths. Whole numbers in float64 are exact far
// beyond it.
const longest = 1 << 40

// leap advances a queue whose cells are all in the current list to the nearest of them, if that cell is more
// than farAhead widths away.
func (q *buckets) leap(f *Field, ahead float64) {
	for _, cell := range q.lists[q.first] {
		ahead = min(ahead, float64(f.way[cell]*q.per)-q.from)
	}
	if ahead > farAhead {
		q.from += math.Floor(ahead)
	}
}
