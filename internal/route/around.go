package route

import (
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// around is a look around, square by square. Corners that are near come first, so that their
// edges hide those behind them.
type around struct {
	sight
	column, row    int // of the square in the middle
	away, farthest int // squares: the ring that is next, and the last
	size           float64
}

// begin looks from a place. Own is the corner that is there, nil for none.
func (a *around) begin(g *Graph, from r2.Vec, own *corner) {
	a.sight.begin(from, own, g.gap/8)
	a.column, a.row = g.cells.square(from)
	a.away, a.farthest = g.cells.reach(a.column, a.row)
	a.size = g.cells.size
}

// distance returns how far away all corners are at least that were not looked at, in m.
func (a *around) distance() float64 { return float64(float64(max(a.away-1, 0)) * a.size) }

// more reports whether some are left that may be seen.
func (a *around) more() bool { return a.away <= a.farthest && !a.over(a.distance()) }

// next calls visit for the corners of the next ring, with the way there, and returns how many
// they are.
func (a *around) next(g *Graph, visit func(k uint32, way r2.Vec, length float64)) (looks int) {
	g.cells.ring(a.column, a.row, a.away, func(first, end uint32) {
		looks += int(end - first)
		for k := first; k < end; k++ {
			way := vec.Sub(g.corners[k].at, a.at)
			visit(k, way, vec.Norm(way))
		}
	})
	a.away++
	return looks
}

// addEdges adds the edges at a corner, which hide what is behind them.
func (a *around) addEdges(c *corner) {
	a.add(c.from, c.of)
	a.add(c.of, c.to)
}
