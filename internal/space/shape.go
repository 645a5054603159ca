package space

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// farthest is the largest valid coordinate and radius, in meters.
const farthest = 1e100

// Shape is an obstacle, in world coordinates and meters: a circle, a wall with round ends, or a solid
// polygon.
type Shape struct {
	ID     uint32   // unique
	A, B   r2.Vec   // ends of a wall; equal for a circle; unused for a polygon
	Radius float64  // >= 0: of the circle, or half the thickness of the wall or outline
	Ring   []r2.Vec // corners of a polygon, in either order; the first is not repeated; nil means no polygon
}

// Valid reports whether a shape can be indexed.
func (s *Shape) Valid() bool {
	if !(s.Radius >= 0 && s.Radius <= farthest) {
		return false
	}
	if s.Ring == nil {
		return within(s.A) && within(s.B)
	}
	for _, c := range s.Ring {
		if !within(c) {
			return false
		}
	}
	return len(s.Ring) >= 3
}

// Box returns the bounding box of all valid shapes of the index, or the zero box if there are none.
func (x *Index) Box() r2.Box {
	box := nowhere()
	for i := range x.shapes {
		s := &x.shapes[i]
		switch {
		case !s.Valid():
		case s.Ring == nil:
			box = include(include(box, s.A, s.Radius), s.B, s.Radius)
		default:
			for _, p := range s.Ring {
				box = include(box, p, s.Radius)
			}
		}
	}
	if box.Min.X > box.Max.X {
		return r2.Box{}
	}
	return box
}

// nowhere returns an empty box.
func nowhere() r2.Box {
	inf := math.Inf(1)
	return r2.Box{Min: r2.Vec{X: inf, Y: inf}, Max: r2.Vec{X: -inf, Y: -inf}}
}

func include(box r2.Box, p r2.Vec, radius float64) r2.Box {
	return r2.Box{
		Min: r2.Vec{X: min(box.Min.X, p.X-radius), Y: min(box.Min.Y, p.Y-radius)},
		Max: r2.Vec{X: max(box.Max.X, p.X+radius), Y: max(box.Max.Y, p.Y+radius)},
	}
}

func within(p r2.Vec) bool {
	return math.Abs(p.X) <= farthest && math.Abs(p.Y) <= farthest
}

// Hit is the place where a moving disc first touches an obstacle, or the point of an obstacle's surface
// nearest to a given point.
type Hit struct {
	Index    int     // index of the shape, in the order given to Build
	Distance float64 // m, distance moved until contact; for Nearest, distance to the surface, negative inside
	Contact  r2.Vec  // m, point on the obstacle's surface
	Normal   r2.Vec  // unit vector out of the obstacle
	Way      int     // index of the way; only SweepAll sets it
}

// Limits that bound the time of RingFault.
const (
	maxCompared = 1 << 28 // pairs of edges
	maxBeside   = 1 << 24 // pairs of edges whose boxes meet
	maxTouches  = 2000    // corners on edges that do not end there
)

// RingFault returns why a ring of finite corners cannot be the outline of a solid, or "" if it can. A ring
// must not cross itself or wind around twice, because rules assume that the interior is on the same side of
// all edges. It may touch itself at corners, or along edges that lead there and back, such as spikes and cuts
// to holes. Corners may repeat, and may all be on one line.
func RingFault(ring []r2.Vec) string {
	o := newOutline(ring)
	compared, beside := 0, 0
	for i := range o.spans {
		a := &o.spans[i]
		for k := i + 1; k < len(o.spans) && o.spans[k].low <= a.high; k++ {
			b := &o.spans[k]
			apart := b.left > a.right || b.right < a.left
			if compared++; !apart {
				beside++
			}
			if compared > maxCompared || beside > maxBeside {
				return fmt.Sprintf("has %d corners, too many to check for crossings, want fewer", len(ring))
			}
			if apart {
				continue
			}
			if at, crosses := o.meet(a.edge, b.edge); crosses {
				return crossesAt(at)
			}
			if len(o.touches) > maxTouches {
				return fmt.Sprintf("touches itself in more than %d places, want fewer", maxTouches)
			}
		}
	}
	if at, wrong := o.twisted(); wrong {
		return crossesAt(at)
	}
	return ""
}

func crossesAt(at r2.Vec) string {
	return fmt.Sprintf("crosses itself at (%.9g, %.9g), want an outline that does not", at.X, at.Y)
}

type outlineOf struct {
	ring    []r2.Vec // without repeated corners
	near    float64  // m, distance up to which points count as equal
	spans   []span
	touches []touch
}

// span is the extent of an edge along both axes.
type span struct {
	low, high, left, right float64
	edge                   int // index of the first corner of the edge
}

// touch is a corner that lies on another edge.
type touch struct {
	edge int
	at   float64 // position along the edge, 0 to 1
}

