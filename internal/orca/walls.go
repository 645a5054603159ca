package orca

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// sight is an edge within reach, and its half-plane.
type sight struct {
	view
	h       halfPlane
	miss    float64 // m/s, how far the agent's velocity lies inside the half-plane
	foreign bool    // the half-plane belongs to the neighboring edge
}

// AvoidWalls limits the velocity of agent i by the given edges, in any order. They must include all that the
// agent could reach within its horizon for obstacles. AvoidWalls appends their half-planes: hard ones, and
// also soft ones for edges that the body overlaps.
//
// The velocity obstacle of an edge is the edge, grown by the body's radius and scaled by 1/horizon, and its
// shadow as seen from the origin. The obstacle is convex and does not contain the origin. The half-plane
// touches its border at the point nearest to the agent's velocity. So the half-plane contains the origin, and
// no velocity in all half-planes leads into a wall.
//
// Where edges meet, or hide one another, half-planes of all of them would exclude too much. Therefore an edge
// gets no half-plane if that of a nearer one already keeps clear of it. Otherwise it gets, of all half-planes
// that keep clear of it, the one nearest to the agent's velocity.
func (s *Solver) AvoidWalls(i int, edges []*Edge) {
	c := &s.choices[i]
	at, velocity, radius := r2.Vec{X: s.crowd.X[c.self], Y: s.crowd.Y[c.self]}, s.velocity(c.self), s.crowd.Radius[c.self]
	horizon, limit := max(s.rules[c.rule].ObstacleHorizon, s.dt), c.limit
	perHorizon, near := 1/horizon, &s.walls
	c.first = len(s.planes)
	near.seen, near.soft, near.order = near.seen[:0], near.soft[:0], near.order[:0]
	thin := 0. // m, how deep the body overlaps an edge
	for _, e := range edges {
		w := near.next()
		switch {
		case !w.see(e, at, radius, float64(limit*horizon)):
		case w.distance <= w.reach:
			s.touch(&w.view, s.dt)
			thin = max(thin, w.reach-w.distance)
		default:
			near.seen = near.seen[:len(near.seen)+1]
		}
	}
	slack := float64(limit * rounding)
	touched := s.planes[c.first:]
	for i := range near.seen { // among overlapping edges, this leaves few or none
		if w := &near.seen[i]; !cleared(touched, w, w.reach-thin, perHorizon, slack) {
			near.order = append(near.order, i)
		}
	}
	if len(near.order) > 0 {
		near.sort(velocity, perHorizon)
	}
	for _, i := range near.order {
		w := &near.seen[i]
		if cleared(s.planes[c.first+len(touched):], w, w.reach-thin, perHorizon, slack) {
			continue
		}
		best, found := math.Inf(-1), -1
		for k := range near.seen {
			o := &near.seen[k]
			if !o.foreign && o.miss > best && (k == i || o.h.clears(&w.view, w.reach, perHorizon, slack)) {
				best, found = o.miss, k
			}
		}
		if found < 0 { // the neighbor is not among the edges
			h, _ := w.border(velocity, perHorizon, true)
			s.planes = append(s.planes, h)
			continue
		}
		s.planes = append(s.planes, near.seen[found].h)
	}
	c.fixed, c.hard = len(s.planes), len(s.planes)
	s.planes = append(s.planes, near.soft...)
	c.end = len(s.planes)
}

type walls struct {
	seen  []sight     // edges within reach
	order []int       // indexes in seen of edges that none of the overlapped edges clears, nearest first
	soft  []halfPlane // of edges that the body overlaps
}

func (w *walls) reserve(n int) {
	w.seen, w.order, w.soft = make([]sight, 0, n), make([]int, 0, n), make([]halfPlane, 0, n)
}

// next returns the next free element of w.seen, beyond its length.
func (w *walls) next() *sight {
	n := len(w.seen)
	w.seen = slices.Grow(w.seen, 1)
	return &w.seen[:n+1][n]
}

func (w *walls) sort(velocity r2.Vec, perHorizon float64) {
	for i := range w.seen {
		o := &w.seen[i]
		o.h, o.foreign = o.border(velocity, perHorizon, false)
		o.miss = -o.h.violation(velocity)
	}
	for k := range w.order {
		for j := k; j > 0 && w.seen[w.order[j]].precedes(&w.seen[w.order[j-1]]); j-- {
			w.order[j], w.order[j-1] = w.order[j-1], w.order[j]
		}
	}
}

// precedes reports whether w is nearer than o, or is as near and the velocity lies deeper in its half-plane.
func (w *sight) precedes(o *sight) bool {
	return w.distance < o.distance || w.distance == o.distance && w.miss > o.miss
}

// clears reports whether no velocity in the half-plane leads a body of the given reach into the edge.
func (h *halfPlane) clears(w *view, reach, perHorizon, slack float64) bool {
	far := max(vec.Dot(h.n, w.a), vec.Dot(h.n, w.b)) + reach
	return float64(far*perHorizon) <= h.c+slack
}

func cleared(planes []halfPlane, w *sight, reach, perHorizon, slack float64) bool {
	for i := range planes {
		if planes[i].clears(&w.view, reach, perHorizon, slack) {
			return true
		}
	}
	return false
}

