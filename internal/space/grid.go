// Package space provides spatial indexes: Index for obstacles and Crowd for agents. Both are snapshots that
// answer exact queries.
//
// The answers of an Index, except those of About, equal those of a loop over all obstacles, bit for bit. They
// depend neither on the order of obstacles nor on the layout of the index. Among obstacles at the same
// distance, the one with the lowest ID wins.
//
// A query with NaN, a coordinate beyond 1e100 meters, or a negative length finds nothing. In an Index, a query
// with an infinite length finds nothing either, but Nearest, Within and About accept negative distances, which
// are those of points inside obstacles. Of the queries of an Index, only Cells allocates. Queries may run
// concurrently with one another, but not with Build or Move.
package space

import (
	"math"
	"math/bits"

	"github.com/8f878440/crowd/internal/column"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	// Width of a cell, divided by its reach. It is at most √2, so that the cells in every other row and
	// column reach every point.
	cellPerReach = 1.4
	// Walls go into the finest grid in which they are at most this many cells long.
	cellsPerWall = 8
	// Coordinates farther than this many cells from the origin are in the outermost cells. The error of
	// nearer coordinates, in cells, is a fraction of margin.
	edge = 1 << 30
	// Cells also list pieces beyond their reach, up to this fraction of their width, to allow for rounding.
	margin = 0x1p-16
	// The slack is manyStrides strides, or half the smallest reach if that is less. A slack below fewStrides
	// strides becomes 0.
	manyStrides, fewStrides = 32, 4
	// The table has about one slot per entriesPerSlot entries. If there are few pieces, it has
	// more: at most slotsPerEntry per entry, slotsPerPiece per piece, and extraSlots in total.
	entriesPerSlot, slotsPerEntry, slotsPerPiece, extraSlots = 4, 8, 60, 1 << 15
)

// level is one grid of an index.
type level struct {
	scale float64 // cells per meter
	size  float64 // m, width of a cell
	reach float64 // m; a cell lists all pieces within this distance
	salt  uint64  // offset of its cells in the table
	power int     // size is 2^power times the finest size
}

// bound is a circle that encloses a piece. If the piece is a circle, the two are equal.
type bound struct {
	x, y, radius float64 // m
	shape        uint32  // index in the order given to Build
	kind         kind
}

func (x *Index) layOut(reach, stride float64) {
	x.bounds, x.whole, x.levels = x.bounds[:0], x.whole[:0], x.levels[:0]
	x.round = true
	for i := range x.pieces {
		x.bounds = append(x.bounds, x.pieces[i].bound(x.order))
		x.round = x.round && x.pieces[i].kind == circle
	}
	box := x.box()
	reach = x.usefulReach(reach, box)
	x.slack = min(float64(manyStrides*stride), reach/2)
	if !(x.slack >= float64(fewStrides*stride)) {
		x.slack = 0
	}
	x.listed = x.listed[:0]
	for i := 0; x.slack > 0 && i < len(x.pieces); i++ {
		x.listed = append(x.listed, home{x.pieces[i].a, x.pieces[i].b})
	}
	x.reach, x.extent = math.Inf(1), math.Inf(1)
	for i := range x.pieces {
		pc := &x.pieces[i]
		pc.level = x.levelFor(pc, reach)
		x.reach = min(x.reach, x.levels[pc.level].reach)
		x.extent = min(x.extent, x.levels[pc.level].size*(edge-1))
	}
	for i := range x.pieces {
		x.whole = append(x.whole, x.entryOf(uint32(i)))
	}

	total := 0
	x.runs(0, len(x.pieces), func(_ int, _, left, right int64) { total += int(right - left + 1) })
	digits := bits.Len(uint(x.slots(total, box) - 1))
	mask := 1<<digits - 1
	x.shift = uint(64 - digits)
	x.start = Resized(x.start, mask+3)
	x.lists = Resized(x.lists, total+pad)
	clear(x.start)
	// start[i+2] counts the entries of slot i. After the sums, start[i+1] is the next free position of slot
	// i. In the end, start[i] is where the list of slot i begins.
	x.runs(0, len(x.pieces), func(i int, row, left, right int64) {
		// Cells of a row have adjacent slots; the last slot wraps to the first.
		slot := x.slot(&x.levels[x.pieces[i].level], left, row)
		for ; left <= right; left++ {
			x.start[slot&mask+2]++
			slot++
		}
	})
	for i := 1; i < len(x.start); i++ {
		x.start[i] += x.start[i-1]
	}
	x.runs(0, len(x.pieces), func(i int, row, left, right int64) {
		slot := x.slot(&x.levels[x.pieces[i].level], left, row)
		for ; left <= right; left++ {
			next := &x.start[slot&mask+1]
			x.lists[*next] = x.whole[i]
			*next++
			slot++
		}
	})
}

