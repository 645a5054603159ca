package orca

import (
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Edge is a wall, or an edge of an outline that is solid on one side, prepared
// by Wall, Ring or Room.
type Edge struct {
	A, B   r2.Vec  // m, its ends; an outline has its free side to the right of the way from A to B
	Radius float64 // m, how thick it is to each side, with round ends

	along         r2.Vec   // unit vector from A to B
	before, after r2.Vec   // unit normals, to the free side, of the edges that end in A and start in B; zero: none
	outline       *outline // of which it is a part, seen from the right only; nil: it is a wall
}

// Wall returns a wall from a to b, which is a disc if they are the same point.
func Wall(a, b r2.Vec, radius float64) Edge {
	e := Edge{A: a, B: b, Radius: radius, along: vec.Unit(vec.Sub(b, a))}
	if a == b {
		e.along = r2.Vec{X: 1}
	}
	return e
}

// Ring appends the edges of a polygon whose inside is solid. Either winding
// will do; corners that are the same as the one before are left out. A polygon
// without an inside becomes walls. An agent in the inside does not see it, and
// walks out freely.
func Ring(edges []Edge, corners []r2.Vec, radius float64) []Edge {
	return appendOutline(edges, corners, radius, 1)
}

// Room appends the edges of a polygon whose outside is solid.
func Room(edges []Edge, corners []r2.Vec, radius float64) []Edge {
	return appendOutline(edges, corners, radius, -1)
}

// outline stands for the outline that edges have in common.
type outline struct{ _ byte }

// appendOutline appends the edges of a polygon so that the solid side is the inside
// if sign is 1, and the outside if it is -1.
func appendOutline(edges []Edge, corners []r2.Vec, radius, sign float64) []Edge {
	first, area := len(edges), 0.
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		area += vec.Cross(vec.Sub(a, corners[0]), vec.Sub(b, corners[0]))
		if a != b {
			edges = append(edges, Wall(a, b, radius))
		}
	}
	ring := edges[first:]
	if !(area*sign > 0) && !(area*sign < 0) {
		return edges
	}
	if area*sign < 0 {
		for i := range ring {
			e := &ring[i]
			e.A, e.B, e.along = e.B, e.A, vec.Scale(-1, e.along)
		}
		for i, j := 0, len(ring)-1; i < j; i, j = i+1, j-1 {
			ring[i], ring[j] = ring[j], ring[i]
		}
	}
	of := new(outline)
	for i := range ring {
		e, next := &ring[i], &ring[(i+1)%len(ring)]
		e.outline = of
		e.after, next.before = vec.Right(next.along), vec.Right(e.along)
	}
	return edges
}

// view is an edge as an agent sees it that stands to its right, with a to the
// left and b to the right.
type view struct {
	a, b          r2.Vec  // m, the ends, from the agent
	along, normal r2.Vec  // unit vectors, from a to b and to the agent's side
	before, after r2.Vec  // normals of the neighbors on that side
	away          float64 // m, of the agent from the line of the edge, zero or more
	reach         float64 // m, within which bodies touch
	distance      float64 // m, of the agent from the edge
	foot          r2.Vec  // the point of the edge nearest to the agent, from the agent
}

// see sets w to the edge as an agent sees it. It reports whether the agent sees it within reach of its
// surface, in meters.
func (w *view) see(e *Edge, a *Agent, reach float64) bool {
	w.a, w.b, w.along, w.normal = vec.Sub(e.A, a.Position), vec.Sub(e.B, a.Position), e.along, vec.Right(e.along)
	if w.away = -vec.Dot(w.normal, w.a); w.away < 0 {
		if e.outline != nil {
			return false
		}
		w.a, w.b, w.away = w.b, w.a, -w.away
		w.along, w.normal = vec.Scale(-1, w.along), vec.Scale(-1, w.normal)
	}
	switch {
	case vec.Dot(w.along, w.a) >= 0:
		w.foot, w.distance = w.a, vec.Norm(w.a)
	case vec.Dot(w.along, w.b) <= 0:
		w.foot, w.distance = w.b, vec.Norm(w.b)
	default:
		w.foot, w.distance = vec.Scale(-w.away, w.normal), w.away
	}
	w.before, w.after, w.reach = e.before, e.after, max(a.Radius+e.Radius, 0)
	return w.distance <= w.reach || w.distance-w.reach < reach
}
