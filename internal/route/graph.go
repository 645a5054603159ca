// Package route finds the shortest ways of a disc among obstacles: straight from corner to
// corner of these. Whether a way is free is asked of the index that all share, so a
// gap is closed to a disc that does not fit, whatever it is between.
package route

import (
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Graph are the corners of obstacles, and which of them see one another. The zero value has no
// obstacles.
type Graph struct {
	Bounds r2.Box // m, that the middle of the disc does not leave; zero: none. Set it before Build

	index   *space.Index
	body    float64 // m, radius of the disc
	gap     float64 // m, by which it stays away from obstacles
	aside   float64 // m from obstacles, within which a place may be nearer than their corners are
	corners []corner
	links   [][]link // of each corner, to those that it sees; nil: not asked for
	asked   []uint32 // corners whose ways have been asked for, the first one first
	spared  []bool   // of each corner without links, whether it was asked for in another graph; nil: none was
	cells   cells    // where corners are

	around around // memory for looks around
	found  []link // and what they find
}

// link is a straight way to another corner.
type link struct {
	to     uint32
	length float64 // m
}

// Build takes the corners of the obstacles of an index for a disc with this radius, in m. The
// index must stay as it is.
func (g *Graph) Build(index *space.Index, body float64) {
	g.index, g.body, g.gap = index, body, max(1e-3*body, 1e-6)
	g.corners, g.aside = g.corners[:0], 0
	for i := range index.Len() {
		s := index.Shape(i)
		if !s.Valid() {
			continue
		}
		g.aside = max(g.aside, g.body+float64(3*g.gap)+float64((g.body+s.Radius)*beyondArc))
		from := len(g.corners)
		g.corners = outline(g.corners, &s, g.body+g.gap, g.body == 0)
		open := g.corners[:from]
		for _, c := range g.corners[from:] {
			if g.inside(c.at) && g.fits(c.at) && !(g.body == 0 && g.flush(&c)) {
				open = append(open, c)
			}
		}
		g.corners = open
	}
	g.cells.sort(g.corners)
	g.links, g.asked, g.spared = make([][]link, len(g.corners)), g.asked[:0], nil
}

// Asked returns the corners whose ways have been asked for, by number, the first one first.
func (g *Graph) Asked() []uint32 { return g.asked }

// Know lets looks at corners count nothing, as if the ways from them were known, and tells
// whether there are these corners. It is for a new graph that is to go on as another one of the
// same obstacles did.
func (g *Graph) Know(asked []uint32) bool {
	g.asked, g.spared = append(g.asked[:0], asked...), make([]bool, len(g.corners))
	for _, i := range asked {
		if int(i) >= len(g.spared) {
			return false
		}
		g.spared[i] = true
	}
	return true
}

// Len returns the number of corners.
func (g *Graph) Len() int { return len(g.corners) }

// width is the radius of the disc that is swept along ways: between that which must fit and
// that for which corners are laid out, so that rounding does not close ways along walls.
func (g *Graph) width() float64 { return g.body + float64(g.gap/2) }

// inside reports whether a place is within the bounds. These are convex: a way between corners that
// are inside does not leave them, and a shortest way does not turn at their edge.
func (g *Graph) inside(p r2.Vec) bool {
	return g.Bounds == (r2.Box{}) || vec.Clamp(p, g.Bounds) == p
}

// fits reports whether the disc may be at a place.
func (g *Graph) fits(p r2.Vec) bool {
	hit, ok := g.index.Nearest(p, g.width())
	return !ok || !(hit.Distance < g.width())
}

// flush reports whether nothing turns at a corner, because another obstacle goes on where this one
// ends: one that is hit by all ways which turn there.
func (g *Graph) flush(c *corner) bool {
	return g.blocked(c, c.before, c.after) || g.blocked(c, c.after, c.before)
}

// blocked reports whether all ways are blocked that come to a corner along one side of its obstacle
// and turn to the other: the slightest turn and the sharpest by the same convex obstacle, and so
// all between.
func (g *Graph) blocked(c *corner, come, on r2.Vec) bool {
	const slightest = 1e-4
	straight := vec.Unit(vec.AddScaled(vec.Scale(-1, come), slightest, on))
	first, ok := g.index.Sweep(c.at, straight, 4*g.gap/slightest, g.width())
	if !ok {
		return false
	}
	last, ok := g.index.Sweep(c.at, on, 4*g.gap/slightest, g.width())
	shape := g.index.Shape(first.Index)
	return ok && first.Index == last.Index && convex(shape.Ring)
}

// widthAt returns that of a disc which may be nearer to obstacles than it should: where a
// search begins or ends.
func (g *Graph) widthAt(p r2.Vec) float64 {
	if hit, ok := g.index.Nearest(p, g.width()); ok {
		return min(max(hit.Distance-float64(g.gap/2), 0), g.width())
	}
	return g.width()
}

// pressed reports whether a place may be nearer to an obstacle than the corners are: then ways
// from there to a corner need not touch the obstacle.
func (g *Graph) pressed(p r2.Vec) bool {
	_, ok := g.index.Nearest(p, g.aside)
	return ok
}

// free reports whether a disc gets straight from one place to another.
func (g *Graph) free(from, to r2.Vec, width float64) bool {
	way := vec.Sub(to, from)
	length := vec.Norm(way)
	if length == 0 {
		return true
	}
	_, hit := g.index.Sweep(from, vec.Scale(1/length, way), length, width)
	return !hit
}

// linksOf returns the ways from a corner that may be part of a shortest way, and how many
// corners it looked at for that.
func (g *Graph) linksOf(i int) (links []link, looks int) {
	if g.links[i] == nil {
		own, around := &g.corners[i], &g.around
		around.begin(g, own.at, own)
		g.found = g.found[:0]
		for around.more() {
			looks += around.next(g, func(k uint32, way r2.Vec, length float64) {
				if int(k) == i || !g.corners[k].touches(way, length) || !own.touches(way, length) || !g.sees(&around.sight, way, length, g.width()) {
					return
				}
				g.found = append(g.found, link{k, length})
				around.addEdges(&g.corners[k])
			})
		}
		g.links[i] = append(make([]link, 0, len(g.found)), g.found...)
		if g.spared != nil && g.spared[i] {
			return g.links[i], 0
		}
		g.asked = append(g.asked, uint32(i))
	}
	return g.links[i], looks
}

// sees reports whether a disc gets straight from where the agent looks to another place. If not, the
// wall before it is known from then on.
func (g *Graph) sees(s *sight, way r2.Vec, length, width float64) bool {
	if length == 0 {
		return true
	}
	if s.hides(way, length) {
		return false
	}
	hit, ok := g.index.Sweep(s.at, vec.Scale(1/length, way), length, width)
	if ok {
		shape := g.index.Shape(hit.Index)
		s.hit(&shape, hit.Contact)
	}
	return !ok
}
