package space

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Index finds shapes. The zero value is empty.
//
// It cuts shapes into circles, walls, and interiors of polygons. These pieces lie in grids whose cells are 1,
// 2, 4, … times as wide as those of the finest grid. Each piece is in the finest grid in which it covers few
// cells. Every cell lists the pieces within its reach, which grows with its width. So one lookup per grid
// finds everything nearer to a point than the smallest reach.
//
// The cells of all grids share one table of slots without keys. Answers are correct even if cells share a
// slot, because every piece is tested exactly.
type Index struct {
	shapes  []Shape
	corners []r2.Vec // of all rings
	order   []uint64 // indexed shapes by ID: ID<<32 | index
	pieces  []piece  // sorted by the ID of their shapes
	only    []uint32 // per shape: its piece if it has exactly one, or else none
	listed  []home   // where each piece was when it was listed, if slack > 0

	levels []level
	reach  float64  // m, smallest reach of a level
	slack  float64  // m, distance that pieces may move along each axis from where they were listed
	extent float64  // m, coordinates below it lie in no outermost cell
	shift  uint     // 64 minus the bits of a slot number
	start  []uint32 // beginning of each slot's list, which ends where the next list begins
	lists  []entry  // lists of all slots, each in the order of pieces
	whole  []entry  // every piece once
	bounds []bound  // of all pieces
	round  bool     // all pieces are circles
}

type piece struct {
	a, b   r2.Vec // ends of a wall; bounding box of an interior
	radius float64
	rank   uint32 // rank of the piece's shape by ID
	level  uint16
	kind   kind
}

type home struct{ a, b r2.Vec }

type kind uint8

const (
	circle kind = iota
	wall
	inside // interior of a polygon; its edges are walls
)

// Build indexes a copy of shapes. Invalid shapes keep their index but are never found: those with a number
// that is not finite or is beyond ±1e100, a negative radius, or a ring with fewer than three corners.
//
// Queries up to reach meters around a point, and sweeps of a disc of radius r up to 2*(reach-r) meters, are
// the cheapest. stride is the distance, in meters, that circles and walls are expected to move at a time.
// Neither reach nor stride changes an answer.
func (x *Index) Build(shapes []Shape, reach, stride float64) {
	x.copy(shapes)
	x.cut()
	x.layOut(reach, stride)
}

// Move moves the i-th shape given to Build, which becomes a copy of *to. It can move circles and walls that
// keep their ID and radius. It returns false and does nothing if the index must be rebuilt instead.
//
// Moves of a few strides cost almost nothing.
func (x *Index) Move(i int, to *Shape) bool {
	s, k := &x.shapes[i], x.only[i]
	if x.slack == 0 || k == none || to.Ring != nil || !to.Valid() || to.ID != s.ID || to.Radius != s.Radius ||
		(to.A == to.B) != (s.A == s.B) || !x.slight(to.A, x.listed[k].a) || !x.slight(to.B, x.listed[k].b) {
		return false
	}
	pc := &x.pieces[k]
	*s, pc.a, pc.b = *to, to.A, to.B
	x.bounds[k] = pc.bound(x.order)
	return true
}

func (x *Index) slight(p, q r2.Vec) bool {
	return math.Abs(p.X-q.X) <= x.slack && math.Abs(p.Y-q.Y) <= x.slack
}

// Reach returns the distance, in meters, that one lookup covers on either side of the middle of a sweep.
func (x *Index) Reach() float64 { return x.reach }

// Len returns the number of shapes given to Build.
func (x *Index) Len() int { return len(x.shapes) }

// Skipped returns the number of shapes that are never found.
func (x *Index) Skipped() int { return len(x.shapes) - len(x.order) }

// Shape returns the i-th shape given to Build. Its ring is valid until the next Build, and read-only.
func (x *Index) Shape(i int) Shape { return x.shapes[i] }

func (x *Index) copy(shapes []Shape) {
	n := 0
	for i := range shapes {
		n += len(shapes[i].Ring)
	}
	x.corners = slices.Grow(x.corners[:0], n)
	clear(x.shapes)
	x.shapes = append(x.shapes[:0], shapes...)
	for i := range x.shapes {
		if s := &x.shapes[i]; len(s.Ring) > 0 { // a non-nil empty ring marks an invalid polygon
			first := len(x.corners)
			x.corners = append(x.corners, s.Ring...)
			s.Ring = x.corners[first:len(x.corners):len(x.corners)]
		}
	}
}