func newOutline(ring []r2.Vec) *outlineOf {
	o := &outlineOf{ring: slices.Compact(slices.Clone(ring))}
	for n := len(o.ring); n > 1 && o.ring[n-1] == o.ring[0]; n-- {
		o.ring = o.ring[:n-1]
	}
	var length r2.Vec // total length of all edges, along both axes
	for i, p := range o.ring {
		to := vec.Sub(o.corner(i+1), p)
		length = vec.Add(length, r2.Vec{X: math.Abs(to.X), Y: math.Abs(to.Y)})
		o.near = max(o.near, 1e-12*math.Abs(p.X), 1e-12*math.Abs(p.Y))
	}
	for i, p := range o.ring {
		q := o.corner(i + 1)
		if length.Y < length.X { // sort along the axis on which fewer edges overlap
			p, q = r2.Vec{X: p.Y, Y: p.X}, r2.Vec{X: q.Y, Y: q.X}
		}
		o.spans = append(o.spans, span{min(p.X, q.X) - o.near, max(p.X, q.X) + o.near, min(p.Y, q.Y) - o.near, max(p.Y, q.Y) + o.near, i})
	}
	slices.SortFunc(o.spans, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	return o
}

func (o *outlineOf) corner(i int) r2.Vec { return o.ring[i%len(o.ring)] }

// meet returns the point where the edges from corners i and k cross. If they do not cross, it records the
// corners of each that lie on the other.
func (o *outlineOf) meet(i, k int) (at r2.Vec, crosses bool) {
	a, b, c, d := o.corner(i), o.corner(i+1), o.corner(k), o.corner(k+1)
	e, f := vec.Sub(b, a), vec.Sub(d, c)
	sideA, sideB := vec.Cross(f, vec.Sub(a, c)), vec.Cross(f, vec.Sub(b, c))
	sideC, sideD := vec.Cross(e, vec.Sub(c, a)), vec.Cross(e, vec.Sub(d, a))
	nearE, nearF := o.near*(math.Abs(e.X)+math.Abs(e.Y)), o.near*(math.Abs(f.X)+math.Abs(f.Y))
	switch {
	case min(sideA, sideB) > nearF, max(sideA, sideB) < -nearF, min(sideC, sideD) > nearE, max(sideC, sideD) < -nearE:
		return at, false
	case max(sideA, sideB) > nearF && min(sideA, sideB) < -nearF && max(sideC, sideD) > nearE && min(sideC, sideD) < -nearE:
		return vec.AddScaled(a, sideA/(sideA-sideB), e), true
	}
	n := len(o.ring)
	if (i+1)%n != k { // otherwise the edges share a corner
		o.touch(k, b)
		o.touch(i, c)
	}
	if (k+1)%n != i {
		o.touch(k, a)
		o.touch(i, d)
	}
	return at, false
}

func (o *outlineOf) touch(edge int, p r2.Vec) {
	a := o.corner(edge)
	along, to := vec.Sub(o.corner(edge+1), a), vec.Sub(p, a)
	at := min(max(vec.Dot(to, along)/vec.Norm2(along), 0), 1)
	if vec.Norm(vec.Sub(to, vec.Scale(at, along))) <= o.near {
		o.touches = append(o.touches, touch{edge, at})
	}
}

// twisted returns a corner where the ring crosses or begins to overlap itself, and false if there is none.
// Touches divide an edge into pieces. On both sides of each piece, the winding number must be 0, or 1 in the
// ring's own orientation.
func (o *outlineOf) twisted() (at r2.Vec, wrong bool) {
	turn, area := 0, 0.
	for i, p := range o.ring {
		area += vec.Cross(vec.Sub(p, o.ring[0]), vec.Sub(o.corner(i+1), o.ring[0]))
	}
	if area != 0 {
		turn = int(math.Copysign(1, area))
	}
	slices.SortFunc(o.touches, func(a, b touch) int { return cmp.Or(cmp.Compare(a.edge, b.edge), cmp.Compare(a.at, b.at)) })
	for i, t := range o.touches {
		a := o.corner(t.edge)
		along := vec.Sub(o.corner(t.edge+1), a)
		aside := vec.WithNorm(vec.Left(along), 1000*o.near)
		from, to := 0., 1. // of the pieces before and after the touch
		if i > 0 && o.touches[i-1].edge == t.edge {
			from = o.touches[i-1].at
		}
		if i+1 < len(o.touches) && o.touches[i+1].edge == t.edge {
			to = o.touches[i+1].at
		}
		for _, end := range []float64{from, to} {
			if math.Abs(end-t.at)*vec.Norm(along) <= 1000*o.near {
				continue
			}
			middle := vec.AddScaled(a, (t.at+end)/2, along)
			for _, side := range []r2.Vec{vec.Add(middle, aside), vec.Sub(middle, aside)} {
				if n := o.winding(side); n != 0 && n != turn {
					return vec.AddScaled(a, t.at, along), true
				}
			}
		}
	}
	return at, false
}

// winding returns the winding number of the ring around a point; turns to the left are positive.
func (o *outlineOf) winding(p r2.Vec) (n int) {
	for i, a := range o.ring {
		b := o.corner(i + 1)
		switch side := vec.Cross(vec.Sub(b, a), vec.Sub(p, a)); {
		case a.Y <= p.Y && b.Y > p.Y && side > 0:
			n++
		case a.Y > p.Y && b.Y <= p.Y && side < 0:
			n--
		}
	}
	return n
}

// The rough test selects the pieces that are tested exactly. It takes no branches, and reads only the entries
// of lists, which hold the pieces' bounding circles in 32 bits. The radius allows for rounding, so the test
// never rejects a piece that the disc touches.
//
// Coordinates are in cells of the grid, modulo 32. A way that needs one lookup can touch only pieces less
// than 9 cells from its middle, so the wrapped difference of two coordinates is their distance. A farther
// piece may pass by mistake, and then fails the exact test.

const (
	// The coordinates of a way have 32 bits, in units of 2^-27 cells.
	unitsPerCell = 1 << 27
	// An entry keeps 12 bits of each coordinate, in this unit. It drops less than one unit.
	step = 1 << 20
	// An entry keeps 8 bits of the radius, in this unit. They suffice for all pieces of a grid: see cellSize.
	radiusStep = 1 << 22
	// Bound on the loss of both coordinates, at most one step each, plus rounding.
	lost = 1.5*step + 1<<12
	// This plus a number of cells between -2^30 and 2^30 has 21 bits after the binary point, and
	// the cell number before it.
	fixed = 1.5 * (1 << 31)
)

type entry = kernel.Entry

func (x *Index) entryOf(piece uint32) entry {
	b, lv := &x.bounds[piece], &x.levels[x.pieces[piece].level]
	count := func(v float64) uint32 {
		return uint32(int64(math.Floor(float64(max(-edge, min(edge, float64(v*lv.scale)))*(unitsPerCell/step)))) & 0xfff)
	}
	// A piece that moves within the slack keeps its entry.
	radius := math.Ceil(float64((b.radius + float64(1.5*x.slack)) * lv.scale * (unitsPerCell / radiusStep)))
	return entry{Spot: count(b.x)<<20 | count(b.y)<<8 | uint32(min(radius, 255)), Piece: piece}
}

// spot returns the cell that contains a coordinate, and the coordinate in fixed point.
func (lv *level) spot(v float64) (cell int64, at uint32) {
	b := math.Float64bits(float64(v*lv.scale) + fixed)
	return int64(b >> 21 & (1<<31 - 1)), uint32(b) << 6
}

// look looks up the ways from first on, and adds those that have a list to f.Busy. It reports whether one
// lookup is enough for each of them, and returns the new number of lists.
func (x *Index) look(f *kernel.Sifter, lv *level, ways []Way, first, lists int) (single bool, _ int) {
	single = true
	units, start := f.Units, x.start
	for i := first; i < len(ways); i++ {
		w, k := &ways[i], i&mask
		middle, half := middle(w), half(w)
		single = single && x.single(w, middle)
		column, atX := lv.spot(middle.X)
		row, atY := lv.spot(middle.Y)
		slot := x.slot(lv, column, row)
		from, to := start[slot], start[slot+1]
		near, ahead := float64(w.Body*units)+lost, float64(half*units)
		f.X[k], f.Y[k], f.DirX[k], f.DirY[k] = atX, atY, float32(w.Dir.X), float32(w.Dir.Y)
		f.Near[k], f.Far[k] = float32(near), float32(near+ahead)
		f.Span[k], f.Busy[lists&mask] = uint64(to)<<32|uint64(from), uint8(i)
		lists += int(uint32(from-to) >> 31)
	}
	return single, lists
}

// rough appends the pieces of the entries that a disc may touch to the found pieces, and returns their new
// number. which[k] is the index of the disc's way for entries[k]. Branches would be unpredictable, so the
// sign of a difference decides.
func rough(f *kernel.Sifter, entries []entry, which []uint8, found int) int {
	which = which[:len(entries)]
	for k := range entries {
		e, i := &entries[k], which[k]
		f.Piece[found], f.Way[found] = e.Piece, i
		i &= mask
		dirX, dirY := f.DirX[i], f.DirY[i]
		toX, toY := float32(int32(e.Spot-f.X[i])), float32(int32(e.Spot<<12-f.Y[i]))
		radius := float32(float32(int32(e.Spot&0xff)) * radiusStep)
		aside, ahead := float32(toX*dirY)-float32(toY*dirX), float32(toX*dirX)+float32(toY*dirY)
		apart := math.Float32bits(radius+f.Near[i]-abs(aside)) | math.Float32bits(radius+f.Far[i]-abs(ahead))
		found += 1 - int(apart>>31)
	}
	return found
}

func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }
