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

// Keep writes the snapshot of the last step, or reads it: what has changed since then is found
// in the next one.
func (o *Obstacles) Keep(a *frame.Archive) {
	order := make([]int, len(o.shapes)) // by entity, whatever the order of rows
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
		a.Fail("%d entities have %d shapes", len(entities), len(shapes))
		return
	}
	o.shapes, o.entities, o.corners = shapes, entities, nil
	for i := range shapes {
		o.corners = append(o.corners, shapes[i].Ring...)
	}
	used := 0
	for i := range shapes { // where they are compared
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

// unchanged reports whether obstacles that seem to be others are those of the snapshot that was read, in
// another order.
func unchanged(was, is []space.Shape) bool {
	order := func(all []space.Shape) []space.Shape {
		return slices.SortedFunc(slices.Values(all), func(a, b space.Shape) int { return cmp.Compare(a.ID, b.ID) })
	}
	return slices.EqualFunc(order(was), order(is), func(a, b space.Shape) bool {
		return a.ID == b.ID && samePoint(a.A, b.A) && samePoint(a.B, b.B) && sameNumber(a.Radius, b.Radius) &&
			(a.Ring == nil) == (b.Ring == nil) && slices.EqualFunc(a.Ring, b.Ring, samePoint)
	})
}

// keptShape is a shape as it is written; its corners stand with those of all.
type keptShape struct {
	id      uint32
	a, b    r2.Vec
	radius  float64
	corners int // -1: it has no ring
}

// keepShapes writes shapes, or reads them.
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
			a.Fail("obstacle %d has %d corners, and %d are left", i, k.corners, len(corners))
			return
		}
		if k.corners >= 0 {
			s.Ring, corners = append([]r2.Vec{}, corners[:k.corners]...), corners[k.corners:]
		}
		(*shapes)[i] = s
	}
}

// keepIndex writes the shapes of an index, or reads them and builds it.
func keepIndex(a *frame.Archive, x *space.Index, reach float64) {
	var shapes []space.Shape
	for i := range x.Len() {
		shapes = append(shapes, x.Shape(i))
	}
	if keepShapes(a, &shapes); a.Reading() && a.Err() == nil {
		x.Build(shapes, reach, 0)
	}
}

// Keep writes the copy of the obstacles, what is known of the ways between them, and how far a search is
// that is not over, or reads that. The search is nil if it is over.
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

// knownWays are what is known of the ways of a body.
type knownWays struct {
	radius  float64  // m
	corners []uint32 // that have been looked at
}

// know makes the graph for a body that was read.
func (r *Routes) know(a *frame.Archive, k *knownWays) {
	if !(k.radius >= 0 && k.radius <= math.MaxFloat64) || r.graphs[k.radius] != nil {
		a.Fail("ways have room for a body of %v m, want finite numbers, 0 or more, and each once", k.radius)
		return
	}
	g := &route.Graph{}
	g.Build(&r.index, k.radius)
	r.graphs[k.radius] = g
	if !g.Know(k.corners) {
		a.Fail("of %d corners for a body of %v m it knows one that is not there", g.Len(), k.radius)
	}
}

// keepSearch writes a search as what it is for and how much it has looked at, or reads that and
// searches again. What it has found out itself counts again.
func (r *Routes) keepSearch(a *frame.Archive, s *RouteSearch) {
	looks := s.Looks
	a.Keep(&s.begun, &looks)
	if !a.Reading() || a.Err() != nil {
		return
	}
	b := s.begun
	g := r.graphs[Room(b.radius)]
	if !vec.Finite(b.from) || !vec.Finite(b.to) || g == nil || b.known < 0 || b.known > len(g.Asked()) {
		a.Fail("a search is from %v to %v for a body of %v m, which cannot be", b.from, b.to, b.radius)
		return
	}
	g.Know(slices.Clone(g.Asked()[:b.known]))
	r.Begin(s, b.from, b.to, b.radius)
	s.Go(looks)
}
