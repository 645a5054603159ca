package sense

import (
	"fmt"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Polygons is the resource that holds the corners of all polygon obstacles, in meters, relative to the
// obstacle's Position. Either winding order is allowed. The first corner is not repeated at the end.
type Polygons [][]r2.Vec

// Obstacles is a spatial index over the entities with Obstacle and Position at the start of the step, except
// open Doors. It also holds the Portals. Obstacles with a negative radius or a number that is not finite, and
// polygons with fewer than three corners, are left out. The index is rebuilt only if an obstacle has
// appeared, changed, disappeared or moved far, or if Expect has asked for a larger reach.
//
// Put Obstacles into a frame; the systems of that frame find it there. For a system in another frame, set the
// field Obstacles of that system. A host's systems may query Obstacles in Run, from any worker. A result of
// false, or a zero Threat.Obstacle, means that nothing was found. Except in Ray and Walls, an infinite
// range finds nothing.
type Obstacles struct {
	Bounds r2.Box // m, box that paths do not leave, and in which systems.Bounds keeps agents; zero means none

	index    space.Index
	shapes   []space.Shape
	entities []ecs.Entity
	corners  []r2.Vec // corners of all rings, one ring after another
	rows     frame.Walk
	member   obstacleRows
	moved    []uint32 // shapes that have changed only by moving
	stride   float64  // m, longest move of a shape along an axis
	changed  bool     // shapes have changed in other ways
	reach    float64
	wanted   float64
	edges    edges
	table    Portals // portals of the world
	portals  Portals // table, or nil if it is invalid
	version  uint64  // number of updates in which an obstacle or a portal changed
	kept     bool    // Keep restored the snapshot: its order is arbitrary
}

// obstacleRows compares the obstacles of the world with the last snapshot.
type obstacleRows struct {
	*Obstacles
	pos  frame.In[c.Position]
	obst frame.In[c.Obstacle]
	door frame.In[c.Door]
	n    int
	used int // corners so far
	ring Polygons
}

func (s *obstacleRows) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.obst)
	n.Optional(&s.door)
}

// ObstaclesOf returns the given Obstacles or, if that is nil, the Obstacles of the system's frame. It panics
// if the frame has none, or if no initialized frame updates the given Obstacles. Call it in Attach.
func ObstaclesOf(f *frame.Frame, system any, given *Obstacles) *Obstacles {
	if given != nil {
		if given.member.Obstacles == nil && given.Len() == 0 && !slices.Contains(f.Systems(), any(given)) {
			panic(fmt.Sprintf("crowd: %s has Obstacles that no frame updates: put these Obstacles into this frame, or initialize their frame first", frame.NameOf(system)))
		}
		return given
	}
	if o, ok := frame.Find[*Obstacles](f); ok {
		return o
	}
	panic(fmt.Sprintf("crowd: %s without Obstacles: set its Obstacles field, or put Obstacles into the same frame", frame.NameOf(system)))
}

// Attach registers the walk over the obstacles. It panics if o is in another frame.
func (o *Obstacles) Attach(f *frame.Frame, w *ecs.World) {
	if o.member.Obstacles != nil {
		panic("crowd: Obstacles is in two frames at once")
	}
	o.member = obstacleRows{Obstacles: o}
	o.rows.Attach(f, w, &o.member)
	ecs.ResourceID[Polygons](w)
	ecs.ResourceID[Portals](w)
}

// Detach releases what Attach registered.
func (o *Obstacles) Detach(w *ecs.World) {
	o.rows.Detach(w)
	o.member = obstacleRows{}
}

// Sense updates the snapshot.
func (o *Obstacles) Sense(w *ecs.World) {
	m := &o.member
	m.n, m.used, m.ring = 0, 0, *frame.Resource[Polygons](w)
	o.moved = o.moved[:0]
	o.changed = false
	was := o.before()
	o.rows.Run(w)
	if m.n < len(o.shapes) {
		o.shapes, o.entities, o.changed = o.shapes[:m.n], o.entities[:m.n], true
	}
	changed := o.changed || len(o.moved) > 0
	if changed && was != nil {
		changed = !unchanged(was, o.shapes)
	}
	if o.readPortals(*frame.Resource[Portals](w)) || changed {
		o.version++
	}
	if !o.changed && o.wanted <= o.reach && o.move() {
		return
	}
	o.reach = max(o.reach, o.wanted)
	o.edges.fresh = false
	o.index.Build(o.shapes, o.reach, o.stride)
}

