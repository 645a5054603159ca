package sense

import (
	"cmp"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/route"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Keep saves or restores the snapshot of the last step, from which the next step detects changes.
func (o *Obstacles) Keep(a *frame.Archive) {
	order := make([]int, len(o.shapes)) // sorted, because the order of rows must not matter
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return cmp.Compare(o.shapes[i].ID, o.shapes[k].ID) })
	shapes, entities := make([]space.Shape, len(order)), make([]ecs.Entity, len(order))
	for i, k := range order {
		shapes[i], entities[i] = o.shapes[k], o.entities[k]
	}
	a.Keep(&entities, &o.table, &o.version)
	keepShapes(a, &shapes)
	if !a.Reading() || a.Err() != nil {
		return
	}
	if len(entities) != len(shapes) {
		a.Fail("have %d shapes, want %d, one per obstacle", len(shapes), len(entities))
		return
	}
	o.shapes, o.entities, o.corners = shapes, entities, nil
	for i := range shapes {
		o.corners = append(o.corners, shapes[i].Ring...)
	}
	used := 0
	for i := range shapes { // in the form that Sense compares
		if n := len(shapes[i].Ring); shapes[i].Ring != nil {
			shapes[i].Ring = o.corners[used : used+n : used+n]
			used += n
		}
	}
	if o.portals = nil; o.table.Check() == nil {
		o.portals = o.table
	}
	o.moved, o.edges.fresh, o.kept = o.moved[:0], false, true
	o.index.Build(o.shapes, o.reach, 0)
}

// unchanged reports whether two snapshots are equal except for the order of their shapes.
func unchanged(was, is []space.Shape) bool {
	order := func(all []space.Shape) []space.Shape {
		return slices.SortedFunc(slices.Values(all), func(a, b space.Shape) int { return cmp.Compare(a.ID, b.ID) })
	}
	return slices.EqualFunc(order(was), order(is), func(a, b space.Shape) bool {
		return a.ID == b.ID && samePoint(a.A, b.A) && samePoint(a.B, b.B) && sameNumber(a.Radius, b.Radius) &&
			(a.Ring == nil) == (b.Ring == nil) && slices.EqualFunc(a.Ring, b.Ring, samePoint)
	})
}

type keptShape struct {
	id      uint32
	a, b    r2.Vec
	radius  float64
	corners int // -1 means no ring
}

func keepShapes(a *frame.Archive, shapes *[]space.Shape) {
	all, corners := []keptShape(nil), []r2.Vec(nil)
	for _, s := range *shapes {
		k := keptShape{s.ID, s.A, s.B, s.Radius, -1}
		if s.Ring != nil {
			k.corners = len(s.Ring)
			corners = append(corners, s.Ring...)
		}
		all = append(all, k)
	}
	if a.Keep(&all, &corners); !a.Reading() || a.Err() != nil {
		return
	}
	*shapes = make([]space.Shape, len(all))
	for i, k := range all {
		s := space.Shape{ID: k.id, A: k.a, B: k.b, Radius: k.radius}
		if k.corners < -1 || k.corners > len(corners) {
			a.Fail("obstacle %d has %d corners, want -1 to %d, the number left", i, k.corners, len(corners))
			return
		}
		if k.corners >= 0 {
			s.Ring, corners = append([]r2.Vec{}, corners[:k.corners]...), corners[k.corners:]
		}
		(*shapes)[i] = s
	}
}

func keepIndex(a *frame.Archive, x *space.Index, reach float64) {
	var shapes []space.Shape
	for i := range x.Len() {
		shapes = append(shapes, x.Shape(i))
	}
	if keepShapes(a, &shapes); a.Reading() && a.Err() == nil {
		x.Build(shapes, reach, 0)
	}
}

// Keep saves or restores the copy of the obstacles, the known links between them, and a search, which is nil
// if none is in progress.
func (r *Routes) Keep(a *frame.Archive, search *RouteSearch) {
	keepIndex(a, &r.index, r.Obstacles.reach)
	known := []knownWays{}
	for radius, g := range r.graphs {
		known = append(known, knownWays{radius, g.Asked()})
	}
	slices.SortFunc(known, func(a, b knownWays) int { return cmp.Compare(a.radius, b.radius) })
	a.Keep(&r.version, &r.portals, &known)
	if a.Reading() && a.Err() == nil {
		r.graphs, r.built = map[float64]*route.Graph{}, false
		for _, k := range known {
			r.know(a, &k)
		}
	}
	if search != nil {
		r.keepSearch(a, search)
	}
}

