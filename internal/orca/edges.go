package orca

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Edge is a wall, or an edge of an outline that is solid on one side. Wall and Ring make edges.
type Edge struct {
	A, B   r2.Vec  // m; the free side of an outline is to the right of the direction from A to B
	Radius float64 // m, half the thickness

	along         r2.Vec   // unit vector from A to B
	before, after r2.Vec   // unit normals, to the free side, of the edge that ends at A and of the one that starts at B; zero: none
	outline       *outline // nil for a wall; edges of an outline are visible only from the right
}

// Wall returns a wall from a to b, or a disc if both are the same point. radius is half its thickness, in m.
func Wall(a, b r2.Vec, radius float64) Edge {
	e := Edge{A: a, B: b, Radius: radius, along: vec.Unit(vec.Sub(b, a))}
	if a == b {
		e.along = r2.Vec{X: 1}
	}
	return e
}

// Ring appends the edges of a solid polygon, whose corners may be in either winding order. radius is half the
// thickness of the edges, in m. Consecutive equal corners count as one, and a polygon without area becomes
// walls. An agent inside a convex polygon does not see the edges, and can walk out.
func Ring(edges []Edge, corners []r2.Vec, radius float64) []Edge {
	first, area := len(edges), 0.
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		area += vec.Cross(vec.Sub(a, corners[0]), vec.Sub(b, corners[0]))
		if a != b {
			edges = append(edges, Wall(a, b, radius))
		}
	}
	ring := edges[first:]
	if !(area > 0) && !(area < 0) {
		return edges
	}
	if area < 0 {
		for i := range ring {
			e := &ring[i]
			e.A, e.B, e.along = e.B, e.A, vec.Scale(-1, e.along)
		}
		slices.Reverse(ring)
	}
	of := new(outline)
	for i := range ring {
		e, next := &ring[i], &ring[(i+1)%len(ring)]
		e.outline = of
		e.after, next.before = vec.Right(next.along), vec.Right(e.along)
	}
	return edges
}

// outline identifies an outline by its address. It contains a byte, so that no two share an address.
type outline struct{ _ byte }

// view is an edge relative to an agent on its right side. The agent has a on its left and b on its right.
type view struct {
	a, b          r2.Vec  // m, relative to the agent
	along, normal r2.Vec  // unit vectors, from a to b and to the agent's side
	before, after r2.Vec  // as in Edge
	away          float64 // m, distance from the agent to the line of the edge
	reach         float64 // m, distance at which the agent touches the edge
	distance      float64 // m, from the agent to the edge
	foot          r2.Vec  // m, the nearest point of the edge, relative to the agent
}

// see sets w to the edge as seen by an agent with the given position and radius. It reports whether the agent
// sees the edge, and touches it or is less than reach meters away from touching it. If not, w is invalid.
func (w *view) see(e *Edge, at r2.Vec, radius, reach float64) bool {
	w.a, w.b, w.along, w.normal = vec.Sub(e.A, at), vec.Sub(e.B, at), e.along, vec.Right(e.along)
	w.reach = max(radius+e.Radius, 0)
	if e.A == e.B {
		if w.foot, w.distance = w.a, vec.Norm(w.a); w.distance <= w.reach {
			return true
		}
	}
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
	w.before, w.after = e.before, e.after
	return w.distance <= w.reach || w.distance-w.reach < reach
}

// Foot is the point of an obstacle nearest to an agent.
type Foot struct {
	Away     r2.Vec  // unit vector to the agent; zero: the agent is on the obstacle's centerline
	Distance float64 // m, from the agent to the surface; negative: inside
}

// AppendFeet appends, for each obstacle, its point nearest to p. The edges of an obstacle must be
// consecutive. AppendFeet leaves out an edge of an outline if its solid side faces p.
func AppendFeet(feet []Foot, p r2.Vec, walls []*Edge) []Foot {
	var last *Edge // of the last foot
	for _, e := range walls {
		if e.outline != nil && vec.Cross(e.along, vec.Sub(p, e.A)) > 0 {
			continue
		}
		from := e.from(p)
		length := vec.Norm(from)
		f := Foot{vec.Unit(from), length - e.Radius}
		switch {
		case last == nil || !last.neighbors(e):
			feet, last = append(feet, f), e
		case f.Distance < feet[len(feet)-1].Distance:
			feet[len(feet)-1] = f
		}
	}
	return feet
}

func (e *Edge) neighbors(o *Edge) bool { return e.outline != nil && e.outline == o.outline }

func (e *Edge) from(p r2.Vec) r2.Vec {
	to := vec.Sub(p, e.A)
	along := min(max(vec.Dot(to, e.along), 0), vec.Dot(vec.Sub(e.B, e.A), e.along))
	return vec.AddScaled(to, -along, e.along)
}

// Sightlines finds the bodies that walls hide from an agent.
type Sightlines struct {
	at     r2.Vec
	radius float64
	far    float64 // m, walls farther away do not count
	clear  float64 // m², squared distance to the nearest wall
	walls  []*Edge
}

// Look sets the agent's position and radius, and the walls, which must not change until the next call. Walls
// more than far meters away do not count.
func (s *Sightlines) Look(at r2.Vec, radius, far float64, walls []*Edge) {
	*s = Sightlines{at: at, radius: radius, far: far, clear: math.Inf(1), walls: walls}
	for _, w := range walls {
		s.clear = min(s.clear, vec.Norm2(w.from(at)))
	}
}

// Hides reports whether walls cross all three lines to another body: between the centers, between the left
// sides, and between the right sides. Walls have no thickness here, so a disc hides nothing.
func (s *Sightlines) Hides(other r2.Vec, radius float64) bool {
	to := vec.Sub(other, s.at)
	if vec.Norm2(to) < s.clear || !s.between(s.at, other) {
		return false
	}
	left := vec.Unit(vec.Left(to))
	return s.between(vec.AddScaled(s.at, s.radius, left), vec.AddScaled(other, radius, left)) &&
		s.between(vec.AddScaled(s.at, -s.radius, left), vec.AddScaled(other, -radius, left))
}

func (s *Sightlines) between(from, to r2.Vec) bool {
	for _, w := range s.walls {
		a, b := vec.Sub(from, w.A), vec.Sub(to, w.A)
		here, there := vec.Cross(w.along, a), vec.Cross(w.along, b)
		if (here > 0) == (there > 0) {
			continue
		}
		way := vec.Sub(b, a)
		if (vec.Cross(way, a) > 0) == (vec.Cross(way, vec.Sub(from, w.B)) > 0) {
			continue // the line passes beyond an end
		}
		if float64(vec.Norm(way)*math.Abs(here)) <= float64(s.far*math.Abs(there-here)) {
			return true
		}
	}
	return false
}