// before returns a copy of a snapshot that Keep restored since the last step, or nil.
func (o *Obstacles) before() (shapes []space.Shape) {
	if o.kept {
		shapes = append([]space.Shape{}, o.shapes...)
		for i := range shapes {
			shapes[i].Ring = slices.Clone(shapes[i].Ring)
		}
	}
	o.kept = false
	return shapes
}

// move updates the index, or returns false if the index must be rebuilt.
func (o *Obstacles) move() bool {
	for _, n := range o.moved {
		if !o.index.Move(int(n), &o.shapes[n]) {
			return false
		}
	}
	for _, n := range o.moved {
		o.edges.move(int(n), &o.shapes[n])
	}
	return true
}

func (s *obstacleRows) Run(b *frame.Batch) {
	pos, obst := s.pos.Of(b), s.obst.Of(b)
	if door := s.door.Of(b); door != nil {
		for i := range door {
			if !door[i].Open {
				s.compare(b.Entity(i), pos[i].Vec, &obst[i])
			}
		}
		return
	}
	var entities [64]ecs.Entity
	for first := 0; first < len(pos); first += len(entities) {
		end := min(first+len(entities), len(pos))
		b.Entities(first, entities[:end-first])
		s.compareAll(entities[:end-first], pos[first:end], obst[first:end])
	}
}

func (s *obstacleRows) compareAll(entities []ecs.Entity, pos []c.Position, obst []c.Obstacle) {
	pos, obst = pos[:len(entities)], obst[:len(entities)]
	for i, e := range entities {
		p, o := pos[i].Vec, &obst[i]
		if n := s.n; n < len(s.shapes) && n < len(s.entities) && s.entities[n] == e {
			old := &s.shapes[n]
			if old.A == p && old.B == vec.Add(p, o.Span) && old.Radius == o.Radius && o.Polygon == 0 && old.Ring == nil {
				s.n++
				continue
			}
		}
		s.compare(e, p, o)
	}
}

func (s *obstacleRows) compare(e ecs.Entity, p r2.Vec, o *c.Obstacle) {
	if s.n == len(s.shapes) {
		s.shapes, s.entities = append(s.shapes, space.Shape{}), append(s.entities, ecs.Entity{})
	}
	old, n := &s.shapes[s.n], s.n
	s.n++
	shape := s.shape(p, o)
	shape.ID = e.ID()
	switch {
	case s.entities[n] == e && sameShape(old, &shape):
	case s.entities[n] == e && shape.Ring == nil && old.Ring == nil && old.Radius == shape.Radius:
		if len(s.moved) == 0 {
			s.stride = 0
		}
		s.moved = append(s.moved, uint32(n))
		s.stride = max(s.stride, distance(old.A, shape.A), distance(old.B, shape.B))
		*old = shape
	default:
		*old, s.entities[n], s.changed = shape, e, true
	}
}

// shape returns an obstacle in world coordinates, and updates the corners of a polygon.
func (s *obstacleRows) shape(p r2.Vec, o *c.Obstacle) space.Shape {
	if o.Polygon == 0 {
		return space.Shape{A: p, B: vec.Add(p, o.Span), Radius: o.Radius}
	}
	shape := space.Shape{Radius: o.Radius, Ring: []r2.Vec{}}
	if k := int(o.Polygon) - 1; k < len(s.ring) {
		first := s.used
		for _, corner := range s.ring[k] {
			at := vec.Add(p, corner)
			if s.used == len(s.corners) {
				s.corners, s.changed = append(s.corners, r2.Vec{}), true
			}
			if !samePoint(s.corners[s.used], at) {
				s.corners[s.used], s.changed = at, true
			}
			s.used++
		}
		shape.Ring = s.corners[first:s.used:s.used]
	}
	return shape
}