type knownWays struct {
	radius  float64  // m
	corners []uint32 // expanded corners
}

func (r *Routes) know(a *frame.Archive, k *knownWays) {
	if !(k.radius >= 0 && k.radius <= math.MaxFloat64) || r.graphs[k.radius] != nil {
		a.Fail("paths for bodies with radius %v m, want distinct finite radii, 0 or more", k.radius)
		return
	}
	g := &route.Graph{Bounds: r.Obstacles.Bounds}
	g.Build(&r.index, k.radius)
	r.graphs[k.radius] = g
	if !g.Know(k.corners) {
		a.Fail("paths for bodies with radius %v m have an unknown corner, want corners below %d", k.radius, g.Len())
	}
}

// keepSearch saves a search as its request and the number of its looks. Restoring repeats the search. Corners
// that the repeated search expands are counted again.
func (r *Routes) keepSearch(a *frame.Archive, s *RouteSearch) {
	looks := s.Looks
	a.Keep(&s.begun, &looks)
	if !a.Reading() || a.Err() != nil {
		return
	}
	b := s.begun
	g := r.graphs[Room(b.radius)]
	if !vec.Finite(b.from) || !vec.Finite(b.to) || g == nil || b.known < 0 || b.known > len(g.Asked()) {
		a.Fail("search is from %v to %v, for radius %v m, with %d known corners, want finite points, a radius with paths, and 0 or more of its corners", b.from, b.to, b.radius, b.known)
		return
	}
	g.Know(slices.Clone(g.Asked()[:b.known]))
	r.Begin(s, b.from, b.to, b.radius)
	s.Go(looks)
}

// Keep saves or restores the inputs and the progress of all fields. For fields with Every, it saves the
// slowness of each cell, at 4 bytes per cell. Restoring recomputes the fields bit for bit. Call
// Obstacles.Keep first.
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

// grounds returns all grounds in use, first the one for new fields.
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
		a.Fail("field is slowed by a crowd, want averages of the crowd")
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

// checkRow rejects an invalid row, except the zero row, which stands for invalid rows.
func checkRow(a *frame.Archive, row *FlowField) {
	if same := row.copy(); !row.same(&same) {
		a.Fail("%w", row.Check())
	}
}

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
		a.Fail("field has ground %d, want 0 or more and below %d", over, len(grounds))
	}
	if a.Err() != nil {
		return
	}
	n.ground = grounds[over]
	n.floor = n.ground.floor(&n.row)
	if n.slow, n.filled = slow, len(slow); len(slow) > n.floor.Len() || len(slow) > 0 && !n.slowed {
		a.Fail("field has the slowness of %d cells, want at most %d, or 0 without a crowd", len(slow), n.floor.Len())
	}
	for i, x := range slow {
		if !(x >= 1) {
			a.Fail("slowness of cell %d is %v, want 1 or more", i, x)
			return
		}
	}
}

// workOut recomputes a restored solution for the given number of cells.
func (n *solution) workOut(a *frame.Archive, cells int) {
	if n.floor.Close(&n.ground.index, math.MaxInt); n.slowed && n.filled != n.floor.Len() || cells < 0 {
		a.Fail("field of %d cells has reached %d, with the slowness of %d, want 0 or more reached and, with a crowd, the slowness of all", n.floor.Len(), cells, n.filled)
		return
	}
	n.start()
	n.March(cells)
}

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
		a.Fail("crowd has %d averages and %d counts, want one of each per node, in %d columns and %d rows", n, len(c.counts), c.columns, c.rows)
	case n > 0 && !(c.size > 0 && c.size <= math.MaxFloat64) || !vec.Finite(c.min):
		a.Fail("grid starts at %v, with %v m between nodes, want finite numbers, and more than 0 m", c.min, c.size)
	case c.looked-c.looked != 0 || c.begun-c.begun != 0 || c.looks < 0:
		a.Fail("crowd was sampled %d times, last at %v s, and the field started at %v s, want 0 or more times, and finite numbers", c.looks, c.looked, c.begun)
	}
	for i, v := range c.averages {
		if !(v.covered >= 0 && v.covered <= math.MaxFloat64 && math.Abs(v.moving) <= math.MaxFloat64) {
			a.Fail("average %d of a crowd is %v, want finite numbers, the first 0 or more", i, v)
			return
		}
	}
}
