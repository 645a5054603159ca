package field

import (
	"math"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
)

// Keep keeps how far a floor is closed round shapes.
func (f *Floor) Keep(a *archive.Archive, shapes *space.Index) {
	if f.Slow == nil && !a.Reading() {
		f.Slow = make([]float32, f.Len())
	}
	a.Keep(&f.Grid, &f.Radius, &f.Slow, &f.opened, &f.piece, &f.row)
	if !a.Reading() || a.Err() != nil {
		return
	}
	switch f.check(a, len(f.Slow)); {
	case !(f.Radius >= 0 && f.Radius <= math.MaxFloat64):
		a.Fail("radius of floor is %v m, want a finite number, 0 or more", f.Radius)
	case f.opened < 0 || f.opened > len(f.Slow):
		a.Fail("floor has %d open cells, want at most %d", f.opened, len(f.Slow))
	case f.piece < 0 || f.piece > shapes.Pieces() || f.piece > 0 && f.opened < len(f.Slow):
		a.Fail("floor is closed round %d pieces, want at most %d", f.piece, shapes.Pieces())
	case f.row < 0 || f.row > f.Rows:
		a.Fail("floor is closed up to row %d, want at most %d", f.row, f.Rows)
	}
	CheckSlow(a, f.Slow[:max(min(f.opened, len(f.Slow)), 0)])
}

// Keep keeps a field that is worked out.
func (f *Field) Keep(a *archive.Archive) {
	a.Keep(&f.Grid, &f.way, &f.slow)
	if !a.Reading() || a.Err() != nil {
		return
	}
	f.check(a, len(f.way))
	if len(f.slow) != len(f.way) {
		a.Fail("field knows how slow %d cells are, want %d", len(f.slow), len(f.way))
	}
	f.checkWays(a)
	CheckSlow(a, f.slow)
}

// KeepMarch keeps a field that is being worked out, which Reset has given a grid and how slow each cell
// is, with 1 s/m as the least. Exits are not kept.
func (f *Field) KeepMarch(a *archive.Archive, g Grid, slow []float32) {
	if a.Reading() {
		f.Reset(g, slow, 1)
	}
	q := &f.queue
	a.Keep(&f.way, &f.state, &f.steps, &q.lists, &q.first, &q.from)
	if !a.Reading() || a.Err() != nil {
		return
	}
	cells := g.Len()
	switch {
	case len(f.way) != cells || len(f.state) != cells || len(slow) != cells:
		a.Fail("field of %d cells has %d ways, the state of %d, and how slow %d are", cells, len(f.way), len(f.state), len(slow))
	case len(q.lists) != most || q.first < 0 || q.first >= most || !(q.from >= 0 && q.from <= 2*longest):
		a.Fail("queue has %d buckets, of which number %d is the first, and begins with %v, want %d", len(q.lists), q.first, q.from, most)
	}
	f.checkWays(a)
	for _, list := range q.lists {
		for _, cell := range list {
			if a.Err() != nil {
				return
			}
			if int(cell) >= cells {
				a.Fail("cell %d of a field waits, want less than %d", cell, cells)
			} else if !(float64(f.way[cell]*q.per) <= 2*longest) {
				a.Fail("way of cell %d is %v s, and too long for cells of %v m", cell, f.way[cell], f.Cell)
			}
		}
		q.n += len(list)
	}
}

// check refuses a grid that is none, or has another number of cells.
func (g *Grid) check(a *archive.Archive, cells int) {
	switch {
	case !vec.Finite(g.Min) || !(g.Cell > 0 && g.Cell <= math.MaxFloat64):
		a.Fail("grid begins at %v with cells of %v m, want finite numbers, and cells above 0", g.Min, g.Cell)
	case g.Columns < 1 || g.Rows < 1 || g.Columns > cells || cells%g.Columns != 0 || cells/g.Columns != g.Rows:
		a.Fail("grid has %d columns and %d rows, want %d cells", g.Columns, g.Rows, cells)
	}
}

func (f *Field) checkWays(a *archive.Archive) {
	for i, way := range f.way {
		if !(way >= 0) {
			a.Fail("way of cell %d is %v s, want 0 or more", i, way)
			return
		}
	}
}

// CheckSlow refuses cells that are faster than 1 s/m.
func CheckSlow(a *archive.Archive, slow []float32) {
	for i, x := range slow {
		if !(x >= 1) {
			a.Fail("cell %d takes %v s/m, want 1 or more", i, x)
			return
		}
	}
}
