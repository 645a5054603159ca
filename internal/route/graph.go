// Package route finds shortest paths for a disc among obstacles: straight lines from corner to corner. The
// index of obstacles decides whether a line is free, so gaps that are too narrow for the disc are closed.
package route

import (
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Graph holds the corners of obstacles, and which corners see one another. The zero value has no obstacles.
type Graph struct {
	Bounds r2.Box // m, of the disc's center; the zero Box means no bounds; must be set before Build

	index   *space.Index
	body    float64 // m, radius of the disc
	gap     float64 // m, distance that the disc keeps from obstacles
	aside   float64 // m, distance from an obstacle within which a point may be nearer to it than its corners are
	corners []corner
	links   [][]link // links to the corners that each corner sees, or nil before its expansion
	asked   []uint32 // expanded corners, in the order of expansion
	spared  []bool   // per corner, whether its expansion costs nothing; nil without Know
	cells   cells

	around around // scratch
	found  []link // scratch of linksOf
}

type link struct {
	to     uint32
	length float64 // m
}

// Build computes the corners of the obstacles in an index for a disc with the given radius, in m. The index
// must not change afterward.
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

// Asked returns the corners whose links searches have asked for, in the order of expansion. The list is valid
// until the next Build or Know.
func (g *Graph) Asked() []uint32 { return g.asked }

// Know makes the expansion of some corners cost nothing, and reports whether all these corners exist. It is
// for a new graph of the same obstacles that continues where an earlier graph stopped.
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

// width is the radius of the disc that is swept along paths. It is less than the distance of corners from
// obstacles, so rounding errors do not block paths along walls.
func (g *Graph) width() float64 { return g.body + float64(g.gap/2) }

// inside reports whether a point is within the bounds. The bounds are convex, so shortest paths between
// corners inside them neither leave them nor turn at their edge.
func (g *Graph) inside(p r2.Vec) bool {
	return g.Bounds == (r2.Box{}) || vec.Clamp(p, g.Bounds) == p
}

func (g *Graph) fits(p r2.Vec) bool {
	hit, ok := g.index.Nearest(p, g.width())
	return !ok || !(hit.Distance < g.width())
}

// flush reports whether no path turns at a corner, because an adjacent obstacle blocks all paths that turn
// there.
func (g *Graph) flush(c *corner) bool {
	return g.blocked(c, c.before, c.after) || g.blocked(c, c.after, c.before)
}

// blocked reports whether one convex obstacle blocks both the slightest and the sharpest turn at a corner,
// and so all turns between them.
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

// widthAt returns the radius to sweep from a point that may be too near to obstacles, such as the start or
// the end of a search.
func (g *Graph) widthAt(p r2.Vec) float64 {
	if hit, ok := g.index.Nearest(p, g.width()); ok {
		return min(max(hit.Distance-float64(g.gap/2), 0), g.width())
	}
	return g.width()
}

// pressed reports whether a point may be nearer to an obstacle than the obstacle's corners are. Paths from
// such a point to a corner need not touch the obstacle.
func (g *Graph) pressed(p r2.Vec) bool {
	_, ok := g.index.Nearest(p, g.aside)
	return ok
}

func (g *Graph) free(from, to r2.Vec, width float64) bool {
	way := vec.Sub(to, from)
	length := vec.Norm(way)
	if length == 0 {
		return true
	}
	_, hit := g.index.Sweep(from, vec.Scale(1/length, way), length, width)
	return !hit
}

// linksOf returns those links of a corner that may be part of a shortest path, and the number of corners
// tested to find them: 0 if the links are known, or count as known after Know.
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
		g.links[i] = append(make([]link, 0, len(g.found)), g.found...) // not nil, even if empty
		if g.spared != nil && g.spared[i] {
			return g.links[i], 0
		}
		g.asked = append(g.asked, uint32(i))
	}
	return g.links[i], looks
}

// sees reports whether a disc whose radius is width can move straight from the viewpoint of s to the point at
// offset way, which is length away. If not, and if s contains no wall between the two yet, sees adds one to
// s.
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