// slots returns the number of slots for the given number of entries, not yet rounded up to a power of two.
//
// A larger table would exceed the caches if there are many pieces. If there are few, empty cells should have
// slots of their own, because a lookup of an empty slot ends at once.
func (x *Index) slots(entries int, box r2.Box) int {
	cells := 0.
	for i := range x.levels {
		lv := &x.levels[i]
		cells += float64((float64((box.Max.X-box.Min.X)*lv.scale) + 1) * (float64((box.Max.Y-box.Min.Y)*lv.scale) + 1))
	}
	most := min(slotsPerEntry*entries, slotsPerPiece*len(x.pieces), extraSlots)
	return max(64, entries/entriesPerSlot, int(min(cells, float64(most))))
}

func (x *Index) box() r2.Box {
	box := nowhere()
	for i := range x.bounds {
		box = include(box, r2.Vec{X: x.bounds[i].x, Y: x.bounds[i].y}, 0)
	}
	return box
}

// Resized returns a slice of n elements, with undefined values, that reuses s if possible.
func Resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return column.Huge(make([]T, n))
	}
	return s[:n]
}

// usefulReach returns the requested reach within useful limits. A reach below the typical size of pieces
// would only add grids. Beyond the typical spacing between pieces, several short lookups are faster than a
// long sweep.
func (x *Index) usefulReach(reach float64, box r2.Box) float64 {
	magnitudes, sized := 0, 0
	for i := range x.bounds {
		if need := x.pieces[i].cellSize(); need > 0 {
			magnitudes += math.Ilogb(need)
			sized++
		}
	}
	if !(reach >= 0 && reach <= farthest) {
		reach = 0
	}
	if sized > 0 {
		reach = max(reach, math.Ldexp(1, magnitudes/sized))
	}
	n, w, h := float64(len(x.bounds)), box.Max.X-box.Min.X, box.Max.Y-box.Min.Y
	space := max(math.Sqrt(w/n)*math.Sqrt(h), max(w, h)/n)
	if !(reach > 0 && reach <= space) && space > 0 {
		reach = space
	}
	return min(max(reach, 1/farthest), farthest)
}

// bound returns the bound of a piece, slightly enlarged unless the piece is a circle.
func (pc *piece) bound(order []uint64) bound {
	shape := uint32(order[pc.rank])
	if pc.kind == circle {
		return bound{pc.a.X, pc.a.Y, pc.radius, shape, circle}
	}
	w, h := pc.b.X-pc.a.X, pc.b.Y-pc.a.Y
	c := r2.Vec{X: pc.a.X + float64(w/2), Y: pc.a.Y + float64(h/2)}
	r := float64(math.Sqrt(float64(w*w)+float64(h*h))/2) + pc.radius
	// The rounding error of the center is proportional to its coordinates.
	r += float64(0x1p-50 * (math.Abs(c.X) + math.Abs(c.Y)))
	return bound{c.X, c.Y, r * (1 + 0x1p-20), shape, pc.kind}
}

// cellSize returns the smallest cell size at which a piece covers few cells.
func (pc *piece) cellSize() float64 {
	extent := max(math.Abs(pc.b.X-pc.a.X), math.Abs(pc.b.Y-pc.a.Y))
	if pc.kind == inside {
		return max(pc.radius, extent/2)
	}
	return max(pc.radius, extent/cellsPerWall)
}

// levelFor returns the index of the grid of a piece, and adds that grid if it is new. The finest possible
// grid has the given reach.
func (x *Index) levelFor(pc *piece, reach float64) uint16 {
	size, need := cellPerReach*reach, pc.cellSize()
	power := 0
	if need > size {
		_, power = math.Frexp(need / size)
	}
	for i := range x.levels {
		if x.levels[i].power == power {
			return uint16(i)
		}
	}
	size = math.Ldexp(size, power)
	x.levels = append(x.levels, level{
		scale: 1 / size,
		size:  size,
		reach: math.Ldexp(reach, power),
		salt:  uint64(power) * 0xd1b54a32d192ed03,
		power: power,
	})
	return uint16(len(x.levels) - 1)
}