// touch adds the half-planes of an edge that the body overlaps: a hard one that keeps it from going deeper,
// and a soft one that brings it out within a step.
func (s *Solver) touch(w *view, dt float64) {
	n := w.normal
	if w.distance > 0 {
		n = vec.Unit(vec.Scale(-1, w.foot))
	}
	s.planes = append(s.planes, halfPlane{n, 0})
	if c := (w.reach - w.distance) / dt; dt > 0 && c > 0 {
		s.walls.soft = append(s.walls.soft, halfPlane{n, c})
	}
}

// border returns the half-plane that touches the velocity obstacle of an edge at the point nearest to v.
//
// The normals of all half-planes that touch the obstacle form an arc, from the normal of the left leg through
// that of the edge to that of the right leg. border picks the half-plane in which v lies deepest or, if v
// lies in none, the one nearest to v. At a convex corner, the part of the arc beyond the neighbor's normal
// belongs to the neighbor. foreign reports whether border picked from that part; with own, it never does.
func (w *view) border(v r2.Vec, perHorizon float64, own bool) (h halfPlane, foreign bool) {
	if w.away <= w.reach {
		return w.end(v, perHorizon, own)
	}
	wa, wb := vec.AddScaled(v, -perHorizon, w.a), vec.AddScaled(v, -perHorizon, w.b)
	left, fromLeft := bounded(tangent(w.a, w.reach, 1), w.before, w.normal, 1)
	right, fromRight := bounded(tangent(w.b, w.reach, -1), w.after, w.normal, -1)
	ea, eb := vec.Dot(w.along, wa), vec.Dot(w.along, wb)
	switch {
	case ea < 0 && fromLeft != inner && vec.Cross(left, wa) >= 0:
		return bulge(wa, w.a, w.reach, perHorizon), false
	case eb > 0 && fromRight != inner && vec.Cross(wb, right) >= 0:
		return bulge(wb, w.b, w.reach, perHorizon), false
	}
	best := math.Inf(-1)
	if own || (ea >= 0 || fromLeft == inner) && (eb <= 0 || fromRight == inner) {
		best, h = vec.Dot(w.normal, wa), halfPlane{w.normal, float64((w.reach - w.away) * perHorizon)}
	}
	if g := vec.Dot(left, wa); g > best && fromLeft != inner && !(own && fromLeft == next) {
		best, h, foreign = g, halfPlane{left, 0}, fromLeft == next
	}
	if g := vec.Dot(right, wb); g > best && fromRight != inner && !(own && fromRight == next) {
		h, foreign = halfPlane{right, 0}, fromRight == next
	}
	return h, foreign
}

// end is like border for an agent beyond an end of the edge, where the round end hides the rest.
func (w *view) end(v r2.Vec, perHorizon float64, own bool) (h halfPlane, foreign bool) {
	left, right := tangent(w.foot, w.reach, 1), tangent(w.foot, w.reach, -1)
	fromLeft, fromRight := leg, leg
	switch n := w.before; {
	case own:
	case w.foot == w.a:
		if vec.Cross(n, w.normal) >= 0 && vec.Cross(left, n) >= 0 && vec.Cross(n, right) > 0 {
			left, fromLeft = n, next
		}
	default:
		if n = w.after; vec.Cross(w.normal, n) >= 0 && vec.Cross(n, right) >= 0 && vec.Cross(left, n) > 0 {
			right, fromRight = n, next
		}
	}
	wv := vec.AddScaled(v, -perHorizon, w.foot)
	if vec.Cross(left, wv) >= 0 && vec.Cross(wv, right) >= 0 && wv != (r2.Vec{}) {
		return bulge(wv, w.foot, w.reach, perHorizon), false
	}
	if vec.Dot(left, wv) >= vec.Dot(right, wv) {
		return halfPlane{left, 0}, fromLeft == next
	}
	return halfPlane{right, 0}, fromRight == next
}

// bulge returns the half-plane that touches the round end of a velocity obstacle in the direction w from its
// center.
func bulge(w, center r2.Vec, reach, perHorizon float64) halfPlane {
	n := vec.Unit(w)
	return halfPlane{n, min(float64((vec.Dot(n, center)+reach)*perHorizon), 0)}
}

// tangent returns the normal, away from the disc, of the line through the origin that touches the disc. As
// seen from the origin, the line is on the left of the disc if side is 1, and on the right if side is -1.
func tangent(center r2.Vec, radius, side float64) r2.Vec {
	d2 := vec.Norm2(center)
	f := 1 / d2
	leg := math.Sqrt(max(d2-float64(radius*radius), 0))
	return vec.AddScaled(vec.Scale(float64(-f*radius), center), float64(side*float64(f*leg)), vec.Left(center))
}

// bound is what limits an arc of normals.
type bound int

const (
	leg   bound = iota // a leg of the velocity obstacle
	next               // the normal of the neighbor, which owns the arc beyond it
	inner              // the edge's own normal: its neighbor is in front of that end
)

// bounded returns the end of the arc of an edge's normals and what limits the arc there: on the left if side
// is 1, and on the right if it is -1. legs is the normal of the leg on that side.
func bounded(legs, neighbor, normal r2.Vec, side float64) (r2.Vec, bound) {
	switch {
	case neighbor == r2.Vec{}:
		return legs, leg
	case side*vec.Cross(neighbor, normal) < 0:
		return normal, inner
	case side*vec.Cross(legs, neighbor) >= 0:
		return neighbor, next
	}
	return legs, leg
}