// sameShape does not compare corners: the method shape does.
func sameShape(a, b *space.Shape) bool {
	return a.ID == b.ID && samePoint(a.A, b.A) && samePoint(a.B, b.B) && sameNumber(a.Radius, b.Radius) &&
		len(a.Ring) == len(b.Ring) && (len(a.Ring) == 0 || &a.Ring[0] == &b.Ring[0])
}

func distance(p, q r2.Vec) float64 { return max(math.Abs(p.X-q.X), math.Abs(p.Y-q.Y)) }

// samePoint and sameNumber treat NaN as equal to itself, because an obstacle that stays invalid has not
// changed.
func samePoint(a, b r2.Vec) bool { return sameNumber(a.X, b.X) && sameNumber(a.Y, b.Y) }

func sameNumber(a, b float64) bool { return a == b || a != a && b != b }

// Expect makes sweeps that extend at most reach meters to either side of their middle faster, from the next
// snapshot on.
func (o *Obstacles) Expect(reach float64) {
	if reach > o.wanted && reach-reach == 0 {
		o.wanted = reach
	}
}

// Len returns the number of obstacles, including skipped ones.
func (o *Obstacles) Len() int { return len(o.shapes) }

func (o *Obstacles) inside(p r2.Vec) r2.Vec { return inside(o.Bounds, p) }

// inside returns the point nearest to p within bounds, or p if bounds is zero.
func inside(bounds r2.Box, p r2.Vec) r2.Vec {
	if bounds == (r2.Box{}) {
		return p
	}
	return vec.Clamp(p, bounds)
}

// Version returns the number of updates in which an obstacle or a portal changed in any way.
func (o *Obstacles) Version() uint64 { return o.version }

// Skipped returns the number of invalid obstacles left out of the index.
func (o *Obstacles) Skipped() int { return o.index.Skipped() }

// Sweep returns the first contact of a disc that moves from p along the unit vector dir for length meters.
// Obstacles that touch the disc at p are at distance 0. Ties go to the lowest entity ID.
func (o *Obstacles) Sweep(p, dir r2.Vec, length, radius float64) (c.Threat, bool) {
	hit, ok := o.index.Sweep(p, dir, length, radius)
	if !ok {
		return c.Threat{}, false
	}
	return o.threat(&hit), true
}

// Ray returns the first obstacle on a ray from p along the unit vector dir within length meters, which may be
// infinite.
func (o *Obstacles) Ray(p, dir r2.Vec, length float64) (c.Threat, bool) {
	const farthest = 1e100 // m, beyond all obstacles
	return o.Sweep(p, dir, min(length, farthest), 0)
}

// Nearest returns the obstacle whose surface is nearest to p, if that is within limit meters. Inside an
// obstacle, the distance is negative. Ties go to the lowest entity ID.
func (o *Obstacles) Nearest(p r2.Vec, limit float64) (c.Threat, bool) {
	hit, ok := o.index.Nearest(p, limit)
	if !ok {
		return c.Threat{}, false
	}
	return o.threat(&hit), true
}

// Within calls visit for each obstacle whose surface is within radius meters of p, in order of entity
// ID, until visit returns false. Inside an obstacle, the distance is negative.
func (o *Obstacles) Within(p r2.Vec, radius float64, visit func(e ecs.Entity, distance float64) bool) {
	o.index.Within(p, radius, func(i int, distance float64) bool { return visit(o.entities[i], distance) })
}

// Inside returns the obstacle that contains p. Of several, it returns the one with the lowest entity ID.
func (o *Obstacles) Inside(p r2.Vec) (ecs.Entity, bool) {
	i, ok := o.index.Inside(p)
	if !ok {
		return ecs.Entity{}, false
	}
	return o.entities[i], true
}

// Way is the path of a body, Hit is its first contact, and Sweeps is a worker's scratch memory for SweepAll.
type (
	Way    = space.Way
	Hit    = space.Hit
	Sweeps = space.Sweeps
)

