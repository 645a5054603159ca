package movingai

import (
	"math"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
)

// Grid presents a map as a graph, for comparisons with the searches of gonum. Steps lead to the passable
// cells among the eight around a cell, except past the corner of a blocked cell.
type Grid struct{ m *Map }

func NewGrid(m *Map) *Grid { return &Grid{m} }

func (g *Grid) ID(cell [2]int) int64 { return int64(cell[1]*g.m.Width + cell[0]) }

// Length returns the length, in cells, of the shortest path on the grid, found by gonum's A*, or +Inf if
// there is none.
func (g *Grid) Length(from, to [2]int) float64 {
	found, _ := path.AStar(simple.Node(g.ID(from)), simple.Node(g.ID(to)), g, g.octile)
	return found.WeightTo(g.ID(to))
}

func (g *Grid) octile(a, b graph.Node) float64 {
	w := int64(g.m.Width)
	dx, dy := a.ID()%w-b.ID()%w, a.ID()/w-b.ID()/w
	x, y := math.Abs(float64(dx)), math.Abs(float64(dy))
	return max(x, y) + float64((math.Sqrt2-1)*min(x, y))
}

func (g *Grid) Node(id int64) graph.Node { return simple.Node(id) }

// From returns the nodes that are one step from a node.
func (g *Grid) From(id int64) graph.Nodes {
	x, y := int(id)%g.m.Width, int(id)/g.m.Width
	n := &neighbors{at: -1}
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if (dx != 0 || dy != 0) && g.m.Passable(x+dx, y+dy) && g.m.Passable(x+dx, y) && g.m.Passable(x, y+dy) {
				n.all[n.count] = simple.Node(int64((y+dy)*g.m.Width + x + dx))
				n.count++
			}
		}
	}
	return n
}

func (g *Grid) Edge(u, v int64) graph.Edge { return simple.Edge{F: simple.Node(u), T: simple.Node(v)} }

// Weight returns the length of a step, in cells, and true.
func (g *Grid) Weight(u, v int64) (float64, bool) {
	w := int64(g.m.Width)
	switch {
	case u == v:
		return 0, true
	case u/w == v/w || u%w == v%w:
		return 1, true
	}
	return math.Sqrt2, true
}

type neighbors struct {
	all       [8]graph.Node
	count, at int
}

func (n *neighbors) Next() bool       { n.at++; return n.at < n.count }
func (n *neighbors) Node() graph.Node { return n.all[n.at] }
func (n *neighbors) Len() int         { return n.count - n.at - 1 }
func (n *neighbors) Reset()           { n.at = -1 }