func (x *Index) cut() {
	x.order, x.pieces = x.order[:0], x.pieces[:0]
	for i := range x.shapes {
		if s := &x.shapes[i]; s.Valid() {
			x.order = append(x.order, uint64(s.ID)<<32|uint64(i))
		}
	}
	slices.Sort(x.order)
	x.only = Resized(x.only, len(x.shapes))
	for i := range x.only {
		x.only[i] = none
	}
	for rank := range x.order {
		s := x.shape(uint32(rank))
		if s.Ring == nil {
			x.only[x.index(uint32(rank))] = uint32(len(x.pieces))
			x.addWall(s.A, s.B, s.Radius, rank)
			continue
		}
		box := nowhere()
		for _, c := range s.Ring {
			box = include(box, c, 0)
		}
		x.pieces = append(x.pieces, piece{a: box.Min, b: box.Max, radius: s.Radius, rank: uint32(rank), kind: inside})
		from := s.Ring[len(s.Ring)-1]
		for _, to := range s.Ring {
			x.addWall(from, to, s.Radius, rank)
			from = to
		}
	}
}

func (x *Index) addWall(a, b r2.Vec, radius float64, rank int) {
	k := wall
	if a == b {
		k = circle
	}
	x.pieces = append(x.pieces, piece{a: a, b: b, radius: radius, rank: uint32(rank), kind: k})
}

// index returns the index in x.shapes of the shape with the given rank by ID.
func (x *Index) index(rank uint32) int { return int(uint32(x.order[rank])) }

func (x *Index) shape(rank uint32) *Shape { return &x.shapes[x.index(rank)] }

// distance returns the distance from p to the surface of a piece, negative inside. Outside a polygon, the
// distance to its interior is infinite, because its edges are pieces of their own.
func (x *Index) distance(pc *piece, p r2.Vec) float64 {
	switch {
	case pc.kind == circle:
		return vec.Norm(vec.Sub(p, pc.a)) - pc.radius
	case pc.kind == wall:
		f := frameOf(pc.a, pc.b, p)
		return f.distance(pc.a, pc.b, p) - pc.radius
	case x.holds(pc, p):
		d, _, _ := outline(x.shape(pc.rank).Ring, p)
		return -d - pc.radius
	}
	return math.Inf(1)
}

func (x *Index) holds(pc *piece, p r2.Vec) bool {
	return p.X >= pc.a.X && p.X <= pc.b.X && p.Y >= pc.a.Y && p.Y <= pc.b.Y &&
		contains(x.shape(pc.rank).Ring, p)
}

// hit sets all fields of h, except Way, for contact c on way w.
func (x *Index) hit(h *Hit, c contact, w *Way) {
	b := &x.bounds[c.piece]
	h.Index, h.Distance = int(b.shape), c.distance
	if b.kind == circle {
		center := r2.Vec{X: b.x, Y: b.y}
		h.Normal = touchCircle(center, w.From, w.Dir, c.distance, b.radius+w.Body)
		h.Contact = vec.AddScaled(center, b.radius, h.Normal)
		return
	}
	pc, foot := &x.pieces[c.piece], r2.Vec{} // foot is on the centerline or the outline
	if b.kind == wall {
		foot, h.Normal = touchWall(pc.a, pc.b, w.From, w.Dir, c.distance, pc.radius+w.Body)
	} else {
		foot, h.Normal = touchRing(x.shape(pc.rank).Ring, w.From, w.Dir)
	}
	h.Contact = vec.AddScaled(foot, pc.radius, h.Normal)
}

// Occupancy describes how full an index is.
type Occupancy struct {
	Shapes  int // shapes that can be found
	Pieces  int // circles, walls and interiors
	Grids   int
	Slots   int
	Taken   int // slots that list a piece
	Entries int // in all lists
	Longest int // length of the longest list
}

// Mean returns the mean length of the lists that are not empty, or 0 if there are none.
func (o Occupancy) Mean() float64 {
	if o.Taken == 0 {
		return 0
	}
	return float64(o.Entries) / float64(o.Taken)
}

// Occupancy returns how full the index is. It scans the whole table.
func (x *Index) Occupancy() Occupancy {
	o := Occupancy{Shapes: len(x.order), Pieces: len(x.pieces), Grids: len(x.levels)}
	if o.Pieces == 0 {
		return o
	}
	o.Slots = 1 << (64 - x.shift)
	for slot := range o.Slots {
		if n := len(x.list(slot)); n > 0 {
			o.Taken++
			o.Entries += n
			o.Longest = max(o.Longest, n)
		}
	}
	return o
}
