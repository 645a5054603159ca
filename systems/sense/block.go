package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	blockSize  = 64   // maximum number of agents of a Block
	leastBlock = 1024 // minimum number of agents per worker
	mostNearby = 64   // maximum number of neighbors for which Nearby is used
)

// Part is the half-open range [Lo, Hi) of indexes in a snapshot.
type Part = kernel.Part

// Block holds up to 64 agents, which are consecutive in the snapshot and near one another, and their
// neighbors. It is valid only during the call that receives it. Rules that process one agent at a time use a
// Neighborhood.
type Block struct {
	frame.Clock
	Worker int // index of the worker; results must not depend on it

	neighbors *Neighbors
	first     uint32
	n         int
	gatherer  space.Gatherer
	reaches   [blockSize]float64 // m, largest over all queries
	dists     [blockSize]float64 // m, for the current query
	all, own  lists
	gathered  bool // the list all is filled; the list own is its part within the reach of the current query
	query     query
	near      *lists            // neighbors for the query: all or own; nil before the first request
	counts    [blockSize]uint32 // neighbors found for each agent
	found     []NeighborHit
	kept      []uint32     // memory for the result of Others
	one       Neighborhood // for rules that process one agent at a time
	view      fieldOfView
	sums      sumsOfBlock
	looked    uint64   // searches: one per searching agent and call of answer
	met       uint64   // neighbors found by these searches
	_         [64]byte // keeps workers on separate cache lines
}

// lists holds the neighbors of each agent, one list after another.
type lists struct {
	ends    [blockSize]int
	indexes []uint32
}

func (l *lists) at(k int) []uint32 {
	from := 0
	if k > 0 {
		from = l.ends[k-1]
	}
	return l.indexes[from:l.ends[k]]
}

func (b *Block) answer(queries []query) {
	b.open(queries)
	for _, q := range queries {
		if !q.idle() {
			b.ask(q)
			q.run(b)
		}
	}
	for k, reach := range b.reaches[:b.n] {
		if reach > 0 {
			b.looked, b.met = b.looked+1, b.met+uint64(b.counts[k])
		}
	}
}

func (b *Block) open(queries []query) {
	clear(b.reaches[:])
	for _, q := range queries {
		b.reach(q, b.reaches[:b.n])
	}
	b.gathered = false
	clear(b.counts[:])
	clear(b.sums.known[:])
	b.sums.odd = false
}

func (b *Block) ask(q query) {
	b.query, b.near = q, nil
	clear(b.dists[:])
	b.reach(q, b.dists[:b.n])
}

// reach raises each agent's reach to that of a query, up to the limit in a periodic world. Images do not
// search.
func (b *Block) reach(q query, reach []float64) {
	q.reach(b.first, reach)
	image := b.Agents().Image
	if image == nil {
		return
	}
	for k := range reach {
		if reach[k] = min(reach[k], b.neighbors.farthest()); image[b.first+uint32(k)] {
			reach[k] = 0
		}
	}
}

// gather finds the neighbors of the agents, once for all queries.
func (b *Block) gather() {
	b.gathered, b.all.indexes = true, b.all.indexes[:0]
	for k, reach := range b.reaches[:b.n] {
		before := len(b.all.indexes)
		if reach > 0 {
			b.all.indexes = b.neighbors.crowd.Gather(&b.gatherer, b.Index(k), reach, b.all.indexes)
		}
		b.all.ends[k], b.counts[k] = len(b.all.indexes), uint32(len(b.all.indexes)-before)
	}
}

func (b *Block) narrow() {
	if !b.gathered {
		b.gather()
	}
	b.near = &b.all
	if b.dists == b.reaches {
		return
	}
	b.near, b.own.indexes = &b.own, b.own.indexes[:0]
	for k := range b.n {
		p, limit := b.Agents().Position(b.Index(k)), min(float64(b.dists[k]*b.dists[k]), math.MaxFloat64)
		for _, i := range b.all.at(k) {
			if b.dists[k] > 0 && vec.Norm2(vec.Sub(b.Agents().Position(i), p)) <= limit {
				b.own.indexes = append(b.own.indexes, i)
			}
		}
		b.own.ends[k] = len(b.own.indexes)
	}
}

// Len returns the number of agents.
func (b *Block) Len() int { return b.n }

// Index returns the index of the k-th agent in the snapshot.
func (b *Block) Index(k int) uint32 { return b.first + uint32(k) }

