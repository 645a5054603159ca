package sense

import (
	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

// Occupancy tells how full the index of the obstacles is: what there is to
// look through, and how much of it one look-up reads.
type Occupancy = space.Occupancy

// Occupancy returns how full the index is. It takes as long as building it: it
// is for reports, not for every step.
func (o *Obstacles) Occupancy() Occupancy { return o.index.Occupancy() }

// Cells calls visit for every cell of the index that overlaps a box in meters
// and lists obstacles, with the number of obstacles that it lists, until visit
// returns false. A cell lists what a look-up from within it has to know: all that
// is within its reach, which is about as far as it is wide, so that there are
// cells around an obstacle that do not touch it. Obstacles of very different sizes
// are in grids of their own, and cells of different grids overlap.
//
// Cells come grid by grid, the finest first, and row by row from the lowest. A
// cell holds its left and lower sides but not the others; beyond some 2^30 cells
// from the origin, the outermost ones are infinite. It is for drawing: it takes as
// long as looking at all cells that overlap the box, or at all that list
// obstacles, whichever are fewer, and it allocates.
func (o *Obstacles) Cells(within r2.Box, visit func(cell r2.Box, obstacles int) bool) {
	o.index.Cells(within, visit)
}