// runs calls visit for each row of cells that lists a piece of x.pieces[first:end], with the leftmost and the
// rightmost column.
func (x *Index) runs(first, end int, visit func(piece int, row, left, right int64)) {
	for i := first; i < end; i++ {
		pc := &x.pieces[i]
		lv := &x.levels[pc.level]
		from, to := pc.a, pc.b
		if len(x.listed) > 0 { // the piece may have moved since it was listed
			from, to = x.listed[i].a, x.listed[i].b
		}
		slack := x.slack + float64(margin*lv.size)
		d := pc.radius + lv.reach + slack
		bottom, top := lv.cell(min(from.Y, to.Y)-d), lv.cell(max(from.Y, to.Y)+d)
		for row := bottom; row <= top; row++ {
			a, b, aside := from.X, to.X, d
			if row > 0 && row < 2*edge { // the outermost rows are unbounded
				y := float64(float64(row-edge) * lv.size)
				switch pc.kind {
				case circle:
					aside = slack + chord(pc.radius+lv.reach, max(y-from.Y, from.Y-y-lv.size)-slack)
				case wall:
					a, b = clip(from, to, y-d-slack, y+lv.size+d+slack)
				}
			}
			visit(i, row, lv.cell(min(a, b)-aside), lv.cell(max(a, b)+aside))
		}
	}
}

// chord returns half the length of the chord at a distance from the center of a circle. Negative distances
// count as 0.
func chord(radius, distance float64) float64 {
	distance = max(distance, 0)
	return math.Sqrt(max(0, float64((radius-distance)*(radius+distance))))
}

// clip returns the range of x of the part of a wall whose y lies between low and high.
func clip(a, b r2.Vec, low, high float64) (float64, float64) {
	if a.Y > b.Y {
		a, b = b, a
	}
	slope := (b.X - a.X) / (b.Y - a.Y)
	from, to := a.X, b.X
	if a.Y < low {
		from += float64((low - a.Y) * slope)
	}
	if b.Y > high {
		to -= float64((b.Y - high) * slope)
	}
	return from, to
}

func (lv *level) cell(v float64) int64 {
	return int64(max(-edge, min(edge, float64(v*lv.scale))) + edge)
}

// slot returns the slot of a cell. The golden ratio spreads the rows over the table, so the cells of a
// rectangle have distinct slots if there are more than √5 times as many slots.
func (x *Index) slot(lv *level, column, row int64) int {
	const golden = 0x9e3779b97f4a7c15
	return int((uint64(column)<<(x.shift&63) + uint64(row)*golden + lv.salt) >> (x.shift & 63))
}

func (x *Index) list(slot int) []entry { return x.lists[x.start[slot]:x.start[slot+1]] }

// innerSlot returns the slot of the cell that contains p, which must lie within the extent.
func (x *Index) innerSlot(lv *level, p r2.Vec) int {
	return x.slot(lv, int64(float64(p.X*lv.scale)+edge), int64(float64(p.Y*lv.scale)+edge))
}

func (x *Index) inner(lv *level, p r2.Vec) []entry { return x.list(x.innerSlot(lv, p)) }

// near calls visit with lists that together contain every piece within radius of p, and perhaps others and
// duplicates. It reports whether they contain all pieces of the index.
func (x *Index) near(p r2.Vec, radius float64, visit func(list []entry)) (all bool) {
	if !(x.cost(radius) <= float64(len(x.whole))) {
		visit(x.whole)
		return true
	}
	for i := range x.levels {
		if all = x.nearIn(&x.levels[i], p, radius, visit); all {
			break
		}
	}
	return all
}

// nearIn is like near for the pieces in one grid.
func (x *Index) nearIn(lv *level, p r2.Vec, radius float64, visit func(list []entry)) (all bool) {
	if radius <= lv.reach {
		visit(x.list(x.slot(lv, lv.cell(p.X), lv.cell(p.Y))))
		return false
	}
	left, right := lv.cell(p.X-radius), lv.cell(p.X+radius)
	bottom, top := lv.cell(p.Y-radius), lv.cell(p.Y+radius)
	if x.crowded(lv, left, right, bottom, top) {
		visit(x.whole)
		return true
	}
	for row := bottom; row <= top+1; row += 2 {
		for column := left; column <= right+1; column += 2 {
			visit(x.list(x.slot(lv, column, row)))
		}
	}
	return false
}

// crowded reports whether the lists that nearIn would visit are together longer than the list of all pieces,
// as happens if pieces overlap.
func (x *Index) crowded(lv *level, left, right, bottom, top int64) bool {
	sum := 0
	for row := bottom; row <= top+1; row += 2 {
		for column := left; column <= right+1; column += 2 {
			if sum += len(x.list(x.slot(lv, column, row))); sum > len(x.whole) {
				return true
			}
		}
	}
	return false
}

func (x *Index) cost(radius float64) float64 {
	if radius <= x.reach {
		return 0
	}
	sum := 0.
	for i := range x.levels {
		sum += x.levels[i].cost(radius)
	}
	return sum
}

// cost estimates the number of lookups that nearIn makes if radius exceeds the reach.
func (lv *level) cost(radius float64) float64 {
	n := max(0, float64(radius*lv.scale))
	return float64((n + 1) * (n + 1))
}