// Reach returns the range of the k-th agent's search in meters, or 0 if the agent does not search.
func (b *Block) Reach(k int) float64 { return b.dists[k] }

// Neighbors returns the snapshot.
func (b *Block) Neighbors() *Neighbors { return b.neighbors }

// Agents returns all agents of the snapshot, by index. The caller must not modify them.
func (b *Block) Agents() *Agents { return b.neighbors.crowd.Agents() }

// Near returns the indexes of the other agents within Reach(k) of the k-th agent, from center to center, on
// layers that this agent sees. They are in a fixed order, cell by cell. The caller must not modify the list,
// which is valid until the block's next query.
func (b *Block) Near(k int) []uint32 {
	if b.near == nil {
		b.narrow()
	}
	return b.near.at(k)
}

// Nearest returns the nearest agents of Near(k), up to the given number, ordered by distance, then by ID. For
// up to 64 agents, Nearest is much faster than Near in dense crowds, unless Near was called for this query.
// The list is valid until the next call to Nearest, NearestSquared, Others or Sums.
func (b *Block) Nearest(k, most int) []NeighborHit {
	found := b.NearestSquared(k, most)
	for i := range found {
		found[i].Distance = math.Sqrt(found[i].Distance)
	}
	return found
}

// Around returns parts of the snapshot that together contain each agent of Near(k) exactly once, the k-th
// agent itself, and possibly others. The parts serve the n agents from the k-th on, which have the same
// reach. The parts are valid until the next call to Around. Testing all agents of the parts can be faster
// than Nearest. A rule that does so must pass the number of neighbors to Found. If parts is nil, the rule
// must use Nearest.
func (b *Block) Around(k int) (parts []Part, n int) {
	if !(b.dists[k] > 0) {
		return nil, 1
	}
	parts, n = b.neighbors.crowd.Around(&b.gatherer, b.Index(k), b.n-k, b.dists[k])
	for i := 1; i < n; i++ {
		if b.dists[k+i] != b.dists[k] {
			n = i
		}
	}
	return parts, n
}

// Found records the number of neighbors found for the k-th agent: see Around.
func (b *Block) Found(k, n int) { b.counts[k] = max(b.counts[k], uint32(n)) }

// NearestSquared is like Nearest, with squared distances, in m².
func (b *Block) NearestSquared(k, most int) []NeighborHit {
	if b.near == nil && most <= mostNearby {
		b.found = column.Resize(b.found, max(0, most))
		if !(b.dists[k] > 0) {
			return b.found[:0]
		}
		n := b.neighbors.crowd.Nearby(&b.gatherer, b.Index(k), b.dists[k], b.found)
		b.counts[k] = max(b.counts[k], uint32(n))
		return b.found[:n]
	}
	near := b.Near(k)
	b.found = column.Resize(b.found, max(0, min(most, len(near))))
	return b.found[:b.neighbors.crowd.Order(b.Index(k), near, b.found)]
}

// fieldOfView tests what is in view. A Block keeps the last one used, because most of its agents share it.
type fieldOfView struct {
	width  float64 // rad
	square float64 // square of the cosine of half the width
	wide   bool    // a half-plane or more
}

// rim is the tolerance for rounding, as a cosine.
const rim = 0x1p-50

func (v *fieldOfView) open(width float64) {
	if width == v.width {
		return
	}
	_, cosine := vec.SinCos(width / 2)
	cosine -= rim
	*v = fieldOfView{width, float64(cosine * cosine), cosine < 0}
}

func limited(width float64) bool { return width > 0 && width < 2*math.Pi }

// few reports whether the nearest few agents suffice.
func (l *Look) few() bool {
	return l.MaxNeighbors > 0 && l.MaxNeighbors <= mostNearby && !limited(l.FieldOfView)
}

// sees reports whether an offset is in view. facing is a unit vector, or zero for an agent that sees all
// around. Every agent sees its own position.
func (v *fieldOfView) sees(facing, offset r2.Vec) bool {
	along := vec.Dot(facing, offset)
	square, limit := float64(along*along), float64(v.square*vec.Norm2(offset))
	if v.wide {
		return along >= 0 || square <= limit
	}
	return along >= 0 && square >= limit || facing == (r2.Vec{})
}

