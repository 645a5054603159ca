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

// edges holds one wall for each circle, wall and polygon edge. The walls are built on demand, and rebuilt
// when obstacles change.
type edges struct {
	index     space.Index
	walls     []orca.Edge
	shapes    []space.Shape
	first     []int   // first wall of each obstacle
	order     []int   // obstacles by entity ID
	obstacles []int   // of each wall
	reach     float64 // m, expected range of queries
	fresh     bool
	hide      bool // some obstacles are not circles
}

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

func (x *edges) shape(i int) space.Shape {
	w := &x.walls[i]
	return space.Shape{ID: uint32(i), A: w.A, B: w.B, Radius: w.Radius}
}

// move updates a moved circle. After any other move, prepare rebuilds all walls.
func (x *edges) move(obstacle int, to *space.Shape) {
	if !x.fresh {
		return
	}
	i := x.first[obstacle]
	if x.fresh = to.Valid() && to.A == to.B && i < len(x.walls) && x.walls[i].A == x.walls[i].B; x.fresh {
		x.walls[i] = orca.Wall(to.A, to.B, to.Radius)
		s := x.shape(i)
		x.fresh = x.index.Move(i, &s)
	}
}

// PrepareWalls updates the walls for queries up to reach meters. Call it before Walls in each step.
func (o *Obstacles) PrepareWalls(reach float64) { o.edges.prepare(o, reach) }

// Hide reports whether any obstacle can hide agents, as all but circles can. Call it after PrepareWalls.
func (o *Obstacles) Hide() bool { return o.edges.hide }

// Wall is a wall, a circle or an edge of a polygon. A and B are its ends, which are equal for a circle, and
// Radius is half its thickness, all in m.
type Wall = orca.Edge

// Walls appends the walls within reach meters of a point, and possibly some slightly farther away, to a list.
// It returns the list and the searched range, in m, which is 0 if there are no walls or reach is negative.
func (o *Obstacles) Walls(at r2.Vec, reach float64, walls []*Wall) ([]*Wall, float64) {
	x := &o.edges
	if len(x.walls) == 0 || !(reach >= 0) {
		return walls, 0
	}
	reach = min(float64(reach*(1+0x1p-20)), math.MaxFloat64) // the caller tests exactly
	x.index.About(at, reach, func(i int) { walls = append(walls, &x.walls[i]) })
	return walls, reach
}

// defaultCellWidth is the cell width, in meters, if no agent searches.
const defaultCellWidth = 2

// reaches counts agents by the kind and reach of their searches.
type reaches struct {
	all     tally // search for all neighbors
	nearest tally // search for the nearest few
	bodies  tally // search for the bodies that they touch
}

func (r *reaches) of(few bool) *tally {
	if few {
		return &r.nearest
	}
	return &r.all
}

func (r *reaches) some() bool { return r.all.n > 0 || r.nearest.n > 0 || r.bodies.n > 0 }

func (r *reaches) farthest() float64 {
	return max(slices.Max(r.all.widest[:]), slices.Max(r.nearest.widest[:]), slices.Max(r.bodies.widest[:]))
}

// wideBodies is the largest cell width, in body widths, if agents search only for touching bodies. In cells as
// narrow as bodies, most agents would be alone.
const wideBodies = 8

// cells returns the minimum and maximum useful cell width, in meters. Searches for all neighbors, and
// for touching bodies, need cells as wide as their reach. Searches for the nearest few allow narrower cells
// where agents are dense.
func (r *reaches) cells() (narrowest, widest float64) {
	const more = 1 + 0x1p-15 // exceeds the margin of the index
	if !r.some() {
		return defaultCellWidth, defaultCellWidth
	}
	narrowest, widest = max(r.all.usual(), r.bodies.usual()), r.nearest.usual()
	if r.all.n == 0 && r.nearest.n == 0 {
		widest = wideBodies * narrowest
	}
	return narrowest * more, max(narrowest, widest) * more
}

// tally counts agents by the octave of their reach.
type tally struct {
	agents [octaves]int
	widest [octaves]float64 // m
	n      int
}

// octaves is the number of octaves in a tally, centered on 1 m.
const octaves = 128

func (t *tally) add(reach float64, agents int) {
	if reach > 0 && agents > 0 {
		const first = 1023 - octaves/2 // exponent
		k := min(max(int(math.Float64bits(reach)>>52)-first, 0), octaves-1)
		t.agents[k] += agents
		t.widest[k] = max(t.widest[k], reach)
		t.n += agents
	}
}

// usual returns the largest reach in the median octave, or 0 if no agent searches.
func (t *tally) usual() float64 {
	if t.n == 0 {
		return 0
	}
	k, below := 0, t.agents[0]
	for below < (t.n+1)/2 {
		k++
		below += t.agents[k]
	}
	return t.widest[k]
}
