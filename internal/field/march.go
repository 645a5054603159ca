package field

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Field is the way from every cell of a grid to a goal. The zero value is no field; see Reset.
type Field struct {
	Grid
	way   []float64 // s, to the goal; +Inf where there is none, or none is known yet
	slow  []float32 // s/m, slowness of a cell; +Inf: closed
	state []state

	exits []Exit
	queue buckets
	width float64 // s, that a bucket of the queue is wide
	steps int     // cells that were expanded since Reset
}

// Exit is a cell in which one comes out that was somewhere else before.
type Exit struct {
	Cell    int
	Reached func(way float64) // is called when the way from it is known: to Start those from where one gets there
}

// state is how much is known of the way of a cell.
type state uint8

const (
	unknown state = iota // or not for sure
	given                // by Start
	known
)

// Reset begins a field anew, with the slowness of each cell in s/m: 1 makes ways as long as
// they are in meters, +Inf closes the cell. Least is the least of them. Sources follow, by
// Start.
//
// The slowness is not copied, and must stay as it is until the march is over.
func (f *Field) Reset(g Grid, slow []float32, least float64) {
	f.Grid, f.slow, f.steps, f.exits = g, slow, 0, f.exits[:0]
	f.way, f.state = room(f.way, g.Len()), room(f.state, g.Len())
	for i := range f.way {
		f.way[i] = math.Inf(1)
	}
	clear(f.state)
	f.width = g.Cell * least * 0.25
	f.queue.reset(f.width)
}

func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Lead adds an exit, after Reset.
func (f *Field) Lead(x Exit) { f.exits = append(f.exits, x) }

// Start says how long the way is from the middle of a cell, in s, unless it is shorter
// already, or so long that it is none: from those of the goal itself, and of all that see it.
func (f *Field) Start(cell int, way float64) {
	if f.way[cell] > way && float64(way*f.queue.per) <= longest && !math.IsInf(float64(f.slow[cell]), 1) {
		f.way[cell], f.state[cell] = way, given
		f.queue.put(cell, way)
	}
}

// March goes on until it has expanded a number of cells, and reports whether it is done.
//
// Cells are taken in the order of their ways, as in Dijkstra's algorithm, but the way of a cell
// comes from the slope of a plane through the ways of neighbors that are known: Sethian's fast
// marching, with his second-order differences where two neighbors in a row are known. No cell
// is nearer to another by less than 1/√2 of a cell's width, so those which are that near to one
// another need no order among them, and a queue of buckets of that width does for a heap.
// Source: Sethian 1996, "A fast marching level set method for monotonically advancing
// fronts"; Sethian 1999, "Fast marching methods"; Kim 2001, "An O(N) level set method for
// eikonal equations".
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

// reach finds the way of a cell by its neighbors that are known.
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

// slope is the difference of the way of a cell and that of its neighbors along an axis, times
// the width of a cell: by·(T - at).
type slope struct{ at, by float64 }

// along returns the slope to the nearer one of the two neighbors of a cell along an axis; by
// is 0 if neither is known.
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

// solve returns the way T that has these slopes and, as both together, the length of one cell:
// (x.by·(T - x.at))² + (y.by·(T - y.at))² = length². Slopes that are not uphill do not count.
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

// Way returns how long the way is from the middle of a cell, in s; +Inf if there is none.
func (f *Field) Way(cell int) float64 { return f.way[cell] }

// Steps returns how many cells were expanded since Reset.
func (f *Field) Steps() int { return f.steps }

// StartAround starts from all cells within a distance of a box, in m, whose straight way to it is
// free, as sees tells, if the way is so long from there on, in s. So the slope is right where it turns most.
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

// buckets is a queue of cells in the order of their ways, as far as that matters: in buckets
// that are so narrow that no cell of one can make the way of another shorter.
//
// A cell that gets a shorter way is put in once more; take leaves out what is old.
type buckets struct {
	lists [][]uint32
	first int     // of the lists, the one where the next cells are
	from  float64 // s, where that begins, in widths
	per   float64 // 1/s, widths
	n     int     // cells in all lists
}

// most is how many widths a way can be longer than that of a neighbor, and more: straight on,
// second-order differences give at most 4/3 and a cell's width, which is √2 widths of a bucket;
// cells may be slower than the fastest.
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

// put takes a cell with its way in. One that lies beyond all buckets waits in the last.
func (q *buckets) put(cell int, way float64) {
	k := int(min(max(float64(way*q.per)-q.from, 0), most-1))
	k = (q.first + k) % most
	q.lists[k] = append(q.lists[k], uint32(cell))
	q.n++
}

// take returns one of the cells with the shortest way.
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
		if ahead := float64(f.way[cell]*q.per) - q.from; ahead >= 1 { // it waited in the last bucket
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

// farAhead is how many widths a queue does not go through one by one.
const farAhead = 1 << 16

// longest is the longest way that a field begins with, in widths: up to there, and far beyond, a float64 counts them.
const longest = 1 << 40

// leap takes a queue, all of whose cells lie in the first bucket or are this far ahead, on to the nearest of them
// if that is far.
func (q *buckets) leap(f *Field, ahead float64) {
	for _, cell := range q.lists[q.first] {
		ahead = min(ahead, float64(f.way[cell]*q.per)-q.from)
	}
	if ahead > farAhead {
		q.from += math.Floor(ahead)
	}
}
