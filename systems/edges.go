package systems

import (
	"cmp"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/space"
)

// edges are the obstacles as walls: circles, walls, and each edge of a polygon by
// itself. They are made when somebody asks for them, and again when obstacles have
// changed.
type edges struct {
	index  space.Index
	walls  []orca.Edge
	shapes []space.Shape // of the walls
	first  []int         // of each obstacle, its first wall
	order  []int         // of obstacles, by entity id
	reach  float64       // m, how far looks are expected to go
	fresh  bool
}

// prepare brings the edges up to date, for looks that go so far.
func (x *edges) prepare(o *Obstacles, reach float64) {
	if x.fresh && reach <= x.reach {
		return
	}
	x.fresh, x.reach = true, max(reach, x.reach)
	x.first, x.order = resized(x.first, len(o.shapes)), resized(x.order, len(o.shapes))
	for i := range x.order {
		x.order[i] = i
	}
	slices.SortFunc(x.order, func(i, j int) int { return cmp.Compare(o.shapes[i].ID, o.shapes[j].ID) })
	x.walls, x.shapes = x.walls[:0], x.shapes[:0]
	for _, i := range x.order {
		s := &o.shapes[i]
		x.first[i] = len(x.walls)
		switch {
		case !s.Valid():
		case s.Ring == nil:
			x.walls = append(x.walls, orca.Wall(s.A, s.B, s.Radius))
		default:
			x.walls = orca.Ring(x.walls, s.Ring, s.Radius)
		}
	}
	for i := range x.walls {
		x.shapes = append(x.shapes, x.shape(i))
	}
	x.index.Build(x.shapes, x.reach, o.stride)
}

// shape returns what the index knows of a wall.
func (x *edges) shape(i int) space.Shape {
	w := &x.walls[i]
	return space.Shape{ID: uint32(i), A: w.A, B: w.B, Radius: w.Radius}
}

// move takes note of a circle or a wall that has moved.
func (x *edges) move(obstacle int, to *space.Shape) {
	if !x.fresh {
		return
	}
	if x.fresh = to.Valid() && x.first[obstacle] < len(x.walls); x.fresh {
		i := x.first[obstacle]
		x.walls[i] = orca.Wall(to.A, to.B, to.Radius)
		s := x.shape(i)
		x.fresh = x.index.Move(i, &s)
	}
}

// near returns the walls that an agent may run into, in the memory of a mind.
func (x *edges) near(a *orca.Agent, dt float64, m *mind) []orca.Edge {
	walls := m.walls[:0]
	if len(x.walls) == 0 {
		return walls
	}
	reach := a.Radius + float64(a.MaxSpeed*max(a.ObstacleHorizon, dt))
	if !(reach >= 0) {
		return walls
	}
	reach = min(float64(reach*(1+0x1p-20)), math.MaxFloat64) // it decides itself who is within reach
	m.far = max(m.far, reach)
	x.index.Within(a.Position, reach, func(i int, _ float64) bool {
		walls = append(walls, x.walls[i])
		return true
	})
	return walls
}
