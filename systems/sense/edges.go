package sense

import (
	"cmp"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

// edges are the obstacles as walls: circles, walls, and each edge of a polygon by
// itself. They are made when somebody asks for them, and again when obstacles have
// changed.
type edges struct {
	index     space.Index
	walls     []orca.Edge
	shapes    []space.Shape // of the walls
	first     []int         // of each obstacle, its first wall
	order     []int         // of obstacles, by entity id
	obstacles []int         // of each wall
	reach     float64       // m, how far looks are expected to go
	fresh     bool
	hide      bool // some are no discs
}

// prepare brings the edges up to date, for looks that go so far.
func (x *edges) prepare(o *Obstacles, reach float64) {
	if x.fresh && reach <= x.reach {
		return
	}
	x.fresh, x.reach = true, max(reach, x.reach)
	x.first, x.order = column.Resize(x.first, len(o.shapes)), column.Resize(x.order, len(o.shapes))
	for i := range x.order {
		x.order[i] = i
	}
	slices.SortFunc(x.order, func(i, j int) int { return cmp.Compare(o.shapes[i].ID, o.shapes[j].ID) })
	x.walls, x.shapes, x.obstacles = x.walls[:0], x.shapes[:0], x.obstacles[:0]
	for _, i := range x.order {
		s := &o.shapes[i]
		first := len(x.walls)
		x.first[i] = first
		switch {
		case !s.Valid():
		case s.Ring == nil:
			x.walls = append(x.walls, orca.Wall(s.A, s.B, s.Radius))
		default:
			x.walls = orca.Ring(x.walls, s.Ring, s.Radius)
		}
		for range x.walls[first:] {
			x.obstacles = append(x.obstacles, i)
		}
	}
	x.hide = false
	for i := range x.walls {
		x.shapes = append(x.shapes, x.shape(i))
		x.hide = x.hide || x.walls[i].A != x.walls[i].B
	}
	x.index.Build(x.shapes, x.reach, o.stride)
}

// shape returns what the index knows of a wall.
func (x *edges) shape(i int) space.Shape {
	w := &x.walls[i]
	return space.Shape{ID: uint32(i), A: w.A, B: w.B, Radius: w.Radius}
}

// move takes note of a circle that has moved; for walls all are made anew.
func (x *edges) move(obstacle int, to *space.Shape) {
	if !x.fresh {
		return
	}
	i := x.first[obstacle]
	// Walls have gaps between them, discs have not.
	if x.fresh = to.Valid() && to.A == to.B && i < len(x.walls) && x.walls[i].A == x.walls[i].B; x.fresh {
		x.walls[i] = orca.Wall(to.A, to.B, to.Radius)
		s := x.shape(i)
		x.fresh = x.index.Move(i, &s)
	}
}

// PrepareWalls brings the walls up to date, for looks that go so far. Call it before
// Walls, in each step.
func (o *Obstacles) PrepareWalls(reach float64) { o.edges.prepare(o, reach) }

// Hide reports whether there are obstacles that hide others: discs do not.
func (o *Obstacles) Hide() bool { return o.edges.hide }

// Wall is an obstacle as a wall, a circle or the edge of a polygon. A and B are its ends, the
// same point for a circle, and Radius is half its thickness, all in m.
type Wall = orca.Edge

// Walls appends the walls whose boxes are within reach of a point, in m, to a list, and returns how
// far it looked.
func (o *Obstacles) Walls(at r2.Vec, reach float64, walls []*Wall) ([]*Wall, float64) {
	x := &o.edges
	if len(x.walls) == 0 || !(reach >= 0) {
		return walls, 0
	}
	reach = min(float64(reach*(1+0x1p-20)), math.MaxFloat64) // who asks decides itself what is within reach
	x.index.About(at, reach, func(i int) { walls = append(walls, &x.walls[i]) })
	return walls, reach
}
