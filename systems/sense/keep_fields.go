package sense

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
)

// Keep keeps what all fields follow from: their rows, the obstacles that they go round, how far those are that are being
// worked out, and of those that go by the crowd how slow each cell is, which takes 4 bytes. The fields are worked out anew
// from that with the same bits. Keep the Obstacles before.
func (f *Fields) Keep(a *frame.Archive) {
	grounds, fields := f.grounds(), len(f.all)
	n := len(grounds)
	a.Keep(&f.yields, &f.updates, &f.changes, &f.worked, &f.looking, &f.looked, &n, &fields)
	if a.Reading() {
		f.ground, f.all, grounds = nil, nil, nil
	}
	for i := 0; i < n && a.Err() == nil; i++ {
		if a.Reading() {
			grounds = append(grounds, &ground{bounds: f.Obstacles.Bounds})
		}
		g := grounds[i]
		a.Keep(&g.version, &g.portals)
		if err := g.portals.Check(); err != nil {
			a.Fail("%w", err)
		}
		keepIndex(a, &g.index, f.Obstacles.reach)
	}
	if a.Reading() && n > 0 && a.Err() == nil {
		f.ground = grounds[0]
	}
	for i := 0; i < fields && a.Err() == nil; i++ {
		if a.Reading() {
			f.all = append(f.all, fieldOf{})
		}
		f.all[i].keep(a, grounds)
	}
	if a.Reading() && a.Err() == nil {
		for i := range f.all {
			if c := f.all[i].crowding; c != nil && c.looking {
				c.like = f.like(i)
			}
		}
	}
}

// grounds returns all that fields are worked out over, that of new ones first.
func (f *Fields) grounds() (all []*ground) {
	add := func(g *ground) {
		if g != nil && !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	add(f.ground)
	for i := range f.all {
		x := &f.all[i]
		if add(x.now.ground); x.working {
			add(x.next.ground)
		}
	}
	return all
}

// keep keeps a field.
func (x *fieldOf) keep(a *frame.Archive, grounds []*ground) {
	crowded := x.crowding != nil
	a.Keep(&x.row, &x.since, &x.working, &crowded)
	if a.Reading() {
		checkRow(a, &x.row)
		if x.now = (&solution{}); x.working {
			x.next = &solution{}
		}
		if crowded {
			x.crowding = &crowding{}
		}
	}
	if crowded {
		x.crowding.keep(a)
	}
	if x.now.keep(a, grounds); a.Reading() && a.Err() == nil {
		x.now.workOut(a, math.MaxInt)
	}
	if !x.working || a.Err() != nil {
		return
	}
	n := x.next
	n.keep(a, grounds)
	if a.Err() != nil {
		return
	}
	if n.slowed && !crowded {
		a.Fail("field goes by a crowd, and there is none")
		return
	}
	marching, steps := n.marching, 0
	if marching {
		steps = n.Steps()
	}
	if a.Keep(&marching, &steps); !marching {
		n.floor.Keep(a, &n.ground.index)
	} else if a.Reading() && a.Err() == nil {
		n.workOut(a, steps)
	}
}

// checkRow refuses a row that is no copy of one.
func checkRow(a *frame.Archive, row *FlowField) {
	if same := row.copy(); !row.same(&same) {
		a.Fail("%w", row.Check())
	}
}

// keep keeps what a solution follows from.
func (n *solution) keep(a *frame.Archive, grounds []*ground) {
	over, slow := slices.Index(grounds, n.ground), []float32(nil)
	if n.slowed {
		slow = n.slow[:n.filled]
	}
	a.Keep(&n.row, &over, &n.slowed, &slow)
	if !a.Reading() || a.Err() != nil {
		return
	}
	if checkRow(a, &n.row); over < 0 || over >= len(grounds) {
		a.Fail("field is over ground %d, want less than %d", over, len(grounds))
	}
	if a.Err() != nil {
		return
	}
	n.ground = grounds[over]
	n.floor = n.ground.floor(&n.row)
	if n.slow, n.filled = slow, len(slow); len(slow) > n.floor.Len() || len(slow) > 0 && !n.slowed {
		a.Fail("field knows how slow %d cells are, which is too many", len(slow))
	}
	for i, x := range slow {
		if !(x >= 1) {
			a.Fail("cell %d takes %v s/m, want 1 or more", i, x)
			return
		}
	}
}

// workOut works a solution that was read out, as far as it was.
func (n *solution) workOut(a *frame.Archive, cells int) {
	if n.floor.Close(&n.ground.index, math.MaxInt); n.slowed && n.filled != n.floor.Len() || cells < 0 {
		a.Fail("field of %d cells has come to %d, and knows how slow %d are", n.floor.Len(), cells, n.filled)
		return
	}
	n.start()
	n.March(cells)
}

// keep keeps what a field knows of a crowd.
func (c *crowding) keep(a *frame.Archive) {
	a.Keep(&c.min, &c.size, &c.columns, &c.rows, &c.averages, &c.looks, &c.looked, &c.begun, &c.looking)
	if c.looking {
		a.Keep(&c.counts)
	} else if a.Reading() {
		c.counts = make([]count, len(c.averages))
	}
	if !a.Reading() || a.Err() != nil {
		return
	}
	n := len(c.averages)
	switch {
	case n > 0 && (c.columns < 1 || c.columns > n || n%c.columns != 0 || n/c.columns != c.rows) || n == 0 && (c.columns != 0 || c.rows != 0) || len(c.counts) != n:
		a.Fail("net has %d columns and %d rows, %d averages, and %d counts", c.columns, c.rows, n, len(c.counts))
	case n > 0 && !(c.size > 0 && c.size <= math.MaxFloat64) || !vec.Finite(c.min):
		a.Fail("net begins at %v, with %v m between nodes, want finite numbers", c.min, c.size)
	case c.looked-c.looked != 0 || c.begun-c.begun != 0 || c.looks < 0:
		a.Fail("crowd was looked at %d times, the last time at %v s, and the field begun at %v s", c.looks, c.looked, c.begun)
	}
	for i, v := range c.averages {
		if !(v.covered >= 0 && v.covered <= math.MaxFloat64 && math.Abs(v.moving) <= math.MaxFloat64) {
			a.Fail("average %d of a crowd is %v, want finite numbers", i, v)
			return
		}
	}
}