// Disc is a body that slides along obstacles: see Obstacles.Slide.
type Disc = space.Disc

// SweepAll is like Sweep, but for many bodies. It fills the first elements of hits, in any order, and returns
// their number. Warn turns a Hit into a Threat. SweepAll panics if the lengths of ways and hits differ.
func (o *Obstacles) SweepAll(ways []Way, hits []Hit, memory *Sweeps) int {
	return o.index.SweepAll(ways, hits, memory)
}

// Slide moves a body along its path, and along the surfaces that it meets. It returns false, and moves
// nothing, if the position, path or radius is not finite or is out of range.
func (o *Obstacles) Slide(d *Disc) bool { return o.index.Slide(d) }

// Reach returns the distance, in meters, that one lookup in the index covers on either side of the middle of
// a sweep. Longer sweeps take several lookups.
func (o *Obstacles) Reach() float64 { return o.index.Reach() }

func (o *Obstacles) threat(hit *space.Hit) (t c.Threat) {
	o.Warn(&t, hit)
	return t
}

// Warn fills a threat from a hit of SweepAll.
func (o *Obstacles) Warn(t *c.Threat, hit *Hit) {
	t.Contact, t.Normal, t.Distance, t.Obstacle = hit.Contact, hit.Normal, hit.Distance, o.entities[hit.Index]
}

// Probe tests the points lookAhead and lookAhead/2 meters from p along dir and, with nearestFirst, p itself.
// Of the circles that contain one of the points, it returns the one whose center is nearest to p. With
// nearestFirst, it returns false if any other circle's center is nearer. The contact is the point lookAhead
// meters from p. The normal points from the circle's center to the contact.
func (o *Obstacles) Probe(nearestFirst bool, p, dir r2.Vec, lookAhead float64) (c.Threat, bool) {
	if !vec.Finite(p) || !vec.Finite(dir) {
		return c.Threat{}, false
	}
	ahead, half := vec.AddScaled(p, lookAhead, dir), vec.AddScaled(p, lookAhead/2, dir)
	i, ok := o.index.Probes(p, ahead, half)
	if nearestFirst {
		// If the nearest circle contains a point, it is the nearest of the circles that contain one.
		i, ok = o.index.Probes(p, ahead, half, p)
		ok = ok && !o.index.CenterNearer(p, i)
	}
	if !ok {
		return c.Threat{}, false
	}
	out := vec.Sub(ahead, o.shapes[i].A)
	if out == (r2.Vec{}) {
		out = vec.Scale(-1, dir) // straight back
	}
	return c.Threat{Contact: ahead, Normal: vec.Unit(out), Distance: lookAhead, Obstacle: o.entities[i]}, true
}

// WantCircles panics if an obstacle is not a circle, because Probe supports only circles.
func (o *Obstacles) WantCircles() {
	for i := range o.shapes {
		if s := &o.shapes[i]; s.Ring != nil || s.A != s.B {
			panic(fmt.Sprintf("crowd: obstacle %v is not a circle: the scan by probes supports only circles", o.entities[i]))
		}
	}
}

// Occupancy describes how full the index of obstacles is, and how much of it one query reads.
type Occupancy = space.Occupancy

// Occupancy returns the Occupancy of the index. It takes as long as a rebuild: use it only for reports.
func (o *Obstacles) Occupancy() Occupancy { return o.index.Occupancy() }

// Cells calls visit for each cell of the index that overlaps a box, in meters, and lists at least one
// obstacle, until visit returns false. obstacles is the number of obstacles that the cell lists: all those
// within about a cell width of the cell. Obstacles of very different sizes are in different grids, whose
// cells overlap.
//
// Cells come grid by grid, the finest first, and row by row from the lowest. A cell excludes its right and
// upper sides. The outermost cells, about 2^30 cells from the origin, are infinite. Cells is for drawing: it
// scans all obstacles, and allocates.
func (o *Obstacles) Cells(within r2.Box, visit func(cell r2.Box, obstacles int) bool) {
	o.index.Cells(within, visit)
}
