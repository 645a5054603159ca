package space

import (
	"math"
	"math/bits"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Index finds shapes. The zero value is empty. After Build it is read-only, and
// queries may run concurrently; they allocate nothing, and find nothing for
// arguments that are not finite.
//
// It is a hierarchy of grids: cells of level k are base·2^k wide, and a shape is
// in the level in which it covers a few cells. Only cells that hold something
// exist, in one hash table. A shape is listed in every cell within reach of it,
// so that one look-up a level finds all that is within reach of a point.
type Index struct {
	shapes  []Shape
	skipped int
	base    float64 // m, width of a cell of level 0
	reach   float64 // m
	levels  uint64  // bit k: level k holds shapes
	cells   []cell  // hash table, a power of two long
	entries []entry // of all cells, one cell after another
	pending []pending
}

// cell is a slot of the hash table.
type cell struct {
	key   uint64 // 0: empty
	first uint32 // of its entries
	count uint32
}

// entry is a shape in a cell. What a circle is tested by stands here; others
// are looked up.
type entry struct {
	centre r2.Vec
	radius float64 // negative: not a circle
	index  uint32
	id     uint32
}

// pending is an entry that waits for its place.
type pending struct {
	key   uint64
	index uint32
}

const (
	maxLevel     = 40
	cellsAShape  = 64      // that a shape may cover in its level
	maxCoord     = 1 << 28 // cells at the edge of the grid hold all beyond
	slackOfACell = 1e-6    // covers rounding where cells are found
)

// Skipped returns how many shapes are not in the index, because they are not
// finite, or are polygons of less than three corners.
func (x *Index) Skipped() int { return x.skipped }

// Build makes the index anew. The shapes are kept, not copied: they must not
// change until the next Build. Reach, in metres, is a hint: queries that look no
// farther cost one look-up a level.
func (x *Index) Build(shapes []Shape, reach float64) {
	x.shapes, x.skipped, x.levels = shapes, 0, 0
	x.cells, x.entries, x.pending = x.cells[:0], x.entries[:0], x.pending[:0]
	size, n, far := 0., 0, 0.
	for i := range shapes {
		if !shapes[i].finite() {
			x.skipped++
			continue
		}
		b := shapes[i].bounds()
		size += max(b.Max.X-b.Min.X, b.Max.Y-b.Min.Y)
		far = max(far, math.Abs(b.Min.X), math.Abs(b.Min.Y), math.Abs(b.Max.X), math.Abs(b.Max.Y))
		n++
	}
	if n == 0 {
		return
	}
	x.reach = max(reach, 0)
	x.base = max(2*x.reach, size/float64(n)/2, far*0x1p-24, 0x1p-200)
	for i := range shapes {
		if shapes[i].finite() {
			x.list(uint32(i))
		}
	}
	x.gather()
}

// list enters a shape into every cell within reach of it, in the lowest level in
// which those are few.
func (x *Index) list(i uint32) {
	s := &x.shapes[i]
	b := s.bounds()
	level := 0
	for ; level < maxLevel; level++ {
		pad := x.pad(level)
		x0, y0 := x.coords(vec.Sub(b.Min, pad), level)
		x1, y1 := x.coords(vec.Add(b.Max, pad), level)
		if (x1-x0+1)*(y1-y0+1) <= cellsAShape {
			break
		}
	}
	x.levels |= 1 << level
	pad, width := x.pad(level), x.width(level)
	x0, y0 := x.coords(vec.Sub(b.Min, pad), level)
	x1, y1 := x.coords(vec.Add(b.Max, pad), level)
	for cy := y0; cy <= y1; cy++ {
		for cx := x0; cx <= x1; cx++ {
			// A cell lies within half its diagonal of its middle.
			middle := r2.Vec{X: (float64(cx) + 0.5) * width, Y: (float64(cy) + 0.5) * width}
			if edge := max(abs(cx), abs(cy)) >= maxCoord; edge || s.distance(middle) <= pad.X+0.7072*width {
				x.pending = append(x.pending, pending{keyOf(level, cx, cy), i})
			}
		}
	}
}

// gather sorts the pending entries into cells.
func (x *Index) gather() {
	size := 1 << bits.Len(uint(2*len(x.pending)))
	x.cells = slices.Grow(x.cells[:0], size)[:size]
	clear(x.cells)
	for _, p := range x.pending {
		c := x.slot(p.key)
		c.key = p.key
		c.count++
	}
	first := uint32(0)
	for i := range x.cells {
		x.cells[i].first = first
		first += x.cells[i].count
		x.cells[i].count = 0
	}
	x.entries = slices.Grow(x.entries[:0], len(x.pending))[:len(x.pending)]
	for _, p := range x.pending {
		c, s := x.slot(p.key), &x.shapes[p.index]
		e := entry{centre: s.A, radius: s.Radius, index: p.index, id: s.ID}
		if s.Ring != nil || s.A != s.B {
			e.radius = -1
		}
		x.entries[c.first+c.count] = e
		c.count++
	}
}

// slot returns the slot of a key, or the empty one where it belongs.
func (x *Index) slot(key uint64) *cell {
	mask := uint64(len(x.cells) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> 20 & mask; ; i = (i + 1) & mask {
		if c := &x.cells[i]; c.key == key || c.key == 0 {
			return c
		}
	}
}

// at returns the entries of the cell of a level that holds p.
func (x *Index) at(p r2.Vec, level int) []entry {
	cx, cy := x.coords(p, level)
	return x.in(level, cx, cy)
}

func (x *Index) in(level, cx, cy int) []entry {
	c := x.slot(keyOf(level, cx, cy))
	return x.entries[c.first : c.first+c.count]
}

func (x *Index) width(level int) float64 { return x.base * float64(uint64(1)<<level) }

// pad returns how far from its shapes a cell of a level lists them.
func (x *Index) pad(level int) r2.Vec {
	d := x.reach + slackOfACell*x.width(level)
	return r2.Vec{X: d, Y: d}
}

// coords returns the cell of a level that holds p.
func (x *Index) coords(p r2.Vec, level int) (int, int) {
	f := 1 / x.width(level)
	return coord(p.X * f), coord(p.Y * f)
}

func coord(c float64) int { return int(math.Floor(max(-maxCoord, min(maxCoord, c)))) }

func abs(i int) int { return max(i, -i) }

// keyOf returns the key of a cell, never 0.
func keyOf(level, cx, cy int) uint64 {
	return uint64(level+1)<<58 | uint64(cx+maxCoord)<<29 | uint64(cy+maxCoord)&(1<<29-1)
}
