// Package route finds the shortest ways of a disc among obstacles: straight from corner to
// corner of these. Whether a way is free is asked of the index that everybody looks into, so a
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
	index   *space.Index
	body    float64 // m, radius of the disc
	gap     float64 // m, by which it stays away from obstacles
	corners []corner
	links   [][]link // of each corner, to those that it sees; nil: nobody has asked
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
	g.corners = g.corners[:0]
	for i := range index.Len() {
		s := index.Shape(i)
		if !s.Valid() {
			continue
		}
		from := len(g.corners)
		g.corners = outline(g.corners, &s, g.body+g.gap, g.body == 0)
		open := g.corners[:from]
		for _, c := range g.corners[from:] {
			if g.fits(c.at) {
				open = append(open, c)
			}
		}
		g.corners = open
	}
	g.links = make([][]link, len(g.corners))
}

// Len returns the number of corners.
func (g *Graph) Len() int { return len(g.corners) }

// width is the radius of the disc that is swept along ways: between that which must fit and
// that for which corners are laid out, so that rounding does not close ways along walls.
func (g *Graph) width() float64 { return g.body + g.gap/2 }

// fits tells whether the disc may be at a place.
func (g *Graph) fits(p r2.Vec) bool {
	hit, ok := g.index.Nearest(p, g.width())
	return !ok || !(hit.Distance < g.width())
}

// widthAt returns that of a disc which may be nearer to obstacles than it should: where a
// search begins or ends.
func (g *Graph) widthAt(p r2.Vec) float64 {
	if hit, ok := g.index.Nearest(p, g.width()); ok {
		return min(max(hit.Distance-g.gap/2, 0), g.width())
	}
	return g.width()
}

// free tells whether a disc gets straight from one place to another.
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
	looks = len(g.links[i])
	if g.links[i] == nil {
		looks = len(g.corners)
		own, all := &g.corners[i], []link{}
		for k := range g.corners {
			other := &g.corners[k]
			way := vec.Sub(other.at, own.at)
			if k != i && own.touches(way) && other.touches(way) && g.free(own.at, other.at, g.width()) {
				all = append(all, link{uint32(k), vec.Norm(way)})
			}
		}
		g.links[i] = all
	}
	return g.links[i], looks
}
