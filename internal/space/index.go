package space

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Index finds shapes. The zero value is empty.
//
// It cuts shapes into pieces: circles, walls, and the insides of polygons. The
// pieces lie in a hierarchy of grids, each with cells twice as wide as the one
// before, and a piece is in the grid in which it covers a few cells. Every cell
// lists the pieces within reach of it, and reach grows with the cells, so that
// one look-up a grid finds all that is within reach of a point.
//
// All cells of all grids share one table of slots, without keys: cells that
// meet in a slot see one another's pieces. That is no fault, only a little
// work, because every piece that is found is tested against the whole question.
type Index struct {
	shapes  []Shape
	corners []r2.Vec // of all rings
	order   []uint64 // of the shapes that are indexed, by ID: ID<<32 | index
	pieces  []piece  // by ID of their shapes
	only    []uint32 // the piece of each shape that has but one, else none
	listed  []home   // of all pieces, if there is slack

	levels []level
	reach  float64  // m, the smallest of a level
	slack  float64  // m, how far pieces may move from where they are listed
	extent float64  // m, no level counts cells at a coordinate so far out
	shift  uint     // 64 less the bits of a slot's number
	start  []uint32 // of each slot, where its list begins; the next one begins where it ends
	lists  []entry  // of all slots, one after another, each in the order of pieces
	whole  []entry  // every piece once
	bounds []bound  // of all pieces
	round  bool     // all pieces are circles
}

// piece is what is tested at once.
type piece struct {
	a, b   r2.Vec // ends of a wall; of an inside the corners of the box around it
	radius float64
	rank   uint32 // of its shape in the order of IDs
	level  uint16
	kind   kind
}

// home is where the ends of a piece were when it was put into lists.
type home struct{ a, b r2.Vec }

type kind uint8

const (
	circle kind = iota
	wall
	inside // of a polygon; its edges are walls
)

// Build makes a new index of shapes, of which it keeps a copy. Shapes that
// are not finite, or have a negative radius or less than three corners, keep
// their place but are never found.
//
// Queries that look up to reach meters around a point, or along a way of twice
// that with the disc's radius taken off, are the cheapest. Stride is how far
// circles and walls are expected to move until the next call: see Move. Neither
// changes an answer.
func (x *Index) Build(shapes []Shape, reach, stride float64) {
	x.copy(shapes)
	x.cut()
	x.layOut(reach, stride)
}

// Move gives the shape with this place in the order given to Build a new place,
// and returns true; or it returns false and does nothing, if the index must be
// rebuilt for that. It can move circles and walls that keep their size.
//
// Lists hold more than what is within reach, by a slack of some strides. Within it a
// piece stays in its lists, and moving it costs next to nothing.
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

// slight reports whether a point is within the slack of another.
func (x *Index) slight(p, q r2.Vec) bool {
	return math.Abs(p.X-q.X) <= x.slack && math.Abs(p.Y-q.Y) <= x.slack
}

// Reach returns how far one look-up sees to either side of the middle of a way.
func (x *Index) Reach() float64 { return x.reach }

// Len returns the number of shapes given to Build.
func (x *Index) Len() int { return len(x.shapes) }

// Skipped returns how many of the shapes are never found.
func (x *Index) Skipped() int { return len(x.shapes) - len(x.order) }

// Shape returns a shape by its place in the order given to Build. Its ring must
// not be written to.
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
		if s := &x.shapes[i]; len(s.Ring) > 0 { // an empty one stays as it is, or it would be no ring
			first := len(x.corners)
			x.corners = append(x.corners, s.Ring...)
			s.Ring = x.corners[first:len(x.corners):len(x.corners)]
		}
	}
}

// cut makes the pieces of all valid shapes.
func (x *Index) cut() {
	x.order, x.pieces = x.order[:0], x.pieces[:0]
	for i := range x.shapes {
		if s := &x.shapes[i]; s.Valid() {
			x.order = append(x.order, uint64(s.ID)<<32|uint64(i))
		}
	}
	slices.Sort(x.order)
	x.only = resized(x.only, len(x.shapes))
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
		low, high := s.Ring[0], s.Ring[0]
		for _, c := range s.Ring {
			low.X, low.Y = min(low.X, c.X), min(low.Y, c.Y)
			high.X, high.Y = max(high.X, c.X), max(high.Y, c.Y)
		}
		x.pieces = append(x.pieces, piece{a: low, b: high, radius: s.Radius, rank: uint32(rank), kind: inside})
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

// index returns the place of a shape in the order given to Build.
func (x *Index) index(rank uint32) int { return int(uint32(x.order[rank])) }

func (x *Index) shape(rank uint32) *Shape { return &x.shapes[x.index(rank)] }

// distance returns the distance from p to the surface of a piece, negative
// within it. The inside of a polygon is infinitely far from outside: there the
// edges count.
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

// holds reports whether p is in the polygon of whose inside pc is.
func (x *Index) holds(pc *piece, p r2.Vec) bool {
	return p.X >= pc.a.X && p.X <= pc.b.X && p.Y >= pc.a.Y && p.Y <= pc.b.Y &&
		contains(x.shape(pc.rank).Ring, p)
}

// hit sets what is known of a contact on a way.
func (x *Index) hit(h *Hit, c contact, w *Way) {
	b := &x.bounds[c.piece]
	h.Index, h.Distance = int(b.shape), c.distance
	if b.kind == circle {
		center := r2.Vec{X: b.x, Y: b.y}
		h.Normal = touchCircle(center, w.From, w.Dir, c.distance, b.radius+w.Body)
		h.Contact = vec.AddScaled(center, b.radius, h.Normal)
		return
	}
	pc, foot := &x.pieces[c.piece], r2.Vec{} // foot is on the center line or the outline
	if b.kind == wall {
		foot, h.Normal = touchWall(pc.a, pc.b, w.From, w.Dir, c.distance, pc.radius+w.Body)
	} else {
		foot, h.Normal = touchRing(x.shape(pc.rank).Ring, w.From, w.Dir)
	}
	h.Contact = vec.AddScaled(foot, pc.radius, h.Normal)
}

// Occupancy tells how full an index is.
type Occupancy struct {
	Shapes  int // that are found
	Pieces  int // circles, walls and insides that they are cut into
	Grids   int
	Slots   int // of the table that all cells of all grids share
	Taken   int // slots that list a piece
	Entries int // in all lists together
	Longest int // entries in the longest list: the most that one look-up reads
}

// Mean returns the number of entries in a list that has any: what a look-up
// reads where there is something.
func (o Occupancy) Mean() float64 {
	if o.Taken == 0 {
		return 0
	}
	return float64(o.Entries) / float64(o.Taken)
}

// Occupancy looks through the whole table.
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