// Others returns the indexes of the agents of Near(k) that match the Look, except for its NeighborDist: the
// nearest MaxNeighbors agents in the field of view, or all of them if MaxNeighbors is 0. They are nearest
// first if there are MaxNeighbors of them, and otherwise in the order of Near. The caller must not modify the
// list, which is valid until the next call to Others or Sums, or the block's next query.
func (b *Block) Others(k int, look Look) []uint32 {
	most := int(look.MaxNeighbors)
	if b.near == nil && look.few() && b.dists[k] > b.neighbors.crowd.Cell() {
		if found := b.NearestSquared(k, most); len(found) == most {
			return b.keep(found)
		}
	}
	near := b.Near(k)
	if b.view.open(look.FieldOfView); limited(look.FieldOfView) && len(near) > 0 {
		near = b.inView(k, near)
	}
	if most == 0 || len(near) < most {
		return near
	}
	b.found = column.Resize(b.found, most)
	return b.keep(b.found[:b.neighbors.crowd.Order(b.Index(k), near, b.found)])
}

func (b *Block) keep(found []NeighborHit) []uint32 {
	b.kept = b.kept[:0]
	for _, f := range found {
		b.kept = append(b.kept, f.Index)
	}
	return b.kept
}

func (b *Block) inView(k int, near []uint32) []uint32 {
	agents := b.Agents()
	p, facing := agents.Position(b.Index(k)), vec.Unit(agents.Velocity(b.Index(k)))
	b.kept = b.kept[:0]
	for _, i := range near {
		if b.view.sees(facing, vec.Sub(agents.Position(i), p)) {
			b.kept = append(b.kept, i)
		}
	}
	return b.kept
}

// Cover returns the position nearest to p where an obstacle hides the center of a body from an observer. It
// considers one position behind each obstacle whose surface is at most reach meters from p: on the line from
// the observer through the obstacle's center or, for a wall, through its point nearest to p. The body and the
// obstacle are at least the given distance apart. Cover excludes positions where the body would overlap an
// obstacle, and positions nearer to the observer than to p. Ties go to the lowest entity ID. body is the
// radius of the body. All lengths are in m. Cover returns false if there is no such position.
func (o *Obstacles) Cover(p, observer r2.Vec, body, distance, reach float64) (place r2.Vec, ok bool) {
	least := math.Inf(1)
	o.index.Within(p, reach, func(i int, _ float64) bool {
		at := beyond(&o.shapes[i], p, observer, body+distance)
		way, theirs := vec.Norm2(vec.Sub(at, p)), vec.Norm2(vec.Sub(at, observer))
		if way < least && way <= theirs && vec.Finite(at) && o.hides(at, observer, body) {
			place, ok, least = at, true, way
		}
		return true
	})
	return place, ok
}

// hides reports whether a body at the given place overlaps no obstacle and its center is hidden from the
// observer. An overlap of up to 0.1% of the radius is allowed, for rounding.
func (o *Obstacles) hides(place, observer r2.Vec, body float64) bool {
	if _, touches := o.index.Nearest(place, float64(body*0.999)); touches {
		return false
	}
	way := vec.Sub(place, observer)
	length := vec.Norm(way)
	_, blocked := o.index.Sweep(observer, vec.Unit(way), length, 0)
	return blocked
}

// beyond returns a position behind a shape, as seen by an observer: see Cover. far is the least distance from
// the shape's surface, in m.
func beyond(s *space.Shape, p, observer r2.Vec, far float64) r2.Vec {
	middle := s.A
	switch {
	case s.Ring != nil:
		middle = r2.Vec{}
		for _, corner := range s.Ring {
			middle = vec.AddScaled(middle, 1/float64(len(s.Ring)), corner)
		}
	case s.A != s.B:
		span := vec.Sub(s.B, s.A)
		share := vec.Dot(vec.Sub(p, s.A), span) / vec.Norm2(span)
		middle = vec.AddScaled(s.A, max(0, min(share, 1)), span)
	}
	away := vec.Unit(vec.Sub(middle, observer))
	extent := 0.
	if s.Ring != nil {
		for _, corner := range s.Ring {
			extent = max(extent, vec.Dot(vec.Sub(corner, middle), away))
		}
	} else {
		extent = max(extent, vec.Dot(vec.Sub(s.A, middle), away), vec.Dot(vec.Sub(s.B, middle), away))
	}
	return vec.AddScaled(middle, extent+s.Radius+far, away)
}
